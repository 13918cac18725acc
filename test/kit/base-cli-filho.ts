import { Command } from 'commander'
import { addBaixarCommand } from '../../src/cnpj/command-baixar.ts'

/**
 * The command alone, as a process. Its arguments are url, token, data folder, then what a person types after
 * `fiscal cnpj`.
 */
const [, , url = '', token = '', dataDir = '', ...typed] = process.argv
const cnpj = new Command('cnpj')
addBaixarCommand(cnpj, { url, token, dataDir, live: false })
await cnpj.parseAsync(typed, { from: 'user' })
