import type { ErrorCode } from '../errors.ts'

/** How the question to a source ended. Specification, "Conventions common to the lookup endpoints". */
export type SourceStatus = {
  status: (typeof sourceStatuses)[number]
  error_code: CodigoDoStatus | ''
  error_message: string
  /** Whether repeating the question later may help. */
  retryable: boolean
}

export const sourceStatuses = ['success', 'error', 'timeout'] as const

/** The codes of the failures that it may tell. */
export const codigosDoStatus = [
  'SITE_INDISPONIVEL',
  'PROCESSAMENTO_FALHOU',
  'DOCUMENTO_INVALIDO',
  'ERRO_INTERNO',
] as const satisfies ErrorCode[]

export type CodigoDoStatus = (typeof codigosDoStatus)[number]

/** The status of a source that answered. */
export const success: SourceStatus = {
  status: 'success',
  error_code: '',
  error_message: '',
  retryable: false,
}
