import { text } from 'node:stream/consumers'
import Table from 'cli-table3'
import type { Command } from 'commander'
import { StoreError } from '../platform/db/outage.ts'
import type { NomePlano } from '../platform/ledger/rules.ts'
import { confirmarPeloOperador, criarConvite } from './cadastro.ts'
import { codigoDaSenha } from './cartas-de-acesso.ts'
import {
  type ComLivros,
  contaOf,
  instant,
  json,
  parseNumber,
  parsePlano,
  planosListed,
  style,
  tell,
} from './command-table.ts'
import { normalizarEmail } from './rules.ts'
import { definirSenha } from './senha-nova.ts'
import { openAcessos } from './store-acessos.ts'

type Asked = { json?: true }

/** What these commands need: `publico` is the address of the pages, and `entrada` gives standard input. */
export type ComPaginas = ComLivros & { publico?: string | undefined; entrada?: () => Promise<string> }

/** `senha`, `convidar`, `confirmar`, `acessos` and `encerrar`: who may come in, without a mail server too. */
export function addAcessoCommands(command: Command, livros: ComPaginas): void {
  addSenha(command, livros)
  addConvidar(command, livros)
  addConfirmar(command, livros)
  addAcessos(command, livros)
}

const HOUR_MS = 3_600_000

/** A code, in the address of the page that takes it where the address of the service is known. */
const dito = (publico: string | undefined, pagina: string, codigo: string): string =>
  publico === undefined ? codigo : `${publico}/${pagina}${codigo}`

function addSenha(
  command: Command,
  { using, now, publico, entrada = () => text(process.stdin) }: ComPaginas,
): void {
  command
    .command('senha <email>')
    .description('faz um código de uso único com que o dono da conta escolhe a senha, ou define a senha')
    .option('--entrada', 'lê a senha nova da entrada padrão e a define; encerra os acessos da conta')
    .option('--horas <horas>', 'por quantas horas o código vale', parseNumber, 24)
    .addOption(json())
    .action((given: string, options: Asked & { entrada?: true; horas: number }) =>
      using(async ({ db }) => {
        const conta = await contaOf(db, given)
        const { email } = conta
        if (options.entrada) {
          const fraca = await definirSenha(db, conta, (await entrada()).replace(/\r?\n$/, ''), now())
          if (fraca !== undefined) throw new StoreError(fraca)
          tell(options, { email, definida: true }, `${email}: senha definida, e os acessos encerrados.`)
          return
        }
        const { horas } = options
        const codigo = await codigoDaSenha(db, conta, { vidaMs: horas * HOUR_MS, now: now() })
        const said = dito(publico, 'nova-senha/?codigo=', codigo)
        const words = `Entregue a ${email}: vale uma vez, por ${horas} horas, em /nova-senha/\n${said}`
        tell(options, { email, codigo, horas, endereco: publico && said }, words)
      }),
    )
}

function addConvidar(command: Command, { using, now, publico }: ComPaginas): void {
  command
    .command('convidar')
    .description('faz um convite: um código com que se cria uma conta')
    .option('--email <email>', 'só para este e-mail; sem ele, para quem tiver o código')
    .option('--plano <plano>', `plano da conta: ${planosListed}`, parsePlano, 'lite')
    .option('--dias <dias>', 'por quantos dias vale', parseNumber, 7)
    .addOption(json())
    .action((options: Asked & { email?: string; plano: NomePlano; dias: number }) =>
      using(async ({ db }) => {
        const { plano, dias } = options
        const email = options.email === undefined ? '' : normalizarEmail(options.email)
        if (email === undefined) throw new StoreError(`"${options.email}" não é um e-mail.`)
        const convite = await criarConvite(db, { email, plano, dias, now: now() })
        const said = dito(publico, 'criar-conta/?convite=', convite)
        const whose = email === '' ? 'quem o receber' : email
        const words = `Convite para ${whose}, plano ${plano}, por ${dias} dias, uma conta:\n${said}`
        tell(options, { convite, email, plano, dias, endereco: publico && said }, words)
      }),
    )
}

function addConfirmar(command: Command, { using, now }: ComPaginas): void {
  command
    .command('confirmar <email>')
    .description('confirma um e-mail no lugar da mensagem que não chegou; o cadastro vira conta')
    .addOption(json())
    .action((given: string, options: Asked) =>
      using(async ({ db, secret }) => {
        const email = normalizarEmail(given) ?? ''
        const feito = await confirmarPeloOperador({ now, db, secret }, email)
        if (feito === 'codigo-invalido')
          throw new StoreError(`Ninguém espera confirmação com o e-mail ${given} nas últimas 24 horas.`)
        if (feito === 'varios')
          throw new StoreError(
            `Há mais de um cadastro à espera com o e-mail ${given}, cada um com a sua senha, e só a mensagem chega ao dono. Crie a conta com "fiscal contas criar", e dê a ele o código de "fiscal contas senha".`,
          )
        if (feito === 'email-em-uso') throw new StoreError(`${given} já tem uma conta.`)
        if (feito === 'convite-invalido') throw new StoreError('O convite foi usado por outra conta.')
        const { id, plano } = feito
        tell(options, { id, email, plano }, `${email}: e-mail confirmado, conta no plano ${plano}.`)
      }),
    )
}

function addAcessos(command: Command, { using, now }: ComPaginas): void {
  command
    .command('acessos <email>')
    .description('lista quem entrou na conta: sessões das páginas e logins da API')
    .addOption(json())
    .action((given: string, options: Asked) =>
      using(async ({ db }) => {
        const { id } = await contaOf(db, given)
        const acessos = await openAcessos(db, { now }).list(id)
        const table = new Table({ style, head: ['Acesso', 'Tipo', 'Desde', 'Visto em', 'Até', 'De onde'] })
        for (const { id: acesso, tipo, criado_em, visto_em, expira_em, endereco, agente } of acessos)
          table.push([
            acesso,
            tipo,
            instant(criado_em),
            instant(visto_em),
            instant(expira_em),
            `${endereco} ${agente}`,
          ])
        tell(options, acessos, acessos.length === 0 ? 'Ninguém está na conta.' : table.toString())
      }),
    )
  command
    .command('encerrar <email>')
    .description('encerra os acessos da conta em até 5 segundos; a senha e a chave continuam as mesmas')
    .option('--acesso <id>', 'só este, de "contas acessos"')
    .addOption(json())
    .action((given: string, options: Asked & { acesso?: string }) =>
      using(async ({ db }) => {
        const { id, email } = await contaOf(db, given)
        const { encerrar, encerrarTodos } = openAcessos(db, { now })
        const encerrados =
          options.acesso === undefined ? await encerrarTodos(id) : Number(await encerrar(id, options.acesso))
        tell(options, { email, encerrados }, `${email}: acessos encerrados: ${encerrados}.`)
      }),
    )
}
