import { join } from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { addCnpjCommands } from './cnpj.ts'
import { addBaixarCommand } from './cnpj-baixar.ts'
import { addConfigCommands } from './config.ts'
import { addContasCommands } from './contas.ts'

/** The `fiscal` command of operators. What they can mend is told in Portuguese, without a stack. */
export async function main(argv: string[]): Promise<void> {
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
    .configureHelp({ styleTitle: toPortuguese })
  addConfigCommands(program, config)
  const cnpj = addCnpjCommands(program, { raiz: join(config.DATA_DIR, 'cnpj'), now })
  addBaixarCommand(cnpj, {
    url: config.CNPJ_WEBDAV_URL,
    token: config.CNPJ_WEBDAV_TOKEN,
    dataDir: config.DATA_DIR,
    live: config.AUTHORITIES === 'live',
  })
  addContasCommands(program, { open: () => createContext(config, now, false), now })
  return program
}

const titles: Record<string, string> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opções:',
  'Commands:': 'Comandos:',
}

const toPortuguese = (title: string): string => titles[title] ?? title
