import { type EntradaCnd, findCertidoesTodos } from '../certidao/lookup.ts'
import type { CnpjBase } from '../cnpj/base/versao.ts'
import { readBase } from '../cnpj/lookup.ts'
import type { Documento } from '../documento/documento.ts'
import { openCcc } from '../inscricao/ccc.ts'
import { type ChamadaTodos, creditosOf, type EntradaIe, findInscricoesTodos } from '../inscricao/lookup.ts'
import { ApiError } from '../platform/errors.ts'
import { statusOfFailure } from '../platform/http/problem.ts'
import { OUTAGE_S, quandoRepetir, type RetryS } from '../platform/wire/fonte.ts'
import { type SourceStatus, success } from '../platform/wire/source-status.ts'
import type { RuralRoom } from './rural.ts'

export type Ausencia = { aviso: string; falhou: boolean; retryable: boolean }

type Entrada = { uf: string; source_status: SourceStatus }

export function ausenciaNosEstados(secao: string, entradas: readonly Entrada[]): Ausencia {
  const answered = entradas.filter(({ source_status }) => source_status.status === 'success')
  const failed = entradas.filter(({ source_status }) => isFalha(source_status))
  const what =
    answered.length === 0
      ? 'nenhum estado respondeu'
      : `nenhuma inscrição nos estados que responderam (${answered.length} de ${entradas.length})`
  const fora = entradas.filter((one) => !answered.includes(one) && !failed.includes(one))
  const named = (titulo: string, some: readonly Entrada[]): string =>
    some.length > 0 ? ` ${titulo}: ${some.map(({ uf }) => uf).join(', ')}.` : ''
  return {
    aviso: `${secao}: ${what}.${named('Falharam desta vez', failed)}${named('Não consultáveis', fora)}`,
    falhou: failed.length > 0,
    retryable: failed.some(({ source_status }) => source_status.retryable),
  }
}

/** Whether a state failed, and not only never answers about such a document. */
const isFalha = ({ status, error_code, retryable }: SourceStatus): boolean =>
  status !== 'success' &&
  (retryable || !(error_code === 'SITE_INDISPONIVEL' || error_code === 'DOCUMENTO_INVALIDO'))

/** Where no section has data, the first notice tells whether nothing is known or sources failed. */
export function tellAusencias(
  ausencias: readonly Ausencia[],
  secoes: number,
): { avisos: string[]; retryS: RetryS } {
  const avisos = ausencias.map(({ aviso }) => aviso)
  if (ausencias.length < secoes) return { avisos, retryS: null }
  const retryS = ausencias.some(({ retryable }) => retryable) ? OUTAGE_S : null
  const first = ausencias.some(({ falhou }) => falhou)
    ? `${INCOMPLETO} ${quandoRepetir(retryS)}`.trimEnd()
    : NADA_CONSTA
  return { avisos: [first, ...avisos], retryS }
}

const NADA_CONSTA =
  'Todas as seções vieram null porque nenhuma fonte que atende a este documento tem dados dele.'
const INCOMPLETO =
  'Todas as seções vieram null, mas há fontes que falharam: isto não quer dizer que nada conste deste documento.'

type ReceitaFederal = {
  request_id: string
  cnpj: string
  cached: boolean
  source_status: typeof success
  result: Empresa
}

type Empresa = NonNullable<ReturnType<CnpjBase['find']>>['result']

type EmTodos<E> = { request_id: string; document: string; document_type: 'cpf' | 'cnpj'; results: E[] }

/** Specification, "Producer profile sections". A section is null without data. */
export type Perfil = {
  receita_federal: ReceitaFederal | null
  inscricoes_estaduais: EmTodos<EntradaIe> | null
  cnd_estaduais: EmTodos<EntradaCnd> | null
  avisos: string[]
}

export type Parte =
  | ({ secao: 'receita_federal'; uf: '' } & ReceitaFederal)
  | ({ secao: 'inscricoes_estaduais' } & EntradaIe)
  | ({ secao: 'cnd_estaduais' } & EntradaCnd)

type Chamada = Omit<ChamadaTodos<never>, 'emit' | 'ccc'> & { emit: (parte: Parte) => void }

type Secao<T> = { dados: T; falha?: never } | { dados: null; ausencia: Ausencia; falha?: Falha }

type Falha = { retryable: boolean; bug?: unknown }

type PerfilAchado = { perfil: Perfil; retryS: RetryS }

/** Throws TODAS_FONTES_FALHARAM if every section of the document failed, or the bug if that is why. */
export async function findPerfil(room: RuralRoom, asked: Documento, call: Chamada): Promise<PerfilAchado> {
  const { request_id, emit, leaving } = call
  const ccc = openCcc(room, asked, call)
  const inTodos = { request_id, document: asked.documento, document_type: asked.tipo }

  const receitaFederal = async (): Promise<Secao<ReceitaFederal>> => {
    const found = readBase(room).find(asked.documento)
    if (!found) return { dados: null, ausencia: SEM_EMPRESA }
    const { result } = found
    const dados = { request_id, cnpj: asked.documento, cached: false, source_status: success, result }
    emit({ secao: 'receita_federal', uf: '', ...dados })
    return { dados }
  }
  const inscricoes = async (): Promise<Secao<EmTodos<EntradaIe>>> => {
    const { results } = await findInscricoesTodos(room, asked, {
      ...call,
      ccc,
      emit: (entry) => emit({ secao: 'inscricoes_estaduais', ...entry }),
    })
    if (results.some((entry) => entry.results.length > 0)) return { dados: { ...inTodos, results } }
    return nothingOf('inscricoes_estaduais', results)
  }
  const certidoes = async (): Promise<Secao<EmTodos<EntradaCnd>>> => {
    const results = await findCertidoesTodos(room, asked, {
      ...call,
      ccc,
      emit: (entry) => emit({ secao: 'cnd_estaduais', ...entry }),
    })
    return creditosOf(results) > 0 ? { dados: { ...inTodos, results } } : nothingOf('cnd_estaduais', results)
  }

  /** A section that fails, even by a bug, costs the profile that section alone. */
  const section = async <T>(nome: keyof Perfil, ask: () => Promise<Secao<T>>): Promise<Secao<T>> => {
    try {
      return await ask()
    } catch (error) {
      leaving().throwIfAborted()
      const falha: Falha = statusOfFailure(error) ?? { retryable: true, bug: error }
      if ('bug' in falha)
        room.log.error({ err: error, request_id }, 'unexpected failure in a section of the profile')
      const ausencia = {
        aviso: `${nome}: não pôde ser consultada.`,
        falhou: true,
        retryable: falha.retryable,
      }
      return { dados: null, ausencia, falha }
    }
  }
  const [rf, ie, cnd] = await Promise.all([
    asked.tipo === 'cnpj' ? section('receita_federal', receitaFederal) : undefined,
    section('inscricoes_estaduais', inscricoes),
    section('cnd_estaduais', certidoes),
  ])
  const secoes = [rf, ie, cnd].filter((secao) => secao !== undefined)
  refuseIfAllFailed(secoes)
  const ausencias = secoes.flatMap((secao) => ('ausencia' in secao ? [secao.ausencia] : []))
  const { avisos, retryS } = tellAusencias(ausencias, secoes.length)
  const dados = {
    receita_federal: rf?.dados ?? null,
    inscricoes_estaduais: ie.dados,
    cnd_estaduais: cnd.dados,
  }
  return { perfil: { ...dados, avisos }, retryS }
}

const SEM_EMPRESA: Ausencia = {
  aviso: 'receita_federal: a base do mês não tem este CNPJ.',
  falhou: false,
  retryable: false,
}

function nothingOf(nome: keyof Perfil, entries: readonly (EntradaIe | EntradaCnd)[]): Secao<never> {
  const nothing = { dados: null, ausencia: ausenciaNosEstados(nome, entries) }
  if (creditosOf(entries) > 0) return nothing
  return { ...nothing, falha: { retryable: entries.some(({ source_status }) => source_status.retryable) } }
}

function refuseIfAllFailed(secoes: readonly Secao<unknown>[]): void {
  const known = secoes.flatMap(({ falha }) => (falha ? [falha] : []))
  if (known.length < secoes.length) return
  if (known.every(({ bug }) => bug !== undefined)) throw known[0]?.bug
  const retryS = known.some(({ retryable }) => retryable) ? OUTAGE_S : null
  const message = `Nenhuma das fontes do perfil respondeu. ${quandoRepetir(retryS)}`.trimEnd()
  throw new ApiError('TODAS_FONTES_FALHARAM', `${message} Nada foi cobrado.`, { retryS })
}

/** The credits of a profile: the sum of its sections, of which a null one costs nothing. */
export const creditosDoPerfil = ({ receita_federal, inscricoes_estaduais, cnd_estaduais }: Perfil): number =>
  (receita_federal ? 1 : 0) +
  creditosOf(inscricoes_estaduais?.results ?? []) +
  creditosOf(cnd_estaduais?.results ?? [])

/** For a client that left. A state without a registration costs nothing: the section would be null. */
export function creditosDaParte(parte: Parte): number {
  const isEmpty = parte.secao === 'inscricoes_estaduais' && parte.results.length === 0
  return isEmpty ? 0 : creditosOf([parte])
}
