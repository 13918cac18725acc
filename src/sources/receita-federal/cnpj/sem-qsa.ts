import { readFileSync } from 'node:fs'

/** Its origin is in data/README.md. */
const TABELA = new URL('../../../../data/cnpj-naturezas-sem-qsa.csv', import.meta.url)

let naturezas: ReadonlySet<string> | undefined

/**
 * Whether companies of this legal nature (4 digits, `2135`) have no list of partners and administrators.
 * False for a nature that the table does not have: nobody can say that it has none.
 */
export function naoTemQsa(natureza: string): boolean {
  naturezas ??= readNaturezas()
  return naturezas.has(natureza)
}

function readNaturezas(): ReadonlySet<string> {
  const [, ...lines] = readFileSync(TABELA, 'utf8').trim().split(/\r?\n/)
  return new Set(lines.map((line) => line.slice(0, 4)))
}
