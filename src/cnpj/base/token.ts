/**
 * The day of the extraction in a member's name, as in `K3241.K03200Y0.D61010.EMPRECSV`: D, year (one digit),
 * month, day.
 */
const TOKEN = /\.(D\d{5})(?:\.|$)/

/** Groups zips by the token of their member; '' stands for no token. A folder of one month has one group. */
export function tokensOf(zips: readonly { nome: string; membro: { nome: string } }[]): Map<string, string[]> {
  const tokens = new Map<string, string[]>()
  for (const { nome, membro } of zips) {
    const token = TOKEN.exec(membro.nome)?.[1] ?? ''
    tokens.set(token, [...(tokens.get(token) ?? []), nome])
  }
  return tokens
}
