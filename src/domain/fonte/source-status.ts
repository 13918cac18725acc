/** How the question to a source ended. Specification, "Conventions common to the lookup endpoints". */
export type SourceStatus = {
  status: string
  error_code: string
  error_message: string
  /** Whether repeating the question later may help. */
  retryable: boolean
}

/** The status of a source that answered. */
export const success: SourceStatus = {
  status: 'success',
  error_code: '',
  error_message: '',
  retryable: false,
}
