import { readFileSync } from 'node:fs'
import type { Sinonimos } from './sinonimos.ts'

const TABELA = new URL('../../data/rejeicoes/sinonimos.csv', import.meta.url)

let lidos: Sinonimos | undefined

/** What people say, and the catalogue's words for it: `data/rejeicoes/sinonimos.csv`. No cell has a comma. */
export function sinonimos(): Sinonimos {
  lidos ??= new Map(
    readFileSync(TABELA, 'utf8')
      .split(/\r?\n/)
      .slice(1)
      .flatMap((line): [string, { vale: string[]; isOpcional: boolean }][] => {
        const [dito = '', vale = '', opcional = ''] = line.split(',')
        return dito === '' ? [] : [[dito, { vale: vale.split('|'), isOpcional: opcional === 'sim' }]]
      }),
  )
  return lidos
}
