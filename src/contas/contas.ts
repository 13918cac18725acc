import type { Command } from 'commander'
import { addCadastroCommands } from './command.ts'
import { addAcessoCommands, type ComPaginas } from './command-acesso.ts'
import { addTermsCommands } from './command-creditos.ts'
import { addKeyCommands } from './contas-chaves.ts'
import { addCreditCommands } from './contas-creditos.ts'
import type { ComLivros, Livros } from './contas-livros.ts'

type Options = Omit<ComPaginas, 'using'> & { open: () => Promise<Livros> }

/**
 * `fiscal contas`: accounts, who may come in, their keys, plans and credits. It works beside a running
 * server, on both databases.
 */
export function addContasCommands(program: Command, { open, ...given }: Options): void {
  const command = program.command('contas').description('contas, chaves de API, planos e créditos')
  const using: ComLivros['using'] = async (work) => {
    const livros = await open()
    try {
      return await work(livros)
    } finally {
      await livros.close()
    }
  }
  const adders = [addCadastroCommands, addTermsCommands, addKeyCommands, addCreditCommands, addAcessoCommands]
  for (const add of adders) add(command, { using, ...given })
}
