/** Seconds after which repeating a question may help (`Retry-After`). Null where it never does. */
export type RetryS = number | null

/** An outage, a time-out or a broken connection: most of them are over in a minute. */
export const OUTAGE_S = 60
/** The rest after a refusal by a firewall, as long as the national register's own. */
export const BLOCKED_S = 15 * 60
/** A portal outside its hours whose hours are not known. */
export const CLOSED_S = 60 * 60

/** Tells a client when to repeat, in whole minutes or hours from a minute on. Empty where it never helps. */
export function quandoRepetir(retryS: RetryS): string {
  if (retryS === null) return ''
  if (retryS < 60) return `Tente de novo em ${retryS} segundo${retryS === 1 ? '' : 's'}.`
  const minutes = Math.ceil(retryS / 60)
  if (minutes < 60) return `Tente de novo em ${minutes} minuto${minutes === 1 ? '' : 's'}.`
  const hours = Math.ceil(minutes / 60)
  return `Tente de novo em ${hours} hora${hours === 1 ? '' : 's'}.`
}
