import { readFileSync } from 'node:fs'
import { lerTabela } from './nossas.ts'
import type { TabelaDeCodigos } from './tabela.ts'

const PASTA = new URL('../../../data/tabelas/', import.meta.url)

/** The tables that come with the service, but for the municipalities, which others read too. */
const DA_PASTA = [
  'cclasstrib',
  'ccredpres',
  'cfop',
  'combustiveis',
  'cst_ibs_cbs',
  'paises',
  'prefixos_gs1',
] as const

/** The names of the tables that come with the service. */
export const NOSSAS: readonly string[] = [...DA_PASTA, 'municipios']

const lidas = new Map<string, TabelaDeCodigos>()

/** A table that comes with the service, read when it is first asked for; undefined for another name. */
export function nossaTabela(nome: string): TabelaDeCodigos | undefined {
  const lida = lidas.get(nome)
  if (lida) return lida
  if (!NOSSAS.includes(nome)) return undefined
  const nova =
    nome === 'municipios'
      ? municipios()
      : lerTabela(nome, readFileSync(new URL(`${nome}.csv`, PASTA), 'utf8'))
  lidas.set(nome, nova)
  return nova
}

/** `data/municipios-siafi.csv`, whose second column is the code of IBGE. */
function municipios(): TabelaDeCodigos {
  const [, ...linhas] = readFileSync(new URL('../municipios-siafi.csv', PASTA), 'utf8').trim().split(/\r?\n/)
  const codigos = linhas.map((linha) => linha.split(',')[1] ?? '')
  return lerTabela(
    'municipios',
    [
      '# titulo: municípios do IBGE',
      '# origem: lista de municípios do SIAFI (Tesouro Transparente, TABMUN.CSV), com o código do IBGE, mais Boa Esperança do Norte/MT',
      '# de: 2025-01-01',
      '# certa_ate: 2027-12-31',
      'codigo',
      ...codigos,
    ].join('\n'),
  )
}
