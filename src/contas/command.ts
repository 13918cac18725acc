import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { dataBrasileira } from '../documento/dia.ts'
import { StoreError } from '../platform/db/outage.ts'
import type { NomePlano } from '../platform/ledger/rules.ts'
import { drawTable, say, wrap } from '../platform/terminal.ts'
import { thousands } from '../platform/texto.ts'
import { confirmByOperator, createConvite } from './cadastro.ts'
import { addCreditCommands, addTermsCommands } from './command-creditos.ts'
import {
  type ComLivros,
  contaOf,
  instant,
  json,
  type Livros,
  parseNumber,
  parsePlano,
  planosListed,
  showContas,
  tell,
} from './command-table.ts'
import { codigoDaSenha, setSenha } from './login.ts'
import { type ResumoDaConta, summarize } from './lookup.ts'
import { normalizeEmail } from './rules.ts'
import { openAcessos } from './store-acessos.ts'
import { countKeys, issueKey, newKey } from './store-chaves.ts'
import { type Conta, createConta, listContas } from './store-contas.ts'

type Asked = { json?: true }

export type ComPaginas = ComLivros & {
  publico?: string | undefined
  /** Where the service is on this machine, for a link where no public address is set. */
  local?: string
  entrada?: () => Promise<string>
}

export function addAcessoCommands(command: Command, livros: ComPaginas): void {
  addSenha(command, livros)
  addConvidar(command, livros)
  addConfirmar(command, livros)
  addAcessos(command, livros)
}

const HOUR_MS = 3_600_000

const dito = (publico: string | undefined, pagina: string, codigo: string): string =>
  publico === undefined ? codigo : `${publico}/${pagina}${codigo}`

function addSenha(
  command: Command,
  { using, now, publico, local, entrada = () => text(process.stdin) }: ComPaginas,
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
          const fraca = await setSenha(db, conta, (await entrada()).replace(/\r?\n$/, ''), now())
          if (fraca !== undefined) throw new StoreError(fraca)
          tell(options, { email, definida: true }, `${email}: senha definida, e os acessos encerrados.`)
          return
        }
        const { horas } = options
        const codigo = await codigoDaSenha(db, conta, { vidaMs: horas * HOUR_MS, now: now() })
        const said = dito(publico ?? local, 'nova-senha/?codigo=', codigo)
        const words = `Entregue a ${email}: vale uma vez, por ${horas} horas${said === codigo ? ', em /nova-senha/' : ''}\n${said}`
        tell(options, { email, codigo, horas, endereco: publico && said }, words)
      }),
    )
}

function addConvidar(command: Command, { using, now, publico, local }: ComPaginas): void {
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
        const email = options.email === undefined ? '' : normalizeEmail(options.email)
        if (email === undefined) throw new StoreError(`"${options.email}" não é um e-mail.`)
        const convite = await createConvite(db, { email, plano, dias, now: now() })
        const said = dito(publico ?? local, 'criar-conta/?convite=', convite)
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
        const email = normalizeEmail(given) ?? ''
        const feito = await confirmByOperator({ now, db, secret }, email)
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
        const rows = acessos.map(({ id: acesso, tipo, criado_em, visto_em, expira_em, endereco, agente }) => [
          acesso,
          tipo,
          instant(criado_em),
          instant(visto_em),
          instant(expira_em),
          `${endereco} ${agente}`,
        ])
        const shown = drawTable(['Acesso', 'Tipo', 'Desde', 'Visto em', 'Até', 'De onde'], rows)
        tell(options, acessos, acessos.length === 0 ? 'Ninguém está na conta.' : shown)
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
        const { end, endAll } = openAcessos(db, { now })
        const encerrados =
          options.acesso === undefined ? await endAll(id) : Number(await end(id, options.acesso))
        tell(options, { email, encerrados }, `${email}: acessos encerrados: ${encerrados}.`)
      }),
    )
}

type Mostrada = { conta: Conta; resumo: ResumoDaConta; chaves: Awaited<ReturnType<typeof countKeys>> }

/** Writes all of an account but its keys' texts, for people or as JSON with the names of `/api/v1/conta`. */
export function showConta({ conta, resumo, chaves }: Mostrada, json: boolean): void {
  const { id, email, criada_em, bloqueio } = conta
  if (json) console.log(JSON.stringify({ id, email, criada_em, bloqueio, ...resumo, chaves }, null, 2))
  else say([...linesOf({ conta, resumo, chaves }).map((line) => wrap(line)), '', usoTable(resumo)].join('\n'))
}

function linesOf({ conta, resumo, chaves }: Mostrada): string[] {
  const { plano, limites, creditos, renova_em, uso } = resumo
  const { bloqueio } = conta
  const { cota, cota_restante, extras, reservados, disponiveis } = creditos
  return [
    `Conta: ${conta.nome} <${conta.email}>, ${conta.id}`,
    `Criada em: ${instant(conta.criada_em)}`,
    `Situação: ${bloqueio ? `bloqueada desde ${instant(bloqueio.desde)}: ${bloqueio.motivo}` : 'ativa'}`,
    `Plano: ${plano}, ${limites.requisicoes_por_minuto} requisições por minuto`,
    `Preço do XML de NF-e: ${precoText(resumo)}`,
    `Créditos: ${thousands(disponiveis)} disponíveis: ${thousands(cota_restante)} da cota de ${thousands(cota)} e ${thousands(extras)} extras; mais ${thousands(reservados)} reservados`,
    `Cota renova em: ${instant(new Date(renova_em))}`,
    `Chaves: ${keysText(chaves)}`,
    `Uso de ${dataBrasileira(uso.mes)}, em créditos: ${thousands(uso.creditos_total)} cobrados em consultas, ${thousands(uso.extras_concedidos)} extras concedidos, ${thousands(uso.creditos_debitados)} debitados`,
  ]
}

function precoText({ preco_exclusivo, preco_xml: { creditos, reais } }: ResumoDaConta): string {
  const price = reais === '' ? 'sem preço em reais' : `R$ ${reais.replace('.', ',')}`
  return `${creditos} ${creditos === 1 ? 'crédito' : 'créditos'}, ${price} (${preco_exclusivo ? 'negociado' : 'do plano'})`
}

function keysText({ total, atual_desde, anterior_ate }: Mostrada['chaves']): string {
  const current = atual_desde ? `a atual desde ${instant(atual_desde)}` : 'nenhuma vale'
  const before = anterior_ate ? `; a anterior até ${instant(anterior_ate)}` : ''
  return `${thousands(total)} ${total === 1 ? 'emitida' : 'emitidas'}, ${current}${before}`
}

function usoTable({ uso }: ResumoDaConta): string {
  if (uso.endpoints.length === 0) return 'Nada foi cobrado neste mês.'
  const rows = uso.endpoints.map(({ endpoint, chamadas, creditos }) => [
    endpoint,
    thousands(chamadas),
    thousands(creditos),
  ])
  return drawTable(['Endpoint', ['Chamadas', 'right'], ['Créditos', 'right']], rows)
}

export function addCadastroCommands(command: Command, { using, now }: ComLivros): void {
  command
    .command('criar')
    .description('cria uma conta e mostra a chave de API dela')
    .requiredOption('--nome <nome>', 'nome de quem usa a conta')
    .requiredOption('--email <email>', 'e-mail, único entre as contas')
    .option('--plano <plano>', `plano: ${planosListed}`, parsePlano, 'lite')
    .addOption(json())
    .action((options: { nome: string; email: string; plano: NomePlano; json?: true }) =>
      using(async ({ db, secret }) => {
        const made = await createConta(db, { ...options, now: now() })
        if (!made)
          throw new StoreError(`Já existe uma conta com o e-mail ${options.email.trim().toLowerCase()}.`)
        const { id, nome, email, plano } = made
        const chave = await issueKey(db, secret, id, { now: now() })
        const text = `Conta ${email} criada no plano ${plano}.\nChave de API: ${chave}`
        tell(options, { id, nome, email, plano, chave }, text)
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
    .command('mostrar <email>')
    .description(
      'mostra tudo de uma conta: plano, preço, créditos, uso do mês por endpoint, chaves, bloqueio; nunca o texto de uma chave',
    )
    .addOption(json())
    .action((email: string, options: { json?: true }) =>
      using(async ({ db, ledger }) => {
        const { id } = await contaOf(db, email)
        const { conta, resumo } = await summarize({ db, ledger }, id)
        showConta({ conta, resumo, chaves: await countKeys(db, id) }, options.json === true)
      }),
    )
}

export function addKeyCommands(command: Command, { using, now }: ComLivros): void {
  command
    .command('chave <email>')
    .description(
      'gera outra chave de API; a anterior deixa de valer em até 5 segundos, ou no fim da carência',
    )
    .option('--carencia <horas>', 'por quantas horas a anterior ainda vale (0 a 24)', parseNumber, 0)
    .addOption(json())
    .action((given: string, options: { carencia: number; json?: true }) =>
      using(async ({ db, secret }) => {
        const { id, email } = await contaOf(db, given)
        const { carencia } = options
        const chave = await issueKey(db, secret, id, { carenciaHoras: carencia, now: now() })
        tell(options, { email, chave, carencia_horas: carencia }, `Chave de API: ${chave}`)
      }),
    )
  command
    .command('chave-nova')
    .description('sorteia uma chave de API para usar em BOOTSTRAP_API_KEY; não a dá a conta alguma')
    .addOption(json())
    .action((options: { json?: true }) => {
      const chave = newKey()
      tell(options, { chave }, chave)
    })
}

type Options = Omit<ComPaginas, 'using'> & { open: () => Promise<Livros> }

/** Works beside a running server, on both databases. */
export function addContasCommands(program: Command, { open, ...given }: Options): void {
  const command = program.command('contas').description('contas, chaves de API, planos e créditos')
  const using: ComLivros['using'] = async (work) => {
    const livros = await open()
    try {
      return await work(livros)
    } finally {
      await livros.close()
    }
  }
  const adders = [addCadastroCommands, addTermsCommands, addKeyCommands, addCreditCommands, addAcessoCommands]
  for (const add of adders) add(command, { using, ...given })
}
