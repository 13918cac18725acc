/**
 * Brasília has had no daylight saving since 2019 (Decreto 9.772/2019), so a fixed offset is exact from then
 * on.
 */
export const BRASILIA_OFFSET_MS = -3 * 60 * 60 * 1000

const DAY_MS = 86_400_000

/** The month that was asked for last, in milliseconds from and to: nearly each call asks for the same. */
let latest = { from: 0, to: 0, periodo: '' }

function mesOf(instant: Date): typeof latest {
  const ms = instant.getTime()
  if (ms >= latest.from && ms < latest.to) return latest
  const periodo = writeMes(ms)
  const from = startOf(periodo).getTime()
  latest = { from, to: startOf(writeMes(from + 32 * DAY_MS)).getTime(), periodo }
  return latest
}

const writeMes = (ms: number): string => new Date(ms + BRASILIA_OFFSET_MS).toISOString().slice(0, 7)

/** The month of an instant in Brasília time, as `YYYY-MM`. A monthly quota counts by it. */
export const periodoOf = (instant: Date): string => mesOf(instant).periodo

/** The first instant of a month (`YYYY-MM`) in Brasília. */
export const startOf = (periodo: string): Date =>
  new Date(Date.parse(`${periodo}-01T00:00:00Z`) - BRASILIA_OFFSET_MS)

/** The instant of the next monthly quota: midnight of the first day of the month, Brasília time. */
export const nextRenewal = (instant: Date): Date => new Date(mesOf(instant).to)

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

/** How many days are kept and shown, today included. */
export const DIAS_GUARDADOS = 90

/** The day (AAAA-MM-DD) of an instant in Brasília. */
export const diaDe = (instant: number): string =>
  new Date(instant + BRASILIA_OFFSET_MS).toISOString().slice(0, 10)

/** A day (AAAA-MM-DD), or a month, as people in Brazil write it: 31/12/2026, 12/2026. */
export const dataBrasileira = (dia: string): string => dia.split('-').toReversed().join('/')

/** The first instant of a day in Brasília. */
export const inicioDoDia = (dia: string): number => Date.parse(`${dia}T00:00:00Z`) - BRASILIA_OFFSET_MS

/** The day that lies so many days after another one; before it where `days` is negative. */
export const diaDepois = (dia: string, days: number): string => diaDe(inicioDoDia(dia) + days * DAY_MS)

/** The days from one to another, both included. */
export function diasEntre(de: string, ate: string): string[] {
  const count = Math.round((inicioDoDia(ate) - inicioDoDia(de)) / DAY_MS) + 1
  return Array.from({ length: count }, (_, days) => diaDepois(de, days))
}

/** Says in Portuguese why `text` is no day. Undefined if it is one. */
export function diaProblem(text: string): string | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).getTime() >= 0
  // JavaScript takes 2026-02-30 for the 2nd of March.
  return isDay && diaDe(inicioDoDia(text)) === text ? undefined : 'envie um dia que exista, como 2026-11-14'
}

/**
 * The day (AAAA-MM-DD) of an instant as a note writes it: that of the issuer's clock, or of Brasília where it
 * is in UTC. Undefined for a text that is none.
 */
export function diaDoInstante(instante: string): string | undefined {
  const [, dia = '', fuso] = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/.exec(instante) ?? []
  const quando = Date.parse(instante)
  if (Number.isNaN(quando) || diaProblem(dia) !== undefined) return undefined
  return fuso === 'Z' ? diaDe(quando) : dia
}

/** The earliest of some instants in ISO 8601 UTC. */
export const oldest = (first: string, ...others: readonly string[]): string =>
  others.reduce((earliest, instant) => (instant < earliest ? instant : earliest), first)

/** Days from today in Brasília to a day. 0 on that day, negative after it. */
export const diasAte = (dia: string, agora: Date): number =>
  Math.round((inicioDoDia(dia) - inicioDoDia(diaDe(agora.getTime()))) / DAY_MS)
