/** The least and the most that a whole number may be. */
export type Faixa = { minimum: number; maximum?: number }

/** Says in Portuguese why a text is no whole number of a range; undefined if it is one. */
export function wholeProblem(text: string, { minimum, maximum = Number.MAX_SAFE_INTEGER }: Faixa) {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= minimum && number <= maximum) return undefined
  return maximum === Number.MAX_SAFE_INTEGER
    ? `envie um número inteiro, ${minimum} ou mais`
    : `envie um número inteiro de ${minimum} a ${maximum}`
}

/** The range that a schema gives by its keyword. */
export const rangeOf = (value: unknown): Faixa => {
  const { minimum, maximum }: Partial<Faixa> = Object(value)
  return { minimum: minimum ?? 0, ...(maximum !== undefined && { maximum }) }
}
