import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { ConfigError, readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { StoreError } from '../store/store-error.ts'
import { addCnpjCommands } from './cnpj.ts'
import { addBaixarCommand } from './cnpj-baixar.ts'
import { addConfigCommands } from './config.ts'
import { addContasCommands } from './contas.ts'

/** The `fiscal` command of operators. Mistakes that they can mend are told in Portuguese, without a stack. */
export async function main(argv: string[]): Promise<void> {
  const program = new Command('fiscal')
    .description('Operação do Consulta Fiscal. As configurações vêm do ambiente e de um arquivo .env.')
    .showHelpAfterError('(use --help para ver as opções)')
    .configureHelp({ sortSubcommands: true })
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) throw error
    process.exitCode = 1
    console.error(error instanceof Error ? error.message : error)
  }
}
