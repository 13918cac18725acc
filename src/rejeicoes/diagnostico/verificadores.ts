import { lerCatalogo, marcaDe, verificacoesDe } from '../catalogo.ts'
import type { Rejeicao } from '../rules.ts'
import { tabelasDaPasta } from '../tabelas/instaladas.ts'
import type { Contexto } from '../verificacoes/caminho.ts'
import type { VerificacaoComCodigo } from '../verificacoes/verificar.ts'
import { type Conferir, prepararVerificacoes } from '../verificacoes/verificar.ts'

/** The checks and the entries of one catalogue. */
export type Verificadores = {
  porCodigo: ReadonlyMap<number, Rejeicao>
  porId: ReadonlyMap<string, VerificacaoComCodigo>
  conferir: Conferir
}

const SEM_CATALOGO: Verificadores = { porCodigo: new Map(), porId: new Map(), conferir: () => [] }

let guardado: { arquivo: string; marca: string; verificadores: Verificadores } | undefined

/**
 * The checks of a catalogue's file, compiled once as long as the file stays the same. A file that went bad
 * leaves the last good ones; without any there are none.
 */
export function abrirVerificadores(arquivo: string): Verificadores {
  const marca = marcaDe(arquivo)
  const seu = guardado?.arquivo === arquivo ? guardado : undefined
  if (seu?.marca === marca) return seu.verificadores
  const verificadores = preparar(arquivo) ?? seu?.verificadores ?? SEM_CATALOGO
  guardado = { arquivo, marca, verificadores }
  return verificadores
}

/** Undefined for a file that cannot be used. */
function preparar(arquivo: string): Verificadores | undefined {
  try {
    const catalogo = lerCatalogo(arquivo)
    const lista = verificacoesDe(catalogo)
    const porId = new Map(lista.map((verificacao) => [verificacao.id, verificacao]))
    return { porCodigo: catalogo.porCodigo, porId, conferir: prepararVerificacoes(lista) }
  } catch {
    // The server tells what is wrong with the file (`openCatalogo`).
    return undefined
  }
}

type Conhecido = {
  agora: Date
  /** The folder of the tables that the operator installed, if there is one. */
  tabelas: string | undefined
  /** The answer's key. */
  valores: Readonly<Record<string, string | undefined>>
}

/** What the checks may know besides the note. */
export function criarContexto({ agora, tabelas, valores }: Conhecido): Contexto {
  return {
    agora: agora.toISOString(),
    valor: (nome) => valores[nome],
    codigos: tabelasDaPasta(tabelas),
    tabela: () => undefined,
  }
}
