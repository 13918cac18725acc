import type { Documento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { estadoOf } from '../estados/estado.ts'
import { fonteCcc } from '../inscricao/source-ccc.ts'
import { ApiError } from '../platform/errors.ts'
import { RotaNaoAtende, SourceError, type SourceErrorKind } from '../platform/wire/fonte.ts'
import { UNANSWERED, VENCIDO } from '../portal/captcha.ts'
import type { Estado, PerguntaCnd, Rota, RotaCnd } from '../portal/estado.ts'
import type { Servico } from '../portal/fonte.ts'
import { askRotas, type Consulta } from '../portal/rotas.ts'
import type { Certidao } from '../portal/rules-certidao.ts'
import { type Inscricao, type InscricaoParcial, isAtiva } from '../portal/rules-inscricao.ts'

/** A CNPJ that the simulator knows in SP, whose web service can be asked without a captcha. */
const EXEMPLO: Documento = { tipo: 'cnpj', documento: estadoOf('SP').exemplo }

/** States whose own answer is compared with the register's. */
const COMPARADOS = 3

type ProvaDoCcc = {
  documento: Documento | undefined
  /** Whether the simulator is asked. It has to know its example. */
  simulado: boolean
  ask: (cnpj: string) => Promise<InscricaoParcial[]>
  consulta: (uf: Uf) => Consulta
}

/** Compares the national register's answer about a CNPJ with the states' own, to see how fresh it is. */
export async function verifyCcc({
  documento,
  simulado,
  ask,
  consulta,
}: ProvaDoCcc): Promise<VerificacaoDeFonte> {
  const { familia, source } = fonteCcc
  const place = {
    uf: 'BR',
    servico: 'ie',
    ordem: 1,
    fonte: source.id,
    rota: familia,
    rotulos_novos: [],
  } as const
  const { tipo, documento: cnpj } = documento ?? EXEMPLO
  if (tipo !== 'cnpj')
    return { ...place, resultado: 'nao-consultada', detalhe: 'só é consultado por CNPJ', ms: null }
  const mustKnow = simulado && documento === undefined
  const started = performance.now()
  try {
    const found = await ask(cnpj)
    const ms = Math.round(performance.now() - started)
    if (found.length > 0)
      return { ...place, resultado: 'respondeu', detalhe: await describe(found, cnpj, consulta), ms }
    const detalhe = 'nenhuma inscrição: para comparar, use --cnpj com um CNPJ de que conhece as inscrições'
    return { ...place, resultado: mustKnow ? 'resposta-inesperada' : 'respondeu', detalhe, ms }
  } catch (error) {
    return { ...place, ...resultadoOf(error, mustKnow), ms: Math.round(performance.now() - started) }
  }
}

async function describe(
  found: readonly InscricaoParcial[],
  cnpj: string,
  consulta: ProvaDoCcc['consulta'],
): Promise<string> {
  const shown = Map.groupBy(found, ({ uf_ie }) => uf_ie)
  const comparisons: string[] = []
  for (const [uf, inscricoes] of shown) {
    if (comparisons.length === COMPARADOS) break
    const own = await askRotas(estadoOf(uf).ie, { tipo: 'cnpj', documento: cnpj }, consulta(uf)).catch(
      () => undefined,
    )
    if (own) comparisons.push(`${uf} ${compare(inscricoes, own.resposta)}`)
  }
  const many = found.length === 1 ? '1 inscrição' : `${found.length} inscrições`
  const against = comparisons.length > 0 ? comparisons.join('; ') : 'nenhum estado respondeu para comparar'
  return `${many} em ${[...shown.keys()].join(', ')}; ${against}`
}

/** The register knows only enabled and not enabled. A state has several words for not enabled. */
function compare(inscricoes: readonly InscricaoParcial[], own: readonly Inscricao[]): string {
  const bare = ({ inscricao_estadual }: Inscricao): string => inscricao_estadual.replace(/^0+/, '')
  const differs = inscricoes.find((one) => {
    const same = own.find((other) => bare(other) === bare(one))
    return !same || isAtiva(same) !== isAtiva(one)
  })
  if (!differs) return 'confere com o estado'
  const same = own.find((other) => bare(other) === bare(differs))
  return `difere do estado (CCC ${differs.situacao_ie}, estado ${same ? same.situacao_ie : 'sem esta inscrição'})`
}

export type Prova = {
  servicos: readonly Servico[]
  /** Replaces each state's example. */
  documento: Documento | undefined
  simulado: boolean
  consulta: (uf: Uf, servico: Servico) => Consulta
  /** The unknown labels in the last answer of a source (its id). */
  rotulosDe: (fonte: string) => readonly string[]
}

/** A route's answer in Portuguese, and whether it is right for the simulator's example. */
type Resposta = { detalhe: string; exemplar: boolean }

type Passo = {
  place: Pick<VerificacaoDeFonte, 'uf' | 'servico' | 'ordem'>
  rota: Rota
  documento: Documento
  ask: (documento: Documento) => Promise<Resposta>
}

export async function verifyEstado(estado: Estado, prova: Prova): Promise<VerificacaoDeFonte[]> {
  const { uf, exemplo, ie, cnd } = estado
  const documento = prova.documento ?? { tipo: 'cnpj' as const, documento: exemplo }
  const mustKnow = prova.simulado && prova.documento === undefined
  const consulta = prova.consulta(uf, 'ie')
  const found: Inscricao[][] = []
  const verificacoes: VerificacaoDeFonte[] = []
  for (const [index, rota] of prova.servicos.includes('ie') ? ie.entries() : []) {
    const ask = async (about: Documento): Promise<Resposta> => {
      const { resposta: inscricoes } = await askRotas([rota], about, consulta)
      found.push(inscricoes)
      return describeInscricoes(inscricoes)
    }
    const place = { uf, servico: 'ie' as const, ordem: index + 1 }
    verificacoes.push(await verifyRota({ place, rota, documento, ask }, mustKnow, prova.rotulosDe))
  }
  if (!prova.servicos.includes('cnd')) return verificacoes
  const certify = async (rota: RotaCnd, about: Documento): Promise<Resposta> => {
    // A certificate is asked for with the registrations, if they can be had.
    const inscricoes = found[0] ?? (await askRotas(ie, about, consulta).catch(() => undefined))?.resposta
    const pergunta: PerguntaCnd = { ...about, inscricoes }
    return describeCertidao((await askRotas([rota], pergunta, prova.consulta(uf, 'cnd'))).resposta)
  }
  for (const [index, rota] of cnd.entries()) {
    const place = { uf, servico: 'cnd' as const, ordem: index + 1 }
    const ask = (about: Documento): Promise<Resposta> => certify(rota, about)
    verificacoes.push(await verifyRota({ place, rota, documento, ask }, mustKnow, prova.rotulosDe))
  }
  return verificacoes
}

async function verifyRota(
  { place, rota, documento, ask }: Passo,
  mustKnow: boolean,
  rotulosDe: Prova['rotulosDe'],
): Promise<VerificacaoDeFonte> {
  const identity = { ...place, fonte: rota.source.id, rota: rota.familia }
  const started = performance.now()
  const outcome = await ask(documento).then(
    ({ detalhe, exemplar }) =>
      mustKnow && !exemplar
        ? { resultado: 'resposta-inesperada' as const, detalhe: `do exemplo: ${detalhe}` }
        : { resultado: 'respondeu' as const, detalhe },
    (error) => resultadoOf(error, mustKnow),
  )
  const ms = outcome.resultado === 'nao-consultada' ? null : Math.round(performance.now() - started)
  return { ...identity, ...outcome, rotulos_novos: rotulosDe(rota.source.id), ms }
}

function describeInscricoes({ length }: readonly Inscricao[]): Resposta {
  const detalhe = length === 0 ? 'nenhuma inscrição' : length === 1 ? '1 inscrição' : `${length} inscrições`
  return { detalhe, exemplar: length > 0 }
}

const describeCertidao = ({ status, status_raw, validade }: Certidao): Resposta => ({
  detalhe: `certidão ${status}${validade && ` até ${validade}`}${status === 'negativa' ? '' : `: ${status_raw}`}`,
  exemplar: status === 'negativa',
})

export type Veredito =
  | 'respondeu'
  /** The simulator gave another answer for its example than it should. */
  | 'resposta-inesperada'
  | 'mudou-de-layout'
  | 'bloqueada'
  | 'fora-do-ar'
  | 'nao-consultada'
  | 'erro-interno'

/** One verified route. `detalhe` is Portuguese; `ms` is null if it was not asked. */
export type VerificacaoDeFonte = {
  uf: string
  servico: Servico
  ordem: number
  fonte: string
  rota: string
  resultado: Veredito
  detalhe: string
  rotulos_novos: readonly string[]
  ms: number | null
}

/** Whether a route that could be asked failed. */
export const isFailure = ({ resultado }: VerificacaoDeFonte): boolean =>
  resultado !== 'respondeu' && resultado !== 'nao-consultada'

/**
 * A closed source and a failed captcha webhook say nothing of the route. `mustKnow`: it must know the
 * document.
 */
function resultadoOf(error: unknown, mustKnow: boolean): Pick<VerificacaoDeFonte, 'resultado' | 'detalhe'> {
  const detalhe = error instanceof Error ? error.message : String(error)
  if (error instanceof RotaNaoAtende)
    return { resultado: doSolucionador.has(error.codigo) ? 'bloqueada' : 'nao-consultada', detalhe }
  if (error instanceof ApiError) return { resultado: mustKnow ? 'resposta-inesperada' : 'respondeu', detalhe }
  if (!(error instanceof SourceError)) return { resultado: 'erro-interno', detalhe }
  const { kind, codigo, status } = error
  if (codigo === 'fechado') return { resultado: 'nao-consultada', detalhe }
  const code = codigo ?? (status === undefined ? '' : `HTTP ${status}`)
  return {
    resultado: kinds[kind],
    detalhe: code && !detalhe.includes(code) ? `${detalhe} (${code})` : detalhe,
  }
}

const kinds: Record<SourceErrorKind, Veredito> = {
  parse: 'mudou-de-layout',
  blocked: 'bloqueada',
  network: 'fora-do-ar',
  http: 'fora-do-ar',
  timeout: 'fora-do-ar',
}

/** Failures that the operator's captcha webhook causes. */
const doSolucionador: ReadonlySet<string | undefined> = new Set([UNANSWERED, VENCIDO])
