import { type ErrorCode, type SourceCode, sourceCodes } from '../errors.ts'
import type { RetryS } from './fonte.ts'

export type SourceStatus = {
  status: (typeof sourceStatuses)[number]
  error_code: CodigoDoStatus | ''
  error_message: string
  retryable: boolean
}

export const sourceStatuses = ['success', 'error', 'timeout'] as const

/** The codes of the failures that it may tell: those of HTTP errors, then those that it alone has. */
export const codigosDoStatus = [
  'SITE_INDISPONIVEL',
  'PROCESSAMENTO_FALHOU',
  'DOCUMENTO_INVALIDO',
  'ERRO_INTERNO',
  'BANCO_INDISPONIVEL',
  'EM_PROCESSAMENTO',
  'PROVIDER_ERROR',
  'CNPJ_INVALIDO',
  'CPF_INVALIDO',
  'SIGEF_DISABLED',
  'SIGEF_NO_SESSION',
  'SIGEF_HTTP_ERROR',
  'SIGEF_NETWORK_ERROR',
  'SIGEF_PARSE_FAILED',
] as const satisfies (ErrorCode | SourceCode)[]

export type CodigoDoStatus = (typeof codigosDoStatus)[number]

/** Whether the service cannot ask the source as it stands, for want of a certificate, a captcha or a page. */
export const isOutOfReach = (status: { error_code: string; retryable: boolean }): boolean =>
  status.error_code === 'SITE_INDISPONIVEL' && !status.retryable

export const success: SourceStatus = {
  status: 'success',
  error_code: '',
  error_message: '',
  retryable: false,
}

/** Told in `source_status` with HTTP 200, by a code that no HTTP error has. */
export class SourceStatusError extends Error {
  override readonly name = 'SourceStatusError'
  readonly code: SourceCode
  readonly retryS: RetryS

  constructor(code: SourceCode, message: string, { retryS }: { retryS?: RetryS } = {}) {
    super(message)
    this.code = code
    this.retryS = retryS === undefined ? sourceCodes[code].retryS : retryS
  }
}

/** A body, and the objects in it. */
export function sectionsOf(body: object): readonly object[] {
  const sections = [body]
  for (const name in body) {
    const part: unknown = Reflect.get(body, name)
    if (typeof part === 'object' && part !== null) sections.push(part)
  }
  return sections
}

const nothing: readonly unknown[] = []

export const resultsOf = (section: object): readonly unknown[] =>
  'results' in section && Array.isArray(section.results) ? section.results : nothing

export type SourceFailures = { source_failures: number; source_code: CodigoDoStatus | '' }

/** What a body tells of its sources. `silence` is why none of them answered; empty where one did. */
export type SourcesTold = SourceFailures & { silence: CodigoDoStatus | '' }

export const noFailures: SourcesTold = { source_failures: 0, source_code: '', silence: '' }

/**
 * Reads them off a body: of itself, of its sections, and of the states in `results`. A source that cannot be
 * asked has not failed.
 */
export function sourceFailuresIn(body: object): SourcesTold {
  let isAnswered = false
  let first: CodigoDoStatus | '' | undefined
  let failures: SourceFailures = noFailures
  const note = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || !('source_status' in part)) return
    const { status = 'success', error_code, retryable } = Object(part.source_status)
    if (status === 'success') {
      isAnswered = true
      return
    }
    const code = codigosDoStatus.find((one) => one === error_code) ?? ''
    first ??= code
    if (isOutOfReach({ error_code, retryable })) return
    const { source_failures, source_code } = failures
    failures = {
      source_failures: source_failures + 1,
      source_code: source_failures === 0 ? code : source_code,
    }
  }
  for (const section of sectionsOf(body)) {
    note(section)
    resultsOf(section).forEach(note)
  }
  const { source_failures, source_code } = failures
  return { source_failures, source_code, silence: isAnswered ? '' : source_code || (first ?? '') }
}
