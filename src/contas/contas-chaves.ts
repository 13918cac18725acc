import type { Command } from 'commander'
import { issueKey, newKey } from './chave.ts'
import { type ComLivros, contaOf } from './contas-livros.ts'
import { json, parseNumber, tell } from './contas-options.ts'

/** `chave` and `chave-nova`: keys of accounts, and one of nobody. */
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
