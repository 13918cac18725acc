import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import { StoreError } from '../platform/db/outage.ts'
import { available, type NomePlano } from '../platform/ledger/rules.ts'
import { thousands } from '../platform/texto.ts'
import {
  type ComLivros,
  contaOf,
  json,
  parseCreditos,
  parseMes,
  parseMotivo,
  parseNumber,
  parsePlano,
  parseReais,
  saldoDito,
  showExtrato,
  tell,
} from './command-table.ts'
import { precoXmlOf } from './lookup.ts'
import { blockConta, changePlano, endPreco, negotiatePreco, unblockConta } from './store-contas.ts'

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

type Asked = { json?: true }

export function addTermsCommands(command: Command, livros: ComLivros): void {
  addPlano(command, livros)
  addPreco(command, livros)
  addBloqueio(command, livros)
}

function addPlano(command: Command, { using, now }: ComLivros): void {
  command
    .command('plano')
    .argument('<email>')
    .argument('<plano>', '', parsePlano)
    .description(
      'muda o plano: um maior acrescenta já a diferença de créditos, um menor vale no mês seguinte',
    )
    .addOption(json())
    .action((email: string, plano: NomePlano, options: Asked) =>
      using(async ({ db }) => {
        const conta = await contaOf(db, email)
        const saldo = await changePlano(db, conta.id, plano, now())
        const text = `${conta.email}: plano ${plano} (a cota de um plano menor vale a partir do mês seguinte). ${saldoDito(saldo)}`
        tell(options, { email: conta.email, plano, saldo }, text)
      }),
    )
}

function addPreco(command: Command, { using }: ComLivros): void {
  command
    .command('preco-exclusivo <email>')
    .description(
      'dá à conta o preço negociado do XML de NF-e: 1 crédito a nota; vale em até 5 segundos, para as chamadas novas',
    )
    .option('--reais <preço>', 'preço de uma nota em reais, como 0,12; sem ele, nenhum', parseReais)
    .addOption(new Option('--remover', 'volta ao preço do plano: 3 créditos a nota').conflicts('reais'))
    .addOption(json())
    .action((given: string, options: Asked & { reais?: string; remover?: true }) =>
      using(async ({ db }) => {
        const { id, email, plano } = await contaOf(db, given)
        const { remover, reais = '' } = options
        await (remover ? endPreco(db, id) : negotiatePreco(db, id, reais))
        const preco_exclusivo = !remover
        const preco_xml = precoXmlOf({ plano, preco_exclusivo, preco_xml: reais })
        const agreed = reais === '' ? 'sem preço em reais' : `R$ ${reais.replace('.', ',')}`
        const text = remover
          ? `${email}: preço do plano ${plano}, ${preco_xml.creditos} créditos a nota.`
          : `${email}: preço negociado, ${preco_xml.creditos} crédito a nota, ${agreed}.`
        tell(options, { email, preco_exclusivo, preco_xml }, text)
      }),
    )
}

function addBloqueio(command: Command, { using, now }: ComLivros): void {
  command
    .command('bloquear <email>')
    .description(
      'recusa as chaves da conta em até 5 segundos (403 CONTA_BLOQUEADA); o que já está em andamento termina e é cobrado',
    )
    .requiredOption('--motivo <texto>', 'por quê: o cliente o lê na recusa', parseMotivo)
    .addOption(json())
    .action((given: string, options: Asked & { motivo: string }) =>
      using(async ({ db }) => {
        const { id, email } = await contaOf(db, given)
        await blockConta(db, id, { motivo: options.motivo, now: now() })
        const { bloqueio } = await contaOf(db, email)
        tell(options, { email, bloqueio }, `${email}: bloqueada. Motivo: ${options.motivo}`)
      }),
    )
  command
    .command('desbloquear <email>')
    .description('volta a aceitar as chaves da conta, em até 5 segundos')
    .addOption(json())
    .action((given: string, options: Asked) =>
      using(async ({ db }) => {
        const { id, email } = await contaOf(db, given)
        const estava_bloqueada = await unblockConta(db, id)
        const text = estava_bloqueada ? `${email}: desbloqueada.` : `${email} não estava bloqueada.`
        tell(options, { email, bloqueio: null, estava_bloqueada }, text)
      }),
    )
}
