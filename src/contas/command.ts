import type { Command } from 'commander'
import { StoreError } from '../platform/db/outage.ts'
import type { NomePlano } from '../platform/ledger/rules.ts'
import { countKeys, issueKey } from './chave.ts'
import { showContas } from './command-table.ts'
import { listContas } from './conta.ts'
import { type ComLivros, contaOf } from './contas-livros.ts'
import { showConta } from './contas-mostrar.ts'
import { json, parsePlano, planosListed, tell } from './contas-options.ts'
import { createConta } from './registrar.ts'
import { summarize } from './resumo.ts'

/** `criar`, `listar` and `mostrar`: the accounts that there are. */
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
