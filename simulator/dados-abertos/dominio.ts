import { readFileSync } from 'node:fs'

/** A municipality as the dump numbers it (TOM) and as IBGE does, with its state. */
export type Municipio = { tom: string; ibge: string; uf: string; nome: string }

/**
 * Rows of a domain table beside this file, `"codigo";"descricao"`, UTF-8: the six small sets but Municipios.
 */
export function lerTabela(
  nome: 'cnaes' | 'motivos' | 'naturezas' | 'paises' | 'qualificacoes',
): [string, string][] {
  const texto = readFileSync(new URL(`./dominios/${nome}.csv`, import.meta.url), 'utf8')
  return texto
    .trimEnd()
    .split('\n')
    .map((linha) => {
      const [, codigo, descricao] = /^"(\d+)";"(.+)"$/.exec(linha) ?? []
      if (!codigo || !descricao) throw new Error(`dominios/${nome}.csv: linha inválida: ${linha}`)
      return [codigo, descricao]
    })
}

/** Every Brazilian municipality of `data/municipios-siafi.csv`, by TOM code. */
export function lerMunicipios(): Municipio[] {
  const texto = readFileSync(new URL('../../data/municipios-siafi.csv', import.meta.url), 'utf8')
  return texto
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((linha) => {
      const [tom = '', ibge = '', uf = '', ...nome] = linha.split(',')
      return { tom, ibge, uf, nome: nome.join(',') }
    })
}

/** Content of the six small sets in the official form (quoted, `;`, LF, latin-1), by set name. */
export function conteudoDosDominios(): Map<string, Buffer> {
  const municipios: [string, string][] = lerMunicipios().map(({ tom, nome }) => [tom, nome])
  municipios.push(['9707', 'EXTERIOR'])
  municipios.sort(([a], [b]) => (a < b ? -1 : 1))
  const tabelas: [string, [string, string][]][] = [
    ['Cnaes', lerTabela('cnaes')],
    ['Motivos', lerTabela('motivos')],
    ['Municipios', municipios],
    ['Naturezas', lerTabela('naturezas')],
    ['Paises', lerTabela('paises')],
    ['Qualificacoes', lerTabela('qualificacoes')],
  ]
  return new Map(
    tabelas.map(([conjunto, linhas]) => {
      const texto = linhas.map(([codigo, descricao]) => `"${codigo}";"${descricao}"\n`).join('')
      return [conjunto, Buffer.from(texto, 'latin1')]
    }),
  )
}
