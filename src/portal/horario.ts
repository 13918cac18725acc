import { BRASILIA_OFFSET_MS } from '../documento/dia.ts'

/** When a portal answers: on these days, from one full hour to another, in Brasília time. */
export type Horario = { dias: 'uteis' | 'todos'; das: number; as: number }

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Writes opening hours for people: `dias úteis, das 6h às 21h`. */
export const writeHorario = ({ dias, das, as }: Horario): string =>
  `${dias === 'uteis' ? 'dias úteis' : 'todos os dias'}, das ${das}h às ${as}h`

/**
 * Seconds until a portal opens. Undefined if it should be open now: holidays are not known, and hours may
 * have changed.
 */
export function opensInS({ dias, das, as }: Horario, now: Date): number | undefined {
  const local = now.getTime() + BRASILIA_OFFSET_MS
  const isOpenDay = (day: number): boolean =>
    dias === 'todos' || ![SUNDAY, SATURDAY].includes(new Date(day).getUTCDay())
  const today = Math.floor(local / DAY_MS) * DAY_MS
  if (isOpenDay(today) && local >= today + das * HOUR_MS && local < today + as * HOUR_MS) return undefined
  let day = today
  while (!isOpenDay(day) || day + das * HOUR_MS <= local) day += DAY_MS
  return Math.ceil((day + das * HOUR_MS - local) / 1000)
}

const [SUNDAY, SATURDAY] = [0, 6]
