import { type EntradaCnd, findCertidoesTodos } from '../certidao/lookup.ts'
import type { CnpjBase } from '../cnpj/base/versao.ts'
import { readBase } from '../cnpj/lookup.ts'
import type { Documento } from '../documento/documento.ts'
import { openCcc } from '../inscricao/ccc.ts'
import { type EntradaIe, findInscricoesTodos } from '../inscricao/lookup.ts'
import { type ChamadaTodos, creditosOf } from '../inscricao/todos.ts'
import { ApiError } from '../platform/errors.ts'
import { statusOfFailure } from '../platform/http/problem.ts'
import { OUTAGE_S, quandoRepetir, type RetryS } from '../platform/wire/fonte.ts'
import { success } from '../platform/wire/source-status.ts'
import { type Ausencia, ausenciaNosEstados, tellAusencias } from './rules-perfil.ts'
import type { RuralRoom } from './rural.ts'

/** A company of the monthly base, as the lookup of companies answers it. */
type ReceitaFederal = {
  request_id: string
  cnpj: string
  cached: boolean
  source_status: typeof success
  result: Empresa
}

type Empresa = NonNullable<ReturnType<CnpjBase['find']>>['result']

type EmTodos<E> = {
  request_id: string
  document: string
  document_type: 'cpf' | 'cnpj'
  results: E[]
}

/**
 * The three sections (specification, "Producer profile sections"); null where a source has no data or failed.
 */
export type Perfil = {
  receita_federal: ReceitaFederal | null
  inscricoes_estaduais: EmTodos<EntradaIe> | null
  cnd_estaduais: EmTodos<EntradaCnd> | null
  /** Why a section is null. */
  avisos: string[]
}

/** What may be sent before the profile is whole: the company, or a state's entry of one section. */
export type Parte =
  | ({ secao: 'receita_federal'; uf: '' } & ReceitaFederal)
  | ({ secao: 'inscricoes_estaduais' } & EntradaIe)
  | ({ secao: 'cnd_estaduais' } & EntradaCnd)

type Chamada = Omit<ChamadaTodos<never>, 'emit' | 'ccc'> & { emit: (parte: Parte) => void }

/** A section; without data, why, and its failure if every source of it failed. */
type Secao<T> = { dados: T; falha?: never } | { dados: null; ausencia: Ausencia; falha?: Falha }

type Falha = { retryable: boolean; bug?: unknown }

/** A profile; of one without any section, in how many seconds asking again may bring one. */
type PerfilAchado = { perfil: Perfil; retryS: RetryS }

/**
 * The profile of a producer, its sections asked for at the same time. Throws TODAS_FONTES_FALHARAM if every
 * section that the document has failed, and the bug if that is why all of them did.
 */
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

/** A section without data: failed if no state answered, and worth repeating if one of them may yet. */
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

/**
 * The credits of a piece for a client that left: the registrations of a state count only where there are any,
 * since without one the section would be null.
 */
export function creditosDaParte(parte: Parte): number {
  const isEmpty = parte.secao === 'inscricoes_estaduais' && parte.results.length === 0
  return isEmpty ? 0 : creditosOf([parte])
}
