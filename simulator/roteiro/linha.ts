/** One thing to try with the service, and what comes of it. */
export type Linha = {
  /** Path of the endpoint, asked with GET. */
  endpoint: string
  parametros: Record<string, string>
  espera: {
    http: number
    /** The error's code, where there is one. */
    error_code?: string
    /** `status` of the source or of the result, on endpoints that answer failures with HTTP 200. */
    status?: string
  }
  /** In Portuguese, for whoever reads the list. */
  nota: string
}

/** A row: what is asked, the HTTP status that comes back, the note, and the error's code where there is one. */
export function linha(
  endpoint: string,
  parametros: Record<string, string>,
  http: number,
  nota: string,
  error_code?: string,
): Linha {
  return { endpoint, parametros, espera: { http, ...(error_code ? { error_code } : {}) }, nota }
}
