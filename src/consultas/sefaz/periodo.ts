import { diaDepois, diasEntre } from '../../domain/sefaz/dia.ts'

/** The most days of one question, and how long days are kept. */
const MAIS_DIAS = 90

type Periodo = { de: string; ate: string }

/**
 * The days that are asked about: the last 90 where none is named, and 90 from or to the one that is. Else
 * what is wrong, in Portuguese, with the parameter.
 */
export function periodoPedido(
  { de, ate }: { [day in keyof Periodo]: string | undefined },
  hoje: string,
): Periodo | { parameter: string; reason: string } {
  const last = ate ?? (de === undefined ? hoje : earlier(diaDepois(de, MAIS_DIAS - 1), hoje))
  const first = de ?? diaDepois(last, 1 - MAIS_DIAS)
  if (first > hoje) return { parameter: 'de', reason: `não pode ser depois de hoje, ${hoje} em Brasília` }
  if (last > hoje) return { parameter: 'ate', reason: `não pode ser depois de hoje, ${hoje} em Brasília` }
  if (first > last) return { parameter: 'de', reason: `não pode ser depois de ate, ${last}` }
  const days = diasEntre(first, last).length
  if (days > MAIS_DIAS)
    return { parameter: 'de', reason: `o período tem ${days} dias; peça no máximo ${MAIS_DIAS} de cada vez` }
  return { de: first, ate: last }
}

const earlier = (a: string, b: string): string => (a < b ? a : b)
