import Table from 'cli-table3'
import type { TipoLancamento } from '../platform/db/tables.ts'
import type { Entry } from '../platform/ledger/extrato.ts'
import type { Saldo } from '../platform/ledger/rules.ts'
import { thousands } from '../platform/texto.ts'
import type { listContas } from './conta.ts'
import { precoXmlOf } from './resumo.ts'

const nomes: Record<TipoLancamento, string> = {
  hold: 'reserva',
  charge: 'cobrança',
  release: 'cota vencida',
  grant: 'concessão',
  renewal: 'renovação',
  debit: 'débito',
}

/** Without colours: the tables are also read in files. */
export const style = { head: [], border: [], compact: true }

/** What a command says of a balance that it changed. */
export const saldoDito = ({ cota, extra }: Saldo): string => `Saldo: ${cota} da cota + ${extra} extras.`

/** Writes accounts as a table, or as JSON, with the price of a note as `contas mostrar` has it. */
export function showContas(contas: Awaited<ReturnType<typeof listContas>>, json: boolean): void {
  if (json) {
    const told = contas.map((conta) => ({ ...conta, preco_xml: precoXmlOf(conta) }))
    console.log(JSON.stringify(told, null, 2))
    return
  }
  const table = new Table({
    style,
    head: ['Conta', 'E-mail', 'Plano', 'Situação', 'Cota', 'Extras', 'Mês', 'Criada em'],
  })
  for (const { nome, email, plano, bloqueio, cota, extra, periodo, criada_em } of contas)
    table.push([
      nome,
      email,
      plano,
      bloqueio ? 'bloqueada' : 'ativa',
      thousands(cota),
      thousands(extra),
      periodo,
      instant(criada_em),
    ])
  console.log(table.toString())
}

/** Writes the entries of an account as a table, or as JSON. */
export function showExtrato(entries: Entry[], json: boolean): void {
  if (json) {
    console.log(JSON.stringify(entries, null, 2))
    return
  }
  const table = new Table({
    style,
    head: ['Quando', 'O quê', 'Créditos', 'Cota', 'Extras', 'Consulta ou motivo', 'request_id'],
  })
  for (const { criado_em, tipo, creditos, cota, extra, endpoint, request_id } of entries)
    table.push([
      instant(criado_em),
      nomes[tipo],
      thousands(creditos),
      signed(cota),
      signed(extra),
      endpoint,
      request_id,
    ])
  console.log(table.toString())
}

const signed = (value: number): string => value.toLocaleString('pt-BR', { signDisplay: 'exceptZero' })

/** A moment in Brasília, for people. */
export const instant = (date: Date): string =>
  date.toLocaleString('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'medium' })
