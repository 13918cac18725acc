import type { Tabela } from './tabela.ts'

/** A municipality of the dump's table, completed with what the Treasury's table says of its TOM code. */
type Municipios = Tabela & { ufs: string[]; ibge: string[] }

/** The tables that a vintage carries, so that it is read by itself. */
export type Dominios = {
  cnaes: Tabela
  municipios: Municipios
  naturezas: Tabela
  qualificacoes: Tabela
  motivos: Tabela
}

/** Width in digits of the codes of each table. */
export const LARGURA_CODIGO = { cnaes: 7, municipios: 4, naturezas: 4, qualificacoes: 2, motivos: 2 } as const

/** Code of the legal nature "Empresário (Individual)", which every MEI has: its name may carry the owner's CPF. */
export const EMPRESARIO_INDIVIDUAL = '2135'

/** Places of situacao_cadastral on disk; labels of the official layout (cnpj-metadados.pdf), 05 of SERPRO's domain. */
export const SITUACOES = [
  { codigo: '', descricao: '' },
  { codigo: '01', descricao: 'NULA' },
  { codigo: '02', descricao: 'ATIVA' },
  { codigo: '03', descricao: 'SUSPENSA' },
  { codigo: '04', descricao: 'INAPTA' },
  { codigo: '05', descricao: 'ATIVA NAO REGULAR' },
  { codigo: '08', descricao: 'BAIXADA' },
] as const

/** Places of porte on disk; codes of the official layout, in the words of the specification ("PEQUENO PORTE", "DEMAIS"). */
export const PORTES = [
  { codigo: '', descricao: '' },
  { codigo: '00', descricao: 'NÃO INFORMADO' },
  { codigo: '01', descricao: 'MICRO EMPRESA' },
  { codigo: '03', descricao: 'PEQUENO PORTE' },
  { codigo: '05', descricao: 'DEMAIS' },
] as const

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function texts(value: unknown, name: string): string[] {
  const list = member(value, name)
  if (!isTexts(list)) throw new Error(`dominios.json: ${name} não é uma lista de textos`)
  return list
}

function parseTabela(value: unknown): Tabela {
  return { codigos: texts(value, 'codigos'), descricoes: texts(value, 'descricoes') }
}

/** Reads `dominios.json`; throws when it is not what the importer wrote. */
export function parseDominios(json: string): Dominios {
  const value: unknown = JSON.parse(json)
  const municipios = member(value, 'municipios')
  return {
    cnaes: parseTabela(member(value, 'cnaes')),
    municipios: {
      ...parseTabela(municipios),
      ufs: texts(municipios, 'ufs'),
      ibge: texts(municipios, 'ibge'),
    },
    naturezas: parseTabela(member(value, 'naturezas')),
    qualificacoes: parseTabela(member(value, 'qualificacoes')),
    motivos: parseTabela(member(value, 'motivos')),
  }
}
