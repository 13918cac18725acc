/**
 * Runs the commands of the CNPJ base alone. The first argument is the data folder: `node comando.ts RAIZ cnpj
 * importar ...`.
 */
import { Command } from 'commander'
import { addCnpjCommands } from '../../src/cnpj/command.ts'

const [raiz = '', ...args] = process.argv.slice(2)
const program = new Command('fiscal')
addCnpjCommands(program, { raiz, now: () => new Date('2026-11-21T12:00:00Z') })
await program.parseAsync(args, { from: 'user' })
