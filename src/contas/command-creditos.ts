import { type Command, Option } from 'commander'
import type { NomePlano } from '../platform/ledger/rules.ts'
import { saldoDito } from './command-table.ts'
import { type ComLivros, contaOf } from './contas-livros.ts'
import { json, parseMotivo, parsePlano, parseReais, tell } from './contas-options.ts'
import { changePlano } from './plano.ts'
import { precoXmlOf } from './resumo.ts'
import { blockConta, endPreco, negotiatePreco, unblockConta } from './termos.ts'

type Asked = { json?: true }

/** `plano`, `preco-exclusivo`, `bloquear` and `desbloquear`: what an account may do, and at what price. */
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
