import { readFileSync } from 'node:fs'
import { openTabelas, type Tabelas } from './base/tabelas.ts'

/** Their origin is in data/README.md. The monthly base brings tables of its own, which are newer. */
const QUALIFICACOES = new URL('../../data/cnpj-qualificacoes.csv', import.meta.url)
const MUNICIPIOS = new URL('../../data/municipios-siafi.csv', import.meta.url)

let tabelas: Tabelas | undefined

/**
 * The tables of a service without a monthly base: qualifications and municipalities, for which the live
 * register tells the code alone or another code. It tells the words of the others.
 */
export function tabelasSemBase(): Tabelas {
  tabelas ??= readTabelas()
  return tabelas
}

function readTabelas(): Tabelas {
  const qualificacoes = readLinhas(QUALIFICACOES)
  const municipios = readLinhas(MUNICIPIOS)
  const nenhuma = { codigos: [], descricoes: [] }
  return openTabelas({
    cnaes: nenhuma,
    naturezas: nenhuma,
    qualificacoes: {
      codigos: qualificacoes.map(([codigo = '']) => codigo),
      descricoes: qualificacoes.map(([, ...descricao]) => descricao.join(',')),
    },
    municipios: {
      codigos: [...municipios.map(([tom = '']) => tom), '9707'],
      descricoes: [...municipios.map(([, , , nome = '']) => nome), 'EXTERIOR'],
      ibge: [...municipios.map(([, ibge = '']) => ibge), ''],
    },
  })
}

const readLinhas = (file: URL): string[][] => {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
  return lines.map((line) => line.split(','))
}
