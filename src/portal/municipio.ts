import { readFileSync } from 'node:fs'

/** Columns: tom_siafi, ibge, uf, nome (data/README.md says where they came from). */
const TABELA = new URL('../../data/municipios-siafi.csv', import.meta.url)

let nomes: ReadonlyMap<string, string> | undefined

/** The table is read when a source first leaves a name out, since most sources tell it. */
function readNomes(): ReadonlyMap<string, string> {
  const [, ...lines] = readFileSync(TABELA, 'utf8').trim().split(/\r?\n/)
  return new Map(
    lines.map((line) => {
      const [, ibge = '', , nome = ''] = line.split(',')
      return [ibge, nome]
    }),
  )
}

/**
 * The name of a municipality by the 7 digits of IBGE, in upper case without accents. Empty for a code that
 * the table lacks, in whichever state.
 */
export function municipioDoIbge(codigo: string): string {
  nomes ??= readNomes()
  return nomes.get(codigo) ?? ''
}

let conhecidos: ReadonlySet<string> | undefined

/** Whether some municipality is so called, in upper case without accents. */
export function isMunicipio(nome: string): boolean {
  nomes ??= readNomes()
  conhecidos ??= new Set(nomes.values())
  return conhecidos.has(nome)
}
