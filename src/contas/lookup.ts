import { nextRenewal, startOf } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import type { TipoLancamento } from '../platform/db/tables.ts'
import type { Entry, Soma } from '../platform/ledger/extrato.ts'
import type { Ledger } from '../platform/ledger/ledger.ts'
import type { Gasto, Livro, MesDoLivro } from '../platform/ledger/meses.ts'
import {
  addReais,
  available,
  creditosPorXml,
  type NomePlano,
  type Parcelas,
  planos,
  reaisPorXml,
  type Tarifa,
} from '../platform/ledger/rules.ts'
import { countKeys, revealKey } from './store-chaves.ts'
import { type Conta, getConta } from './store-contas.ts'
import { findLast } from './store-dias.ts'

export type ResumoDaConta = {
  nome: string
  plano: NomePlano
  limites: { requisicoes_por_minuto: number }
  creditos: { cota: number; cota_restante: number; extras: number; reservados: number; disponiveis: number }
  /** ISO 8601 UTC. */
  renova_em: string
  preco_exclusivo: boolean
  preco_xml: PrecoXml
  uso: Uso
}

/** What a note costs: credits, and BRL, empty where no price in BRL was negotiated. */
type PrecoXml = { creditos: number; reais: string }

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

/** Credits and use are of one commit of the ledger, so that they add up. */
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

export type AjustesDaConta = {
  senha_em: Date | null
  email_confirmado_em: Date | null
  chave: ChaveDaConta
  /** The newest call in its log, by whatever key or session; null where there is none. */
  ultima_chamada: Date | null
}

/** The account's key: its text is known, was sealed with another secret, or there is none. */
type ChaveDaConta = {
  texto: string | 'outro-segredo' | undefined
  desde: Date | null
  /** Until when the one before it is good; null where it ended, or there was none. */
  anterior_ate: Date | null
}

export async function readAjustes(
  { db, secret }: { db: Db; secret: string },
  conta_id: string,
  now: Date,
): Promise<AjustesDaConta> {
  const [conta, texto, { atual_desde, anterior_ate }, ultima_chamada] = await Promise.all([
    db.kysely
      .selectFrom('contas')
      .select(['senha_em', 'email_confirmado_em'])
      .where('id', '=', conta_id)
      .executeTakeFirstOrThrow(),
    revealKey(db, secret, conta_id).catch(outroSegredo),
    countKeys(db, conta_id),
    findLast(db, conta_id),
  ])
  const isGood = anterior_ate !== null && anterior_ate > now
  return {
    senha_em: instantOf(conta.senha_em),
    email_confirmado_em: instantOf(conta.email_confirmado_em),
    chave: { texto, desde: atual_desde, anterior_ate: isGood ? anterior_ate : null },
    ultima_chamada: instantOf(ultima_chamada ?? null),
  }
}

const instantOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

function outroSegredo(error: unknown): 'outro-segredo' {
  if (error instanceof StoreError) return 'outro-segredo'
  throw error
}

export type LinhaDoExtrato = Entry

/** The charges of an endpoint in a month: calls, credits and BRL (null where none has a price). */
type LinhaPorConsulta = { endpoint: string; chamadas: number; creditos: number; reais: string | null }

/** In credits: the opening balance, less `vencida` and so on, is the closing one. */
export type MesDoExtrato = {
  mes: string
  fim: MesDoLivro['fim']
  lancamentos: number
  inicial: number
  /** What the renewal took of the quota of the month before, because quota does not last. */
  vencida: number
  /** The month's quota, with what larger plans added to it. */
  cota: number
  concedidos: number
  cobrados: number
  debitados: number
  /** What came back of holds, less the quota of the month before in them. */
  reservas: number
  final: number
  porConsulta: readonly LinhaPorConsulta[]
  reais: string | null
  notasSemPreco: number
}

const NOTA = '/api/consultar-nfe-xml'

/** The months of an account's statement, newest first. Their sums are those of the ledger. */
export function mesesDoExtrato({ meses }: Livro): MesDoExtrato[] {
  let inicial = 0
  return meses
    .map((mes) => {
      const feito = summarizeMes(mes, inicial)
      inicial = feito.final
      return feito
    })
    .toReversed()
}

function summarizeMes({ mes, fim, somas }: MesDoLivro, inicial: number): MesDoExtrato {
  const of = (...tipos: TipoLancamento[]) => somas.filter(({ tipo }) => tipos.includes(tipo))
  const renovada = of('renewal')
  const vencida = add(renovada, 'creditos') - add(renovada, 'cota')
  const cobradas = of('charge')
  const pagas = of('charge', 'debit')
  return {
    mes,
    fim,
    lancamentos: add(somas, 'lancamentos'),
    inicial,
    vencida,
    cota: add(renovada, 'creditos') + add(of('grant'), 'cota'),
    concedidos: add(of('grant'), 'extra'),
    cobrados: add(cobradas, 'creditos'),
    debitados: add(of('debit'), 'creditos'),
    // Before 2026-11-22 a hold was an entry, and what it paid was not taken again.
    reservas: move(of('hold', 'release')) + move(pagas) + add(pagas, 'creditos'),
    final: inicial + move(somas),
    porConsulta: porConsultaOf(cobradas),
    reais: reaisOf(cobradas),
    notasSemPreco: add(
      cobradas.filter(({ endpoint, reais }) => endpoint === NOTA && reais === null),
      'lancamentos',
    ),
  }
}

type Medida = 'lancamentos' | 'creditos' | 'cota' | 'extra'

const add = (somas: readonly Soma[], medida: Medida): number =>
  somas.reduce((sum, soma) => sum + soma[medida], 0)

const move = (somas: readonly Soma[]): number => add(somas, 'cota') + add(somas, 'extra')

const porConsultaOf = (cobradas: readonly Soma[]): LinhaPorConsulta[] =>
  [...Map.groupBy(cobradas, ({ endpoint }) => endpoint)]
    .map(([endpoint, alike]) => ({
      endpoint,
      chamadas: add(alike, 'lancamentos'),
      creditos: add(alike, 'creditos'),
      reais: reaisOf(alike),
    }))
    .sort((a, b) => b.creditos - a.creditos || (a.endpoint < b.endpoint ? -1 : 1))

/** What charges came to in BRL, exactly, by the price that each entry has. Null where none has one. */
export function reaisOf(cobradas: readonly Soma[]): string | null {
  const parcelas: Parcelas[] = cobradas.flatMap(({ reais, lancamentos }) =>
    reais === null ? [] : [{ reais, vezes: lancamentos }],
  )
  return parcelas.length === 0 ? null : addReais(parcelas)
}
