import type { Achado, ResultadoDaVerificacao } from '../rejeicoes/laudo.ts'
import type { No } from '../rejeicoes/no.ts'
import { criarCaminhos, type Leitor } from './caminho.ts'
import { type Cena, type Contexto, criarCena } from './cena.ts'
import type { Ponto } from './ponto.ts'
import { type Preparada, prepararVerificacao, type VerificacaoComCodigo } from './preparar.ts'
import { type Regencia, vigorEm } from './vigencia.ts'

/** How many places of one check are told. The others are counted. */
const CONTADOS = 50

/** The checks of one place of the note, as `det`. */
type Grupo = { pontos: Leitor['pontos']; preparadas: Preparada[] }

/** What a check found so far in one run. */
type Conta = {
  preparada: Preparada
  /** Why nobody can tell whether the rule is in force; empty where it is. */
  semDecisao: string
  ok: number
  falhas: Ponto[]
  duvidas: Ponto[]
  omitidas: number
}

/** Runs the checks on a note, `infNFe` or what holds it; only those that `quais` takes, if it is given. */
export type Conferir = (
  raiz: No,
  contexto: Contexto,
  quais?: (verificacao: VerificacaoComCodigo) => boolean,
) => Achado[]

/**
 * Compiles checks, and throws an Error if one cannot be. What it gives runs them in the order of `lista`, and
 * throws if there is no note.
 */
export function prepararVerificacoes(lista: readonly VerificacaoComCodigo[]): Conferir {
  const caminhos = criarCaminhos()
  const preparadas = lista.map((verificacao) => prepararVerificacao(verificacao, caminhos))
  const modelo = caminhos.ler('ide/mod')
  const grupos = new Map<string, Grupo>()
  for (const preparada of preparadas) {
    const escopo = preparada.verificacao.escopo ?? ''
    const grupo = grupos.get(escopo) ?? { pontos: caminhos.ler(escopo).pontos, preparadas: [] }
    grupo.preparadas.push(preparada)
    grupos.set(escopo, grupo)
  }
  return (raiz, contexto, quais = () => true) => {
    const cena = criarCena(raiz, contexto)
    const mod = modelo.primeiro(cena.infNFe, cena)
    const contas = new Map<Preparada, Conta>()
    for (const grupo of grupos.values()) {
      const vigentes = grupo.preparadas.flatMap((preparada) =>
        quais(preparada.verificacao) ? (abrirConta(preparada, mod, cena.regencia) ?? []) : [],
      )
      rodarGrupo(vigentes, grupo.pontos(cena.infNFe, cena), cena)
      for (const conta of vigentes) contas.set(conta.preparada, conta)
    }
    return preparadas.flatMap((preparada) =>
      quais(preparada.verificacao) ? resumir(preparada, contas.get(preparada), cena) : [],
    )
  }
}

/** Undefined where the rule is not for this model, or not in force. */
function abrirConta(preparada: Preparada, mod: string, regencia: Regencia): Conta | undefined {
  const { modelos, vigencia } = preparada.verificacao
  if (modelos && !modelos.some((modelo) => modelo === mod)) return undefined
  const vigor = vigorEm(vigencia, regencia)
  if (vigor === false) return undefined
  return { preparada, semDecisao: vigor === true ? '' : vigor, ok: 0, falhas: [], duvidas: [], omitidas: 0 }
}

/** Place by place, so that what one check read serves the next. */
function rodarGrupo(contas: readonly Conta[], pontos: readonly Ponto[], cena: Cena): void {
  for (const ponto of pontos) for (const conta of contas) conferir(conta, ponto, cena)
}

function conferir(conta: Conta, ponto: Ponto, cena: Cena): void {
  const cabe = conta.preparada.cabe(ponto, cena)
  if (cabe === false) return
  const vale = conta.preparada.regra(ponto, cena)
  if (vale) conta.ok++
  else if (vale === false && cabe) guardar(conta, conta.falhas, ponto)
  else if (conta.falhas.length === 0) guardar(conta, conta.duvidas, ponto)
}

function guardar(conta: Conta, lista: Ponto[], ponto: Ponto): void {
  if (lista === conta.falhas && lista.length === 0) conta.omitidas = 0
  if (lista.length < CONTADOS) lista.push(ponto)
  else conta.omitidas++
}

function resumir({ verificacao, falha, duvida }: Preparada, conta: Conta | undefined, cena: Cena): Achado {
  const { ok = 0, falhas = [], duvidas = [], omitidas = 0, semDecisao = '' } = conta ?? {}
  const { id, codigo, titulo, aplicacao = 'obrigatoria' } = verificacao
  const achado = (resultado: ResultadoDaVerificacao, ocorrencias: Achado['ocorrencias']): Achado => ({
    id,
    codigo,
    titulo,
    aplicacao,
    resultado,
    ocorrencias,
    omitidas,
  })
  if (falhas.length > 0) {
    const ocorrencias = falhas.map((ponto) => falha(ponto, cena))
    if (!semDecisao) return achado('falha', ocorrencias)
    return achado(
      'indeterminado',
      ocorrencias.map((uma) => ({ ...uma, mensagem: `${uma.mensagem} ${semDecisao}` })),
    )
  }
  if (duvidas.length > 0)
    return achado(
      'indeterminado',
      duvidas.map((ponto) => duvida(ponto, cena)),
    )
  return achado(ok > 0 ? 'ok' : 'nao_aplicavel', [])
}
