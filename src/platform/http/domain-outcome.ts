import type { Ambito } from '../../documento/uf.ts'
import type { ErrorCode } from '../errors.ts'
import type { SourceFailures } from '../wire/resposta.ts'

/** The days that an account's calls are kept. On PostgreSQL a month leaves when its last day is that old. */
export const DIAS_DO_REGISTRO = 90

/** What one request came to. It names no taxpayer: its documents are masked. */
export type Outcome = SourceFailures & {
  request_id: string
  /** The caller's `traceparent` (W3C Trace Context), if it sent one that keeps its form. */
  traceparent?: string | undefined
  /** The id of the account that asked; undefined for a request without a valid key. */
  conta: string | undefined
  method: string
  /** The path of the route, such as `/api/consultar`; `(desconhecida)` where the service has no such path. */
  endpoint: string
  /**
   * The document that was asked about, masked: the CNPJ, else CPF, state registration or key of an NF-e.
   * Empty if none.
   */
  document: string
  /** Every document in the query of the URL, masked, by its parameter: `cnpj`, `cpf`, `ie`. */
  sent: Readonly<Record<string, string>>
  /** The state that was asked, or BR; empty if the request named none, or one that does not exist. */
  uf: Ambito | ''
  /** The status of the response; 499 if the client left before it was complete. */
  http: number
  /** The code of the failure that was answered; empty on success. */
  error_code: ErrorCode | ''
  /** What was charged, once all of it is settled. */
  creditos: number
  /** Whether the answer came from the cache. */
  cached: boolean
  /** Milliseconds from the first byte to the end of the response, to a tenth. */
  ms: number
}

/**
 * Takes the outcome of each request, once. It returns at once and never throws: whatever takes time is its
 * own to do later.
 */
export type OutcomeSink = (outcome: Outcome) => void
