/** A plan: its credits a month, its requests a minute, and the price in BRL of one NF-e XML. */
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

/** From the smallest to the largest. */
export const nomesDosPlanos = Object.keys(planos).filter(isPlano)

/** What an account agreed for its notes: its plan's price, or one of its own, empty where none is in BRL. */
export type Tarifa = { plano: NomePlano; preco_exclusivo: boolean; preco_xml: string }

/** The price of one NF-e XML in BRL, as decimal text: the negotiated one, or that of the plan. */
export const reaisPorXml = ({ plano, preco_exclusivo, preco_xml }: Tarifa): string =>
  preco_exclusivo ? preco_xml : planos[plano].reaisPorXml

/** The credits of one NF-e XML. An account that negotiated its price pays fewer. */
export const creditosPorXml = (precoExclusivo: boolean): number => (precoExclusivo ? 1 : 3)
