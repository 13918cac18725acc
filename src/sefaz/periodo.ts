import { DIAS_GUARDADOS, diaDepois, diasEntre } from '../documento/dia.ts'

type Periodo = { de: string; ate: string }

/**
 * The days that are asked about: as many as are kept, the last ones where none is named, else from or to the
 * one that is. Else what is wrong, in Portuguese, with the parameter.
 */
export function periodoPedido(
  { de, ate }: { [day in keyof Periodo]: string | undefined },
  hoje: string,
): Periodo | { parameter: string; reason: string } {
  const last = ate ?? (de === undefined ? hoje : earlier(diaDepois(de, DIAS_GUARDADOS - 1), hoje))
  const first = de ?? diaDepois(last, 1 - DIAS_GUARDADOS)
  const late = `não pode ser depois de hoje, ${hoje} em Brasília`
  if (de !== undefined && de > hoje) return { parameter: 'de', reason: late }
  if (last > hoje) return { parameter: 'ate', reason: late }
  if (first > last) return { parameter: 'de', reason: `não pode ser depois de ate, ${last}` }
  const days = diasEntre(first, last).length
  if (days > DIAS_GUARDADOS)
    return {
      parameter: 'de',
      reason: `o período tem ${days} dias; peça no máximo ${DIAS_GUARDADOS} de cada vez`,
    }
  return { de: first, ate: last }
}

const earlier = (a: string, b: string): string => (a < b ? a : b)
