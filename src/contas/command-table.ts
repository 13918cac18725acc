import { InvalidArgumentError, Option } from 'commander'
import { dataBrasileira } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import type { TipoLancamento } from '../platform/db/tables.ts'
import type { Entry } from '../platform/ledger/extrato.ts'
import type { Ledger } from '../platform/ledger/ledger.ts'
import { isPlano, type NomePlano, nomesDosPlanos, type Saldo } from '../platform/ledger/rules.ts'
import { drawTable, say, wrapLines } from '../platform/terminal.ts'
import { thousands } from '../platform/texto.ts'
import { precoXmlOf } from './lookup.ts'
import { type Conta, findContaByEmail, type listContas } from './store-contas.ts'

const nomes: Record<TipoLancamento, string> = {
  hold: 'reserva',
  charge: 'cobrança',
  release: 'cota vencida',
  grant: 'concessão',
  renewal: 'renovação',
  debit: 'débito',
}

export const saldoDito = ({ cota, extra }: Saldo): string => `Saldo: ${cota} da cota + ${extra} extras.`

export function showContas(contas: Awaited<ReturnType<typeof listContas>>, json: boolean): void {
  if (json) {
    const told = contas.map((conta) => ({ ...conta, preco_xml: precoXmlOf(conta) }))
    console.log(JSON.stringify(told, null, 2))
    return
  }
  if (contas.length === 0) {
    say('Nenhuma conta. Crie uma com: fiscal contas criar --nome NOME --email EMAIL')
    return
  }
  const rows = contas.map(({ nome, email, plano, bloqueio, cota, extra, periodo, criada_em }) => [
    nome,
    email,
    plano,
    bloqueio ? 'bloqueada' : 'ativa',
    thousands(cota),
    thousands(extra),
    dataBrasileira(periodo),
    instant(criada_em),
  ])
  const numbers = [
    ['Cota', 'right'],
    ['Extras', 'right'],
  ] as const
  console.log(drawTable(['Conta', 'E-mail', 'Plano', 'Situação', ...numbers, 'Mês', 'Criada em'], rows))
}

export function showExtrato(entries: Entry[], json: boolean): void {
  if (json) {
    console.log(JSON.stringify(entries, null, 2))
    return
  }
  if (entries.length === 0) {
    say('Nenhum lançamento neste período.')
    return
  }
  const rows = entries.map(({ criado_em, tipo, creditos, cota, extra, endpoint, request_id }) => [
    instant(criado_em),
    nomes[tipo],
    thousands(creditos),
    signed(cota),
    signed(extra),
    endpoint,
    request_id,
  ])
  const numbers = [
    ['Créditos', 'right'],
    ['Cota', 'right'],
    ['Extras', 'right'],
  ] as const
  console.log(drawTable(['Quando', 'O quê', ...numbers, 'Consulta ou motivo', 'Requisição'], rows))
}

const signed = (value: number): string => value.toLocaleString('pt-BR', { signDisplay: 'exceptZero' })

export const instant = (date: Date): string =>
  date.toLocaleString('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'medium' })

export type Livros = { db: Db; secret: string; ledger: Ledger; close: () => Promise<void> }

export type ComLivros = { using: <T>(work: (livros: Livros) => Promise<T>) => Promise<T>; now: () => Date }

/** The account of an e-mail. Throws StoreError if there is none. */
export async function contaOf(db: Db, email: string): Promise<Conta> {
  const found = await findContaByEmail(db, email)
  if (!found) throw new StoreError(`Não há conta com o e-mail ${email}. Veja "fiscal contas listar".`)
  return found
}

export const planosListed = nomesDosPlanos.join(', ')

export const json = (): Option => new Option('--json', 'escreve JSON em vez de texto')

export function tell({ json }: { json?: true }, done: object, text: string): void {
  console.log(json ? JSON.stringify(done) : wrapLines(text))
}

export function parsePlano(text: string): NomePlano {
  if (isPlano(text)) return text
  throw new InvalidArgumentError(`Os planos são ${planosListed}.`)
}

export function parseMes(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('Envie ano e mês, como 2026-11.')
}

export function parseNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Envie um número inteiro.')
}

export function parseCreditos(text: string): number {
  if (/^0*[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Envie um número inteiro de créditos, de 1 a 999999999.')
}

const MOTIVO_MAX = 200

/** One line that people read on a statement or in a refusal, without control and format characters. */
export function parseMotivo(text: string): string {
  const motivo = text.trim()
  if (motivo !== '' && motivo.length <= MOTIVO_MAX && !/[\p{C}\p{Zl}\p{Zp}]/u.test(motivo)) return motivo
  throw new InvalidArgumentError(
    `Escreva o motivo em uma linha, de 1 a ${MOTIVO_MAX} caracteres, sem caracteres de controle.`,
  )
}

/** A price in BRL as exact decimal text with two decimals or more: `0,12` and `0.120` are prices. */
export function parseReais(text: string): string {
  const [, inteiros, decimais = ''] = /^0*(\d{1,6})(?:[.,](\d{1,6}))?$/.exec(text) ?? []
  if (inteiros !== undefined && /[1-9]/.test(inteiros + decimais))
    return `${inteiros}.${decimais.padEnd(2, '0')}`
  throw new InvalidArgumentError('Envie um preço em reais maior que zero, como 0,12.')
}
