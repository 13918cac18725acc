/**
 * The credits that an account may spend now: the rest of the month's quota, and extra credits. Open holds are
 * already deducted.
 */
export type Saldo = { cota: number; extra: number; periodo: string }

/** Credits by their pocket: the quota of `periodo`, and the extra ones. */
export type Parcela = { cota: number; extra: number; periodo: string }

/** The credits that an account may spend now, from both pockets. */
export const available = (saldo: Saldo): number => saldo.cota + saldo.extra

/** The part of a balance that pays `creditos`, the quota first. Undefined if the balance is too small. */
export function take(saldo: Saldo, creditos: number): Parcela | undefined {
  if (creditos > available(saldo)) return undefined
  const cota = Math.min(creditos, saldo.cota)
  return { cota, extra: creditos - cota, periodo: saldo.periodo }
}

/**
 * Splits a hold of which `creditos` are charged: the quota pays first, and the rest goes back. Quota of a
 * past month is lost, because the renewal replaced it.
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

/**
 * Whether a balance belongs to an earlier month than `periodo`. A clock that is late never takes a renewal
 * back.
 */
export const isExpired = (saldo: Saldo, periodo: string): boolean => saldo.periodo < periodo

/**
 * The quota to add in this month after a change to a plan of `quota` credits, if `concedida` were given
 * before. Never negative.
 */
export const upgrade = (quota: number, concedida: number): number => Math.max(0, quota - concedida)
