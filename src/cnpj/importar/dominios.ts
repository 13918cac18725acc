import { readFile } from 'node:fs/promises'
import { LARGURA_CODIGO } from '../base/codes.ts'
import type { NomeTabela } from '../base/conjuntos.ts'
import type { Dominios, Tabela } from '../base/dominios.ts'
import { createCsvReader } from './csv.ts'
import type { Entradas } from './entradas.ts'
import { ImportError } from './import-error.ts'
import { inflateMembro } from './inflate.ts'

const MUNICIPIOS = new URL('../../../data/municipios-siafi.csv', import.meta.url)
const SUPLEMENTOS = new URL('../../../data/cnpj-suplementos.csv', import.meta.url)

async function readLinhas(file: URL): Promise<string[][]> {
  const [, ...lines] = (await readFile(file, 'utf8')).trim().split(/\r?\n/)
  return lines.map((line) => line.split(','))
}

const clean = (text: string): string => text.replace(/\s+/g, ' ').trim()

async function readTabela(entradas: Entradas, tabela: NomeTabela): Promise<Map<string, string>> {
  const codes = new Map<string, string>()
  const found = entradas.tabelas.find((one) => one.tabela === tabela)
  if (found === undefined) return codes
  const width = tabela === 'paises' ? 3 : LARGURA_CODIGO[tabela]
  let bad = 0
  const reader = createCsvReader(2, {
    line({ bytes, starts, ends }) {
      const codigo = clean(bytes.toString('latin1', starts[0], ends[0])).padStart(width, '0')
      if (/^\d+$/.test(codigo) && codigo.length === width) {
        codes.set(codigo, clean(bytes.toString('latin1', starts[1], ends[1])))
      } else bad++
    },
    bad: () => {
      bad++
    },
  })
  for await (const piece of inflateMembro(found.arquivo.path, found.arquivo.membro)) reader.feed(piece)
  reader.end()
  if (bad <= codes.size) return codes
  throw new ImportError(
    `${found.arquivo.nome} não tem o leiaute de ${tabela} (código e descrição): arquivo trocado?`,
  )
}

function toTabela(codes: Map<string, string>): Tabela {
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1))
  return { codigos: sorted.map(([codigo]) => codigo), descricoes: sorted.map(([, descricao]) => descricao) }
}

/**
 * Reads the tables of the dump and completes them. Codes known to be missing are in
 * `data/cnpj-suplementos.csv`; the state and IBGE code of each municipality in `data/municipios-siafi.csv`.
 * @throws ImportError when a table's zip holds something else.
 */
export async function readDominios(entradas: Entradas): Promise<Dominios> {
  const extra = await readLinhas(SUPLEMENTOS)
  async function read(tabela: keyof typeof LARGURA_CODIGO): Promise<Map<string, string>> {
    const codes = await readTabela(entradas, tabela)
    for (const [name, codigo = '', descricao = ''] of extra) {
      if (name === tabela && !codes.has(codigo)) codes.set(codigo, descricao)
    }
    return codes
  }
  const siafi = new Map(
    (await readLinhas(MUNICIPIOS)).map(([tom = '', ibge = '', uf = '', nome = '']) => [
      tom,
      { ibge, uf, nome },
    ]),
  )
  const nomes = await read('municipios')
  for (const [tom, { nome }] of siafi) if (!nomes.has(tom)) nomes.set(tom, nome)
  const municipios = toTabela(nomes)
  return {
    cnaes: toTabela(await read('cnaes')),
    municipios: {
      ...municipios,
      ufs: municipios.codigos.map((tom) => siafi.get(tom)?.uf ?? (tom === '9707' ? 'EX' : '')),
      ibge: municipios.codigos.map((tom) => siafi.get(tom)?.ibge ?? ''),
    },
    naturezas: toTabela(await read('naturezas')),
    qualificacoes: toTabela(await read('qualificacoes')),
    motivos: toTabela(await read('motivos')),
  }
}
