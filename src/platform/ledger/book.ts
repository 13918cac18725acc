import type { TipoLancamento } from '../db/tables.ts'
import type { NewJob } from '../jobs/rows.ts'
import {
  isExpired,
  type NomePlano,
  type Parcela,
  planos,
  reaisPorXml,
  type Saldo,
  spend,
  type Tarifa,
  take,
  upgrade,
} from './rules.ts'

type Amount = {
  conta_id: string
  request_id: string
  endpoint: string
  creditos: number
  /** It pays for a note: its charge keeps the note's price in BRL. */
  nota?: boolean
  jobs?: readonly NewJob[]
}

export type Order =
  | (Amount & { kind: 'hold' | 'charge' | 'settle' | 'grant' | 'debit' | 'undo' })
  | { kind: 'release'; conta_id: string; request_id: string; endpoint: string }
  | { kind: 'plan'; conta_id: string; request_id: string; plano: NomePlano }
  | { kind: 'look'; conta_id: string }

/** `ok` false: nothing changed. `charged`: by this order, not by an earlier one of its request. */
export type Settlement = { ok: boolean; charged: boolean; saldo: Saldo }

type Elo = { request_id: string; tipo: TipoLancamento | '' }

export type ContaAberta = {
  saldo: Saldo
  concedida: number
  /** Null while the month goes on, because nobody needs it. */
  plano: NomePlano | null
  ultimo: Elo
  changed: boolean
  replanned: boolean
}

export type Lancamento = {
  conta_id: string
  request_id: string
  tipo: TipoLancamento
  creditos: number
  cota: number
  extra: number
  endpoint: string
  /** What a note cost in BRL, as decimal text. Null for all else, and where no price in BRL was agreed. */
  reais: string | null
  anterior: Elo
}

export type Retencao = Parcela & { request_id: string; conta_id: string; endpoint: string }

export type Book = {
  periodo: string
  contas: Map<string, ContaAberta>
  tarifas: Map<string, Tarifa>
  recorded: Set<string>
  open: Map<string, Parcela>
  entries: Lancamento[]
  held: Map<string, Retencao>
  closed: string[]
  jobs: NewJob[]
}

/** Applies one order to the book. A recorded order changes nothing and gets its first answer again. */
export function apply(book: Book, order: Order): Settlement {
  const conta = book.contas.get(order.conta_id)
  if (!conta) throw new Error(`no balance for the account ${order.conta_id}`)
  renew(book, conta, order.conta_id)
  const written = book.entries.length
  const ok = decide(book, conta, order)
  // Also of an order that was recorded before: a job's id is taken once.
  if (ok && 'jobs' in order && order.jobs) book.jobs.push(...order.jobs)
  const charged = book.entries.slice(written).some(({ tipo }) => tipo === 'charge')
  return { ok, charged, saldo: conta.saldo }
}

function decide(book: Book, conta: ContaAberta, order: Order): boolean {
  switch (order.kind) {
    case 'look':
      return true
    case 'hold':
      return wasRecorded(book, 'charge', order) || hold(book, conta, order)
    case 'charge':
      return wasRecorded(book, 'charge', order) || charge(book, conta, order)
    case 'settle':
      return wasRecorded(book, 'charge', order) || settle(book, conta, order)
    case 'release':
      return close(book, conta, { ...order, creditos: 0 })
    case 'grant':
      return grant(book, conta, order)
    case 'undo':
      return close(book, conta, { ...order, creditos: 0 }) || giveBack(book, conta, order)
    case 'debit':
      return wasRecorded(book, 'debit', order) || pay(book, conta, 'debit', order)
    case 'plan':
      changePlano(book, conta, order)
      return true
  }
}

/** In a new month, the plan's quota replaces the old one. A clock that lags changes nothing. */
function renew(book: Book, conta: ContaAberta, conta_id: string): void {
  if (!isExpired(conta.saldo, book.periodo)) return
  if (conta.plano === null) throw new Error(`the plan of ${conta_id} was not read`)
  const cota = planos[conta.plano].creditos
  const order = { conta_id, request_id: renewalId(conta_id, book.periodo), endpoint: '' }
  const delta = cota - conta.saldo.cota
  conta.saldo = { ...conta.saldo, periodo: book.periodo }
  conta.concedida = cota
  conta.changed = true
  write(book, conta, 'renewal', { ...order, creditos: cota, cota: delta, extra: 0 })
}

/** An account's renewal in a month: the index lets it happen once. `selectBehind` writes it in SQL. */
export const renewalId = (conta_id: string, periodo: string): string => `renovacao:${conta_id}:${periodo}`

/** A hold is no entry. It leaves the balance and stands in its own table until it is closed. */
function hold(book: Book, conta: ContaAberta, order: Amount): boolean {
  const { conta_id, request_id, endpoint } = order
  if (book.open.has(request_id)) return true
  const taken = take(conta.saldo, order.creditos)
  if (!taken) return false
  book.open.set(request_id, taken)
  book.held.set(request_id, { conta_id, request_id, endpoint, ...taken })
  move(conta, { cota: -taken.cota, extra: -taken.extra })
  return true
}

const charge = (book: Book, conta: ContaAberta, order: Amount): boolean =>
  order.creditos === 0 || pay(book, conta, 'charge', order)

function pay(book: Book, conta: ContaAberta, tipo: 'charge' | 'debit', order: Amount): boolean {
  const taken = take(conta.saldo, order.creditos)
  if (!taken) return false
  const reais = reaisOf(book, order)
  write(book, conta, tipo, { ...order, reais, cota: -taken.cota, extra: -taken.extra })
  return true
}

/** The price in BRL at this moment, whatever it was when the call began (docs/decisions/0063). */
function reaisOf(book: Book, { conta_id, nota = false }: Amount): string | null {
  const tarifa = nota ? book.tarifas.get(conta_id) : undefined
  return (tarifa && reaisPorXml(tarifa)) || null
}

function grant(book: Book, conta: ContaAberta, order: Amount): boolean {
  if (!wasRecorded(book, 'grant', order))
    write(book, conta, 'grant', { ...order, cota: 0, extra: order.creditos })
  return true
}

const ESTORNO = 'estorno: a resposta não chegou a ser entregue'

/** What was charged comes back as extra credits: the quota may be another month's by now. */
const giveBack = (book: Book, conta: ContaAberta, order: Amount): boolean =>
  wasRecorded(book, 'charge', order) && grant(book, conta, { ...order, endpoint: ESTORNO })

/** If the hold is gone, it was released as a dead process's. The charge then needs the balance again. */
function settle(book: Book, conta: ContaAberta, order: Amount): boolean {
  const held = book.open.get(order.request_id)
  if (!held) return charge(book, conta, order)
  if (order.creditos > held.cota + held.extra)
    throw new RangeError('a settlement takes no more than was held')
  return close(book, conta, order)
}

/**
 * Closes an open hold; false if there is none. All of it returns; then entries take the charge and the quota
 * of a past month, which the renewal has replaced.
 */
function close(book: Book, conta: ContaAberta, order: Amount): boolean {
  const { request_id, creditos } = order
  const held = book.open.get(request_id)
  if (!held) return false
  book.open.delete(request_id)
  if (!book.held.delete(request_id)) book.closed.push(request_id)
  move(conta, held)
  const { cota, extra, perdida } = spend(held, creditos, conta.saldo)
  if (creditos > 0)
    write(book, conta, 'charge', { ...order, reais: reaisOf(book, order), cota: -cota, extra: -extra })
  if (perdida > 0) write(book, conta, 'release', { ...order, creditos: perdida, cota: -perdida, extra: 0 })
  return true
}

/** An upgrade adds the difference of the quotas at once; a downgrade counts from the next month. */
function changePlano(
  book: Book,
  conta: ContaAberta,
  order: { conta_id: string; request_id: string; plano: NomePlano },
): void {
  conta.plano = order.plano
  const tarifa = book.tarifas.get(order.conta_id)
  if (tarifa) book.tarifas.set(order.conta_id, { ...tarifa, plano: order.plano })
  conta.replanned = true
  const more = upgrade(planos[order.plano].creditos, conta.concedida)
  if (more === 0) return
  conta.concedida += more
  const { conta_id, request_id, plano } = order
  const endpoint = `plano ${plano}`
  write(book, conta, 'grant', { conta_id, request_id, endpoint, creditos: more, cota: more, extra: 0 })
}

function write(
  book: Book,
  conta: ContaAberta,
  tipo: TipoLancamento,
  entry: Omit<Lancamento, 'tipo' | 'anterior' | 'reais'> & { reais?: string | null },
): void {
  const { conta_id, request_id, creditos, cota, extra, endpoint, reais = null } = entry
  move(conta, { cota, extra })
  book.recorded.add(`${tipo}:${request_id}`)
  const anterior = conta.ultimo
  book.entries.push({ conta_id, request_id, tipo, creditos, cota, extra, endpoint, reais, anterior })
  conta.ultimo = { request_id, tipo }
}

function move(conta: ContaAberta, { cota, extra }: { cota: number; extra: number }): void {
  const { saldo } = conta
  conta.saldo = { ...saldo, cota: saldo.cota + cota, extra: saldo.extra + extra }
  conta.changed = true
}

const wasRecorded = (book: Book, tipo: TipoLancamento, { request_id }: { request_id: string }): boolean =>
  book.recorded.has(`${tipo}:${request_id}`)
