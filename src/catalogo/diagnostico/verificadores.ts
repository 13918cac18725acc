import { statSync } from 'node:fs'
import type { Achado } from '../../domain/rejeicoes/laudo.ts'
import type { No } from '../../domain/rejeicoes/no.ts'
import type { Rejeicao } from '../../domain/rejeicoes/rejeicao.ts'
import type { Contexto } from '../../domain/verificacoes/cena.ts'
import type { VerificacaoComCodigo } from '../../domain/verificacoes/preparar.ts'
import { prepararVerificacoes } from '../../domain/verificacoes/verificar.ts'
import { lerCatalogo } from '../ler.ts'
import { consultarTabela } from '../tabelas.ts'

/** The checks and the entries of one catalogue. */
export type Verificadores = {
  porCodigo: ReadonlyMap<number, Rejeicao>
  porId: ReadonlyMap<string, VerificacaoComCodigo>
  conferir: (nota: No, contexto: Contexto) => Achado[]
}

const SEM_CATALOGO: Verificadores = { porCodigo: new Map(), porId: new Map(), conferir: () => [] }

let guardado: { arquivo: string; marca: string; verificadores: Verificadores } | undefined

/**
 * The checks of a catalogue's file, compiled again when the file changes. One that breaks leaves the last good
 * checks, as `openCatalogo` does; there are none while no good file was seen.
 */
export function abrirVerificadores(arquivo: string): Verificadores {
  const visto = statSync(arquivo, { throwIfNoEntry: false })
  const marca = `${visto?.mtimeMs} ${visto?.size} ${visto?.ino}`
  const known = guardado?.arquivo === arquivo ? guardado : undefined
  if (known?.marca === marca) return known.verificadores
  const verificadores = preparar(arquivo) ?? known?.verificadores ?? SEM_CATALOGO
  guardado = { arquivo, marca, verificadores }
  return verificadores
}

function preparar(arquivo: string): Verificadores | undefined {
  try {
    const { porCodigo, rejeicoes } = lerCatalogo(arquivo)
    const lista = rejeicoes.flatMap(({ codigo, verificacoes_analiticas }) =>
      verificacoes_analiticas.map((verificacao) => ({ ...verificacao, codigo })),
    )
    const porId = new Map(lista.map((verificacao) => [verificacao.id, verificacao]))
    return { porCodigo, porId, conferir: prepararVerificacoes(lista) }
  } catch {
    // The server tells what is wrong with the file (`openCatalogo`).
    return undefined
  }
}

/** What the checks may know besides the note: the tables that come with the service, and the answer's key. */
export function criarContexto(agora: Date, valores: Readonly<Record<string, string | undefined>>): Contexto {
  return {
    agora: agora.toISOString(),
    valor: (nome) => valores[nome],
    tabela: consultarTabela,
  }
}
