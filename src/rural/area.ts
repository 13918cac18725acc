/** A number of JSON tells no more digits exactly. */
const MOST_DIGITS = 15

/** Ten decimals are more than any page shows. */
const DECIMALS = 10

/**
 * Reads an area in Brazilian notation ("1.234,5678 ha") as decimal text ("1234.5678"). Undefined for any
 * other text, for zero, and for more digits than a number holds exactly.
 */
export function parseArea(text: string): string | undefined {
  const match = /^(\d{1,3}(?:\.\d{3})+|\d{1,15})(?:,(\d{1,10}))? ?ha$/i.exec(text.trim())
  if (!match) return undefined
  const whole = (match[1] ?? '').replaceAll('.', '').replace(/^0+(?=\d)/, '')
  const part = (match[2] ?? '').replace(/0+$/, '')
  if (`${whole}${part}`.length > MOST_DIGITS || /^0*$/.test(`${whole}${part}`)) return undefined
  return part === '' ? whole : `${whole}.${part}`
}

/** The exact sum of areas in decimal text. */
export function sumAreas(areas: readonly string[]): string {
  const sum = areas.reduce((total, area) => total + scaled(area), 0n)
  const digits = sum.toString().padStart(DECIMALS + 1, '0')
  const part = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -DECIMALS)}${part === '' ? '' : `.${part}`}`
}

function scaled(area: string): bigint {
  const [whole = '0', part = ''] = area.split('.')
  return BigInt(whole + part.padEnd(DECIMALS, '0'))
}
