import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'

export const root = join(import.meta.dirname, '../..')

/** One line of a Dockerfile: what stands after the word, without flags and with them. */
export type Passo = { palavra: string; args: string[]; texto: string }
export type Estagio = { nome: string; imagem: string; passos: Passo[] }

/** The stages of the Dockerfile with their lines. The image is the one that it names by default. */
export function readStages(text: string = readFileSync(join(root, 'Dockerfile'), 'utf8')): Estagio[] {
  const stages: Estagio[] = []
  const given = new Map<string, string>()
  for (const line of DockerfileParser.parse(text).getInstructions()) {
    const palavra = line.getKeyword()
    const args = line.getArguments().map((one) => one.getValue())
    if (palavra === 'FROM') {
      const [imagem = '', , nome = ''] = args
      const filled = imagem.replace(/^\$\{(\w+)\}$/, (_, name) => given.get(name) ?? '')
      stages.push({ nome, imagem: filled, passos: [] })
    } else if (palavra === 'ARG' && stages.length === 0) {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(args[0] ?? '') ?? []
      given.set(name, value)
    } else stages.at(-1)?.passos.push({ palavra, args, texto: line.getRawArgumentsContent() ?? '' })
  }
  return stages
}

/** The words of a line in JSON form, which no shell reads. Undefined of one in shell form. */
export function wordsOf({ texto }: Passo): string[] | undefined {
  const [list] = /\[.*\]$/s.exec(texto.trim()) ?? []
  return list && JSON.parse(list)
}

/** The variables that a stage sets. */
export const envOf = ({ passos }: Estagio): Record<string, string> =>
  Object.fromEntries(
    passos
      .filter(({ palavra }) => palavra === 'ENV')
      .flatMap(({ args }) =>
        args.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
      ),
  )
