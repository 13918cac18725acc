import { nextRenewal, startOf } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import type { Ledger } from '../platform/ledger/ledger.ts'
import type { Gasto } from '../platform/ledger/meses.ts'
import {
  available,
  creditosPorXml,
  type NomePlano,
  planos,
  reaisPorXml,
  type Tarifa,
} from '../platform/ledger/rules.ts'
import { type Conta, getConta } from './conta.ts'

/** An account as its owner sees it: what it may do, what it has left, what it used. Wire names. */
export type ResumoDaConta = {
  nome: string
  plano: NomePlano
  limites: { requisicoes_por_minuto: number }
  creditos: {
    /** The quota of the month, and what is left of it. */
    cota: number
    cota_restante: number
    extras: number
    reservados: number
    disponiveis: number
  }
  /** ISO 8601 UTC. */
  renova_em: string
  preco_exclusivo: boolean
  preco_xml: PrecoXml
  uso: Uso
}

/** What a note costs: credits, and BRL, empty where no price in BRL was negotiated. */
type PrecoXml = { creditos: number; reais: string }

/** The price of a note for an account: the negotiated one, or that of its plan. */
export const precoXmlOf = (tarifa: Tarifa): PrecoXml => ({
  creditos: creditosPorXml(tarifa.preco_exclusivo),
  reais: reaisPorXml(tarifa),
})

type Uso = {
  /** AAAA-MM in Brasília, and its first instant: ISO 8601 UTC. */
  mes: string
  desde: string
  endpoints: Gasto[]
  creditos_total: number
  extras_concedidos: number
  creditos_debitados: number
}

/**
 * The summary of an account. Credits and use are of one commit of the ledger, so that they add up: the quota,
 * the extras at the start and those granted, less use, debits and holds, are what is left.
 */
export async function summarize(
  { db, ledger }: { db: Db; ledger: Ledger },
  conta_id: string,
): Promise<{ conta: Conta; resumo: ResumoDaConta }> {
  const { plano, saldo, concedida, reservados, gastos, concedidos, debitados } = await ledger.balanco({
    id: conta_id,
  })
  const conta = await getConta(db, conta_id)
  // The month is the books', even where this process's clock is behind them.
  const desde = startOf(saldo.periodo)
  const resumo = {
    nome: conta.nome,
    plano,
    limites: { requisicoes_por_minuto: planos[plano].requisicoesPorMinuto },
    creditos: {
      cota: concedida,
      cota_restante: saldo.cota,
      extras: saldo.extra,
      reservados,
      disponiveis: available(saldo),
    },
    renova_em: nextRenewal(desde).toISOString(),
    preco_exclusivo: conta.preco_exclusivo,
    preco_xml: precoXmlOf({ ...conta, plano }),
    uso: {
      mes: saldo.periodo,
      desde: desde.toISOString(),
      endpoints: gastos,
      creditos_total: gastos.reduce((sum, { creditos }) => sum + creditos, 0),
      extras_concedidos: concedidos,
      creditos_debitados: debitados,
    },
  }
  return { conta, resumo }
}
