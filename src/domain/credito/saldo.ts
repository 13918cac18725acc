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
 * Splits a hold of which `creditos` are charged: the quota pays first, the rest goes back. Quota of a past
 * month is lost, because the renewal has replaced it.
 */
export function spend(
  held: Parcela,
  creditos: number,
  saldo: Saldo,
): { cota: number; extra: number; perdida: number } {
  const cota = Math.min(creditos, held.cota)
  const perdida = held.periodo === saldo.periodo ? 0 : held.cota - cota
  return { cota, extra: creditos - cota, perdida }
}

/** Whether a balance belongs to an earlier month than `periodo`. A clock that lags never takes a renewal back. */
export const isExpired = (saldo: Saldo, periodo: string): boolean => saldo.periodo < periodo

/** The quota that a change to a plan of `quota` credits adds in a month in which `concedida` were given: never less than none. */
export const upgrade = (quota: number, concedida: number): number => Math.max(0, quota - concedida)
