import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { issueKey, newKey } from '../contas/chave.ts'
import { type Conta, findContaByEmail, listContas } from '../contas/conta.ts'
import { changePlano } from '../contas/plano.ts'
import { createConta } from '../contas/registrar.ts'
import { isPlano, type NomePlano, planos } from '../domain/credito/planos.ts'
import type { Db } from '../store/db/db.ts'
import { StoreError } from '../store/db/store-error.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { showContas, showExtrato } from './contas-table.ts'

/** The open books. `close` ends them. */
type Livros = { db: Db; secret: string; ledger: Ledger; close: () => Promise<void> }

type Options = { open: () => Promise<Livros>; now: () => Date }

const nomes = Object.keys(planos).join(', ')

/**
 * `fiscal contas`: accounts, their keys, plans and credits. It works beside a running server, on both
 * databases.
 */
export function addContasCommands(program: Command, { open, now }: Options): void {
  const command = program.command('contas').description('contas, chaves de API, planos e créditos')
  const using = async <T>(work: (livros: Livros) => Promise<T>): Promise<T> => {
    const livros = await open()
    try {
      return await work(livros)
    } finally {
      await livros.close()
    }
  }
  addContaCommands(command, using, now)
  addKeyCommands(command, using, now)
  addCreditCommands(command, using, now)
}

type Using = <T>(work: (livros: Livros) => Promise<T>) => Promise<T>

function addContaCommands(command: Command, using: Using, now: () => Date): void {
  command
    .command('criar')
    .description('cria uma conta e mostra a chave de API dela')
    .requiredOption('--nome <nome>', 'nome de quem usa a conta')
    .requiredOption('--email <email>', 'e-mail, único entre as contas')
    .option('--plano <plano>', `plano: ${nomes}`, parsePlano, 'lite')
    .action((conta: { nome: string; email: string; plano: NomePlano }) =>
      using(async ({ db, secret }) => {
        const made = await createConta(db, { ...conta, now: now() })
        if (!made)
          throw new StoreError(`Já existe uma conta com o e-mail ${conta.email.trim().toLowerCase()}.`)
        const { id, email, plano } = made
        console.log(`Conta ${email} criada no plano ${plano}.`)
        console.log(`Chave de API: ${await issueKey(db, secret, id, { now: now() })}`)
      }),
    )
  command
    .command('listar')
    .description('lista as contas, com o saldo de créditos')
    .addOption(json())
    .action((options: { json?: true }) =>
      using(async ({ db }) => showContas(await listContas(db), options.json === true)),
    )
  command
    .command('plano <email> <plano>')
    .description(
      'muda o plano: um maior acrescenta já a diferença de créditos, um menor vale no mês seguinte',
    )
    .action((email: string, plano: string) =>
      using(async ({ db }) => {
        const nome = parsePlano(plano)
        const saldo = await changePlano(db, (await conta(db, email)).id, nome, now())
        console.log(
          `${email}: plano ${nome} (a cota de um plano menor vale a partir do mês seguinte). Saldo: ${saldo.cota} da cota + ${saldo.extra} extras.`,
        )
      }),
    )
}

function addKeyCommands(command: Command, using: Using, now: () => Date): void {
  command
    .command('chave <email>')
    .description(
      'gera outra chave de API; a anterior deixa de valer em até 5 segundos, ou no fim da carência',
    )
    .option('--carencia <horas>', 'por quantas horas a anterior ainda vale (0 a 24)', parseNumber, 0)
    .action((email: string, { carencia }: { carencia: number }) =>
      using(async ({ db, secret }) => {
        const { id } = await conta(db, email)
        const chave = await issueKey(db, secret, id, { carenciaHoras: carencia, now: now() })
        console.log(`Chave de API: ${chave}`)
      }),
    )
  command
    .command('chave-nova')
    .description('sorteia uma chave de API para usar em BOOTSTRAP_API_KEY; não a dá a conta alguma')
    .action(() => console.log(newKey()))
}

function addCreditCommands(command: Command, using: Using, now: () => Date): void {
  command
    .command('creditos <email> <quantidade>')
    .description('acrescenta créditos extras, que não expiram')
    .option('--motivo <texto>', 'o que o extrato dirá', 'créditos extras')
    .action((email: string, quantidade: string, { motivo }: { motivo: string }) =>
      using(async ({ db, ledger }) => {
        const creditos = parseNumber(quantidade)
        const { id } = await conta(db, email)
        const saldo = await ledger.grant({ conta_id: id, creditos, motivo, request_id: randomUUID() })
        console.log(
          `${creditos} créditos para ${email}. Saldo: ${saldo.cota} da cota + ${saldo.extra} extras.`,
        )
      }),
    )
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
    .action((email: string, { dias, mes, limite, json: asJson }: ExtratoOptions) =>
      using(async ({ db, ledger }) => {
        const { id } = await conta(db, email)
        const desde = new Date(now().getTime() - dias * 86_400_000)
        const entries = mes ? ledger.extratoDoMes(id, { mes, limite }) : ledger.extrato(id, { desde, limite })
        showExtrato(await entries, asJson === true)
      }),
    )
}

type ExtratoOptions = { dias: number; mes?: string; limite: number; json?: true }

async function conta(db: Db, email: string): Promise<Conta> {
  const found = await findContaByEmail(db, email)
  if (!found) throw new StoreError(`Não há conta com o e-mail ${email}. Veja "fiscal contas listar".`)
  return found
}

const json = (): Option => new Option('--json', 'escreve JSON em vez de tabela')

function parsePlano(text: string): NomePlano {
  if (isPlano(text)) return text
  throw new InvalidArgumentError(`Os planos são ${nomes}.`)
}

function parseMes(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('Envie ano e mês, como 2026-11.')
}

function parseNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Envie um número inteiro.')
}
