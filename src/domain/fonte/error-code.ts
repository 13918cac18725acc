/** What Node, OpenSSL, the resolver or a driver call a failure: `ENOENT`, `UNABLE_TO_GET_ISSUER_CERT_LOCALLY`, `28P01`. Empty when it has no name. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code ?? '') : ''
