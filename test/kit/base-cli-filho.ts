import { Command } from 'commander'
import { addBaixarCommand } from '../../src/cnpj/command-baixar.ts'

/**
 * The command alone. Its arguments are url, token, data folder, then what a person types after `fiscal cnpj`.
 */
export async function runBaixar([url = '', token = '', dataDir = '', ...typed]: string[]): Promise<void> {
  const cnpj = new Command('cnpj')
  addBaixarCommand(cnpj, { url, token, dataDir, live: false })
  await cnpj.parseAsync(typed, { from: 'user' })
}

if (import.meta.main) await runBaixar(process.argv.slice(2))
