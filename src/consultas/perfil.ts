import type { CnpjBase } from '../base-cnpj/versoes/versao.ts'
import type { Documento } from '../domain/documento/documento.ts'
import { ApiError } from '../domain/errors.ts'
import { OUTAGE_S, quandoRepetir } from '../domain/fonte/repetir.ts'
import { success } from '../domain/fonte/source-status.ts'
import { openCcc } from './ccc.ts'
import { type EntradaCnd, findCertidoesTodos, type RecursosCndTodos } from './certidao-todos.ts'
import { readBase } from './cnpj.ts'
import { type EntradaIe, findInscricoesTodos, type RecursosIeTodos } from './inscricao-todos.ts'
import { statusOfFailure } from './source-failure.ts'
import { type ChamadaTodos, creditosOf } from './todos.ts'

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
}

/** What may be sent before the profile is whole: the company, or a state's entry of one section. */
export type Parte =
  | ({ secao: 'receita_federal'; uf: '' } & ReceitaFederal)
  | ({ secao: 'inscricoes_estaduais' } & EntradaIe)
  | ({ secao: 'cnd_estaduais' } & EntradaCnd)

type Chamada = Omit<ChamadaTodos<never>, 'emit' | 'ccc'> & { emit: (parte: Parte) => void }

type RecursosPerfil = RecursosIeTodos & RecursosCndTodos

/** A section, and its failure where it has no data because every source of it failed. */
type Secao<T> = { dados: T | null; falha?: Falha }

type Falha = { retryable: boolean; bug?: unknown }

/**
 * The profile of a producer, its sections asked for at the same time. Throws TODAS_FONTES_FALHARAM if every
 * section that the document has failed, and the bug if that is why all of them did.
 */
export async function findPerfil(recursos: RecursosPerfil, asked: Documento, call: Chamada): Promise<Perfil> {
  const { request_id, emit, leaving } = call
  const ccc = openCcc(recursos, asked, call)
  const inTodos = { request_id, document: asked.documento, document_type: asked.tipo }

  const receitaFederal = async (): Promise<Secao<ReceitaFederal>> => {
    const found = readBase(recursos).find(asked.documento)
    if (!found) return { dados: null }
    const { result } = found
    const dados = { request_id, cnpj: asked.documento, cached: false, source_status: success, result }
    emit({ secao: 'receita_federal', uf: '', ...dados })
    return { dados }
  }
  const inscricoes = async (): Promise<Secao<EmTodos<EntradaIe>>> => {
    const { results } = await findInscricoesTodos(recursos, asked, {
      ...call,
      ccc,
      emit: (entry) => emit({ secao: 'inscricoes_estaduais', ...entry }),
    })
    if (results.some((entry) => entry.results.length > 0)) return { dados: { ...inTodos, results } }
    return nothingOf(results)
  }
  const certidoes = async (): Promise<Secao<EmTodos<EntradaCnd>>> => {
    const results = await findCertidoesTodos(recursos, asked, {
      ...call,
      ccc,
      emit: (entry) => emit({ secao: 'cnd_estaduais', ...entry }),
    })
    return creditosOf(results) > 0 ? { dados: { ...inTodos, results } } : nothingOf(results)
  }

  /** A section that fails, even by a bug, costs the profile that section alone. */
  const section = async <T>(ask: () => Promise<Secao<T>>): Promise<Secao<T>> => {
    try {
      return await ask()
    } catch (error) {
      leaving().throwIfAborted()
      const known = statusOfFailure(error)
      if (known) return { dados: null, falha: known }
      recursos.log.error({ err: error, request_id }, 'unexpected failure in a section of the profile')
      return { dados: null, falha: { retryable: true, bug: error } }
    }
  }
  const [rf, ie, cnd] = await Promise.all([
    asked.tipo === 'cnpj' ? section(receitaFederal) : undefined,
    section(inscricoes),
    section(certidoes),
  ])
  refuseIfAllFailed([rf, ie, cnd].flatMap((each) => (each ? [each.falha] : [])))
  return {
    receita_federal: rf?.dados ?? null,
    inscricoes_estaduais: ie.dados,
    cnd_estaduais: cnd.dados,
  }
}

/** A section without data: failed if no state answered, and worth repeating if one of them may yet. */
const nothingOf = (entries: readonly (EntradaIe | EntradaCnd)[]): Secao<never> =>
  creditosOf(entries) > 0
    ? { dados: null }
    : { dados: null, falha: { retryable: entries.some(({ source_status }) => source_status.retryable) } }

function refuseIfAllFailed(falhas: readonly (Falha | undefined)[]): void {
  const known = falhas.filter((falha) => falha !== undefined)
  if (known.length < falhas.length) return
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
