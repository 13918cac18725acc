import type { Authorities, Reply } from './simulator-authority.ts'

export const SIGEF = 'sigef.incra.gov.br'
export const SSO = 'sso.acesso.gov.br'

/** What `/ambiente.json` tells of SIGEF: `Cookie` headers. */
export type AccessToSigef = {
  cookies: string
  outros: { renovavel: string; encerrado: string; recusado: string }
}

/** Reads it from a simulator. */
export async function accessToSigef({ address }: Authorities): Promise<AccessToSigef> {
  const text = await (await fetch(`${address}/ambiente.json`)).text()
  const ambiente: { sigef: AccessToSigef } = JSON.parse(text)
  return ambiente.sigef
}

/** The cookie of that name that an answer sets, as a header sends it back. */
export function cookieOf({ headers }: Reply, name: string): string {
  const line = headers['set-cookie']?.find((one) => one.startsWith(`${name}=`)) ?? ''
  return line.split(';')[0] ?? ''
}
