import type { Command } from 'commander'
import { addCadastroCommands } from './contas-cadastro.ts'
import { addKeyCommands } from './contas-chaves.ts'
import { addCreditCommands } from './contas-creditos.ts'
import type { ComLivros, Livros } from './contas-livros.ts'
import { addTermsCommands } from './contas-termos.ts'

type Options = { open: () => Promise<Livros>; now: () => Date }

/**
 * `fiscal contas`: accounts, their keys, plans and credits. It works beside a running server, on both
 * databases.
 */
export function addContasCommands(program: Command, { open, now }: Options): void {
  const command = program.command('contas').description('contas, chaves de API, planos e créditos')
  const using: ComLivros['using'] = async (work) => {
    const livros = await open()
    try {
      return await work(livros)
    } finally {
      await livros.close()
    }
  }
  for (const add of [addCadastroCommands, addTermsCommands, addKeyCommands, addCreditCommands])
    add(command, { using, now })
}
