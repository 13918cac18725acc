/**
 * Runs the commands of the CNPJ base alone. As a process its first argument is the data folder: `node
 * base-comando.ts RAIZ cnpj importar ...`.
 */
import { Command } from 'commander'
import { addCnpjCommands } from '../../src/cnpj/command.ts'

export async function runCnpj(raiz: string, args: string[]): Promise<void> {
  const program = new Command('fiscal')
  addCnpjCommands(program, { raiz, now: () => new Date('2026-11-21T12:00:00Z') })
  await program.parseAsync(args, { from: 'user' })
}

if (import.meta.main) {
  const [raiz = '', ...args] = process.argv.slice(2)
  await runCnpj(raiz, args)
}
