/**
 * The extraction token of a vintage, as in every member name of the official dump: `D`, the year's last
 * digit, month and day of the second Saturday (`2026-10` → `D61010`). Throws when `versao` is not `AAAA-MM`.
 */
export function tokenOf(versao: string): string {
  const [, ano, mes] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(versao) ?? []
  if (!ano || !mes) throw new Error(`Versão inválida: "${versao}". Use AAAA-MM, por exemplo 2026-10.`)
  const weekday = new Date(Date.UTC(Number(ano), Number(mes) - 1, 1)).getUTCDay()
  const secondSaturday = 1 + ((6 - weekday) % 7) + 7
  return `D${ano.slice(-1)}${mes}${String(secondSaturday).padStart(2, '0')}`
}

/** The extraction date of a vintage as year, month (1 to 12) and day, from the same rule as the token. */
export function extractionDate(versao: string): { ano: number; mes: number; dia: number } {
  const token = tokenOf(versao)
  return { ano: Number(versao.slice(0, 4)), mes: Number(versao.slice(5)), dia: Number(token.slice(4)) }
}
