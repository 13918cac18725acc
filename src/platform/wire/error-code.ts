/**
 * The name that Node, OpenSSL, the resolver or a driver gives a failure: `ENOENT`,
 * `UNABLE_TO_GET_ISSUER_CERT_LOCALLY`, `28P01`. Empty if it has none.
 */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code ?? '') : ''
