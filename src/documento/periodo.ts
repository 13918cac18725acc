/**
 * Brasília has had no daylight saving since 2019 (Decreto 9.772/2019), so a fixed offset is exact from then
 * on.
 */
export const BRASILIA_OFFSET_MS = -3 * 60 * 60 * 1000

/** The month of an instant in Brasília time, as `YYYY-MM`. A monthly quota counts by it. */
export function periodoOf(instant: Date): string {
  return new Date(instant.getTime() + BRASILIA_OFFSET_MS).toISOString().slice(0, 7)
}

/** The first instant of a month (`YYYY-MM`) in Brasília. */
export const startOf = (periodo: string): Date =>
  new Date(Date.parse(`${periodo}-01T00:00:00Z`) - BRASILIA_OFFSET_MS)

/** The instant of the next monthly quota: midnight of the first day of the month, Brasília time. */
export function nextRenewal(instant: Date): Date {
  const local = new Date(instant.getTime() + BRASILIA_OFFSET_MS)
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1) - BRASILIA_OFFSET_MS)
}

/** The instant at which a day (`AAAA-MM-DD`) ends in Brasília. Undefined if the text is no day. */
export function endOfDay(data: string): Date | undefined {
  const end = new Date(Date.parse(`${data}T00:00:00Z`) + 24 * 60 * 60 * 1000 - BRASILIA_OFFSET_MS)
  return Number.isNaN(end.getTime()) ? undefined : end
}

/**
 * Writes an instant as the NF-e does: `2026-11-14T12:00:00-03:00`, Brasília time, whole seconds
 * (TDateTimeUTC, tiposBasico_v4.00.xsd).
 */
export const writeInstante = (instant: Date): string =>
  `${new Date(instant.getTime() + BRASILIA_OFFSET_MS).toISOString().slice(0, 19)}-03:00`
