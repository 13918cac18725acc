import { join } from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../config/config.ts'
import type { Config } from '../config/settings.ts'
import { type Books, openBooks } from '../context/books.ts'
import { keepToOneself, makeDataFolder } from '../context/data-folder.ts'
import { openSessoes, type Sessoes } from '../store/sessoes/sessoes.ts'
import { addCertificadosCommands } from './certificados.ts'
import { addCnpjCommands } from './cnpj.ts'
import { addBaixarCommand } from './cnpj-baixar.ts'
import { addConfigCommands } from './config.ts'
import { addContasCommands } from './contas.ts'
import { addFontesCommands } from './fontes.ts'
import { addSigefCommands } from './sigef.ts'
import { addSimuladorCommands } from './simulador.ts'
import { addTrabalhosCommands } from './trabalhos.ts'

/** The `fiscal` command of operators. Errors that they can mend are Portuguese, without a stack. */
export async function main(argv: string[]): Promise<void> {
  keepToOneself()
  try {
    await buildProgram().parseAsync(argv)
  } catch (error) {
    process.exitCode = 1
    console.error(error instanceof Error ? error.message : error)
  }
}

function buildProgram(): Command {
  const config = readConfig()
  const now = () => new Date()
  const program = new Command('fiscal')
    .description(
      'Operação do Consulta Fiscal. As configurações vêm do ambiente e de um arquivo .env (veja "fiscal config").',
    )
    .showHelpAfterError('(use --help para ver as opções)')
    .helpOption('-h, --help', 'mostra esta ajuda')
    .helpCommand('help [comando]', 'mostra a ajuda de um comando')
    .configureHelp({
      styleTitle: toPortuguese,
      styleUsage: helpToPortuguese,
      styleSubcommandTerm: helpToPortuguese,
      styleOptionDescription: helpToPortuguese,
    })
    .configureOutput({ outputError: (message, write) => write(errorToPortuguese(message)) })
  addConfigCommands(program, config)
  const cnpj = addCnpjCommands(program, { raiz: join(config.DATA_DIR, 'cnpj'), now })
  cnpj.hook('preAction', () => makeDataFolder(config))
  addBaixarCommand(cnpj, {
    url: config.CNPJ_WEBDAV_URL,
    token: config.CNPJ_WEBDAV_TOKEN,
    dataDir: config.DATA_DIR,
    live: config.AUTHORITIES === 'live',
  })
  addCertificadosCommands(program, { ...config, now })
  addContasCommands(program, { open: () => openBooks(config, now, false), now })
  addFontesCommands(program, { config, now })
  const hasSimulated = config.AUTHORITIES !== 'live'
  addSigefCommands(program, { open: () => openOwn(config, now), now, hasSimulated })
  addSimuladorCommands(program)
  addTrabalhosCommands(program, { open: () => openBooks(config, now, false) })
  return program
}

/** The operator's session, as the server with these settings keeps it. */
async function openOwn(
  config: Config,
  now: () => Date,
): Promise<{ sessoes: Sessoes; close: Books['close'] }> {
  const { db, secret, close } = await openBooks(config, now, false)
  return { sessoes: openSessoes(db, { secret, now, simulador: config.AUTHORITIES !== 'live' }), close }
}

const titles: Record<string, string> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opções:',
  'Commands:': 'Comandos:',
}

/** The messages of commander for a mistyped command. */
const errors: [RegExp, string][] = [
  [/^error: /, 'Erro: '],
  [/required option (.+) not specified/, 'falta a opção $1'],
  [/missing required argument (.+)/, 'falta o argumento $1'],
  [/unknown command (.+)/, 'não há o comando $1'],
  [/\(Did you mean one of (.+)\?\)/, '(seria um destes: $1?)'],
  [/\(Did you mean (.+)\?\)/, '(seria $1?)'],
  [/unknown option (.+)/, 'não há a opção $1'],
  [/too many arguments.*/, 'há argumentos demais'],
  [/option (.+) argument missing/, 'a opção $1 pede um valor'],
  [/option (.+) cannot be used with option (.+)/, 'as opções $1 e $2 não vão juntas'],
  [/option (.+) argument (.+) is invalid\./, 'o valor $2 da opção $1 não serve:'],
  [/command-argument value (.+?) is invalid for argument (.+?)\./, 'o valor $1 do argumento $2 não serve:'],
]

const errorToPortuguese = (message: string): string =>
  errors.reduce((text, [pattern, words]) => text.replace(pattern, words), message)

/** The words of commander in a help page. */
const helpToPortuguese = (text: string): string =>
  text.replace('[options]', '[opções]').replace('[command]', '[comando]').replace('(default: ', '(padrão: ')

const toPortuguese = (title: string): string => titles[title] ?? title
