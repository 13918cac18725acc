import { type Cursor, getU16, getUint, type Output, putU16, putUint } from './formato-bytes.ts'

/**
 * A date is the number of days since 1799-12-31; 0 is no date. On disk it takes 16 bits from 1900 on, with an
 * escape for the others.
 */
const DAYS_1800_TO_1900 = 36_524
const ESCAPE = 0xffff
const MONTH_DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const MIN_YEAR = 1800

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** The date of a day of the Gregorian calendar, 1800 or later. Gives 0 when there is no such day. */
export function diasDaData(year: number, month: number, day: number): number {
  if (year < MIN_YEAR || month < 1 || month > 12 || day < 1) return 0
  if (day > (MONTH_DAYS[month] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0)) return 0
  const y = month > 2 ? year : year - 1
  const m = month > 2 ? month - 3 : month + 9
  const days = 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  return days + Math.floor((153 * m + 2) / 5) + day - 657_377
}

const MS_1800 = Date.UTC(MIN_YEAR, 0, 1)
const known: string[] = []

/** `YYYY-MM-DD` of a date that `diasDaData` gave; empty for 0. */
export function dataIso(days: number): string {
  if (days === 0) return ''
  const cached = known[days]
  if (cached !== undefined) return cached
  const text = new Date(MS_1800 + (days - 1) * 86_400_000).toISOString().slice(0, 10)
  known[days] = text
  return text
}

export function putData(out: Output, days: number): void {
  const short = days - DAYS_1800_TO_1900
  if (days === 0) putU16(out, 0)
  else if (short > 0 && short < ESCAPE) putU16(out, short)
  else {
    putU16(out, ESCAPE)
    putUint(out, days, 3)
  }
}

export function getData(cursor: Cursor): number {
  const short = getU16(cursor)
  if (short === 0) return 0
  return short === ESCAPE ? getUint(cursor, 3) : short + DAYS_1800_TO_1900
}
