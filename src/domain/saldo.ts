/** What an account may spend now: what is left of the month's quota, and extra credits. Open holds are already out of it. */
export type Saldo = { cota: number; extra: number; periodo: string }

/** Credits by where they came from: the quota of `periodo`, and the extra ones. */
export type Parcela = { cota: number; extra: number; periodo: string }

/** The credits that an account may spend now, from both pockets. */
export const available = (saldo: Saldo): number => saldo.cota + saldo.extra

/** The part of a balance that `creditos` would take, the quota first; undefined when it does not suffice. */
export function take(saldo: Saldo, creditos: number): Parcela | undefined {
  if (creditos > available(saldo)) return undefined
  const cota = Math.min(creditos, saldo.cota)
  return { cota, extra: creditos - cota, periodo: saldo.periodo }
}

/**
 * What returns to the balance when `creditos` of a hold are charged: the charge uses the quota first, and the rest goes
 * back to where it came from. Quota of a month that is over returns nowhere: the renewal has already replaced it.
 */
export function unused(held: Parcela, creditos: number, saldo: Saldo): { cota: number; extra: number } {
  const fromQuota = Math.min(creditos, held.cota)
  const cota = held.periodo === saldo.periodo ? held.cota - fromQuota : 0
  return { cota, extra: held.extra - (creditos - fromQuota) }
}

/** Whether a balance belongs to an earlier month than `periodo`. A clock that lags never takes a renewal back. */
export const isExpired = (saldo: Saldo, periodo: string): boolean => saldo.periodo < periodo

/** The quota that a change to a plan of `quota` credits adds in a month in which `concedida` were given: never less than none. */
export const upgrade = (quota: number, concedida: number): number => Math.max(0, quota - concedida)
