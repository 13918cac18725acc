import type { BaseAtiva } from '../cnpj/base/versoes.ts'
import type { Uf } from '../documento/uf.ts'
import type { Cache } from '../platform/cache/cache.ts'
import type { Turnos } from '../platform/jobs/lease.ts'
import type { A1 } from '../platform/wire/certificado.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { Http } from '../platform/wire/http.ts'
import type { CaptchaSolver } from '../portal/captcha.ts'
import type { Consulta } from '../portal/rotas.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'

/** What the lookups in the states need of the service. The Context has all of it. */
export type Recursos = {
  now: () => Date
  config: {
    /** Seconds that a lookup of registrations in one state may take. */
    IE_SECONDS: number
    /** Seconds that a lookup of a certificate in one state may take. */
    CND_SECONDS: number
    SEFAZ_AMBIENTE: 'producao' | 'homologacao'
    AUTHORITIES: 'live' | 'simulator'
  }
  /** The CNPJ base tells what an activity is called. */
  store: { cache: Cache; turnos: Turnos; base: Pick<BaseAtiva, 'current'> }
  sources: {
    http: Http
    guard: Guard
    captcha: CaptchaSolver
    certificado: A1 | undefined
    /** The factor of the sources' pace. */
    pace: number
    /** Whether the national register may be asked where a state cannot be. */
    ccc: boolean
  }
}

/** The means by which a state's routes are asked for a request. */
export function consultaOf(
  recursos: Recursos,
  { uf, request_id, deadlineMs }: { uf: Uf; request_id: string; deadlineMs: number },
): Consulta {
  const { now, config, sources } = recursos
  const { http, captcha, certificado, guard } = sources
  const meios = { http, certificado, captcha, now, ambiente: config.SEFAZ_AMBIENTE, deadlineMs }
  return { uf, meios, guard, request_id }
}

/** The call that a question belongs to. */
export type PorChamada = {
  request_id: string
  /** How old a kept answer may be for this call, in milliseconds, as the cache has it. */
  maxAgeMs?: number | undefined
}

/** The earliest of some instants in ISO 8601 UTC. */
export const oldest = (first: string, ...others: readonly string[]): string =>
  others.reduce((earliest, instant) => (instant < earliest ? instant : earliest), first)

/** The registrations of a document in a state, with notices for the client. */
export type InscricoesAchadas = {
  inscricoes: Inscricao[]
  cached: boolean
  /** The id of the source that answered. */
  fonte: string
  /** The instant of the answer, ISO 8601 UTC; of several, the oldest. */
  consultado_em: string
  avisos: string[]
}
