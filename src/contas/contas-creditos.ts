import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import { StoreError } from '../platform/db/outage.ts'
import { available } from '../platform/ledger/rules.ts'
import { thousands } from '../platform/texto.ts'
import { saldoDito, showExtrato } from './command-table.ts'
import { type ComLivros, contaOf } from './contas-livros.ts'
import { json, parseCreditos, parseMes, parseMotivo, parseNumber, tell } from './contas-options.ts'

/** `creditos`, `debitar` and `extrato`: what the operator enters in the books, and what they say. */
export function addCreditCommands(command: Command, livros: ComLivros): void {
  addCreditos(command, livros)
  addDebitar(command, livros)
  addExtrato(command, livros)
}

type Motivado = { motivo: string; json?: true }

function addCreditos(command: Command, { using }: ComLivros): void {
  command
    .command('creditos')
    .argument('<email>')
    .argument('<quantidade>', '', parseNumber)
    .description('acrescenta créditos extras, que não expiram')
    // Older than the rules of a reason: an operator's script that sends none of credits or any text goes on.
    .option('--motivo <texto>', 'o que o extrato dirá', 'créditos extras')
    .addOption(json())
    .action((given: string, creditos: number, options: Motivado) =>
      using(async ({ db, ledger }) => {
        const { id, email } = await contaOf(db, given)
        const { motivo } = options
        const request_id = randomUUID()
        const saldo = await ledger.grant({ conta_id: id, creditos, motivo, request_id })
        const text = `${creditos} créditos para ${email}. ${saldoDito(saldo)}`
        tell(options, { email, request_id, creditos, motivo, saldo }, text)
      }),
    )
}

function addDebitar(command: Command, { using }: ComLivros): void {
  command
    .command('debitar')
    .argument('<email>')
    .argument('<creditos>', '', parseCreditos)
    .description(
      'tira créditos da conta, a cota primeiro e depois os extras; cada execução é um lançamento próprio',
    )
    .requiredOption('--motivo <texto>', 'por quê: o extrato o mostra', parseMotivo)
    .addOption(json())
    .action((given: string, creditos: number, options: Motivado) =>
      using(async ({ db, ledger }) => {
        const { id, email } = await contaOf(db, given)
        const { motivo } = options
        const request_id = randomUUID()
        const { ok, saldo } = await ledger.debit({ conta_id: id, creditos, motivo, request_id })
        if (!ok)
          throw new StoreError(
            `${email} tem ${thousands(available(saldo))} créditos disponíveis, menos que ${thousands(creditos)}. Nada foi debitado.`,
          )
        const text = `${creditos} créditos debitados de ${email}, lançamento ${request_id}. ${saldoDito(saldo)}`
        tell(options, { email, request_id, creditos, motivo, saldo }, text)
      }),
    )
}

type Desejado = { dias: number; mes?: string; limite: number; json?: true }

function addExtrato(command: Command, { using, now }: ComLivros): void {
  command
    .command('extrato <email>')
    .description('mostra os lançamentos da conta, do mais novo ao mais antigo')
    .option('--dias <dias>', 'quantos dias para trás', parseNumber, 31)
    .addOption(
      new Option('--mes <AAAA-MM>', 'só os de um mês, no lugar de --dias')
        .argParser(parseMes)
        .conflicts('dias'),
    )
    .option('--limite <linhas>', 'no máximo quantos lançamentos', parseNumber, 50)
    .addOption(json())
    .action((email: string, { dias, mes, limite, json: asJson }: Desejado) =>
      using(async ({ db, ledger }) => {
        const { id } = await contaOf(db, email)
        const desde = new Date(now().getTime() - dias * 86_400_000)
        const entries = mes ? ledger.extratoDoMes(id, { mes, limite }) : ledger.extrato(id, { desde, limite })
        showExtrato(await entries, asJson === true)
      }),
    )
}
