export type Plano = { creditos: number; requisicoesPorMinuto: number; reaisPorXml: string }

/** Origin: the specification, "Limits" (NF-e XML prices), and the product's table of plans. */
export const planos = {
  lite: { creditos: 100, requisicoesPorMinuto: 30, reaisPorXml: '2.00' },
  starter: { creditos: 1_000, requisicoesPorMinuto: 60, reaisPorXml: '0.30' },
  pro: { creditos: 10_000, requisicoesPorMinuto: 300, reaisPorXml: '0.195' },
  enterprise: { creditos: 100_000, requisicoesPorMinuto: 1_200, reaisPorXml: '0.075' },
} as const satisfies Record<string, Plano>

export type NomePlano = keyof typeof planos

export const isPlano = (nome: string): nome is NomePlano => Object.hasOwn(planos, nome)

/** As people read it. */
export const nomeDoPlano = (plano: NomePlano): string => plano.charAt(0).toUpperCase() + plano.slice(1)

export const nomesDosPlanos = Object.keys(planos).filter(isPlano)

export type Tarifa = { plano: NomePlano; preco_exclusivo: boolean; preco_xml: string }

/** The price of one NF-e XML in BRL, as decimal text: the negotiated one, or that of the plan. */
export const reaisPorXml = ({ plano, preco_exclusivo, preco_xml }: Tarifa): string =>
  preco_exclusivo ? preco_xml : planos[plano].reaisPorXml

export const creditosPorXml = (precoExclusivo: boolean): number => (precoExclusivo ? 1 : 3)

/** Open holds are already deducted. */
export type Saldo = { cota: number; extra: number; periodo: string }

export type Parcela = { cota: number; extra: number; periodo: string }

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

/** A clock that is late never takes a renewal back. */
export const isExpired = (saldo: Saldo, periodo: string): boolean => saldo.periodo < periodo

/** If `concedida` were given before. Never negative. */
export const upgrade = (quota: number, concedida: number): number => Math.max(0, quota - concedida)

export type Parcelas = { reais: string; vezes: number }

/** Adds prices up exactly, as decimal text with the digits of the longest. Throws for text that is none. */
export function addReais(parcelas: readonly Parcelas[]): string {
  const casas = Math.max(0, ...parcelas.map(({ reais }) => casasDe(reais)))
  const total = parcelas.reduce((sum, { reais, vezes }) => sum + inteiroDe(reais, casas) * BigInt(vezes), 0n)
  if (casas === 0) return String(total)
  const digitos = String(total).padStart(casas + 1, '0')
  return `${digitos.slice(0, -casas)}.${digitos.slice(-casas)}`
}

/** Writes decimal text in BRL: `R$ 1.234,195`, with all its digits, and two at least. */
export function writeReais(reais: string): string {
  const [inteiro = '', fracao = ''] = reais.split('.')
  const curta = fracao.replace(/0+$/, '')
  return `R$ ${inteiro.replace(/\B(?=(\d{3})+$)/g, '.')},${curta.padEnd(2, '0')}`
}

const casasDe = (reais: string): number => reais.split('.')[1]?.length ?? 0

function inteiroDe(reais: string, casas: number): bigint {
  if (!/^\d+(\.\d+)?$/.test(reais)) throw new RangeError('no price in BRL')
  return BigInt(reais.replace('.', '') + '0'.repeat(casas - casasDe(reais)))
}

/** Who a valid key belongs to, as of at most five seconds ago. */
export type ContaAutenticada = {
  id: string
  plano: NomePlano
  preco_exclusivo: boolean
  bloqueio: string | undefined
}
