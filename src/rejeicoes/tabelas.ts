import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marcaDe } from './catalogo.ts'
import type { LinhaDaTabela, TabelaDeCodigos } from './rules-tabela.ts'

const DE_TODAS: ReadonlySet<string> = new Set(['codigo', 'de', 'de_talvez', 'ate'])

const MAIS_VOLTAS = 20

/**
 * Lines `# chave: valor`, the names of the columns, then rows without commas in cells. Throws for another
 * form.
 */
export function readTabela(nome: string, texto: string): TabelaDeCodigos {
  const linhas = texto.split('\n')
  const inicio = linhas.findIndex((linha) => !linha.startsWith('#'))
  const dito = new Map(linhas.slice(0, inicio).map(readDito))
  const need = (chave: string): string => {
    const valor = dito.get(chave)
    if (valor) return valor
    throw new Error(`the table ${nome} does not tell its ${chave}`)
  }
  const cabecalho = linhas[inicio]?.split(',') ?? []
  if (cabecalho[0] !== 'codigo') throw new Error(`the table ${nome} does not begin with its codes`)
  return {
    nome,
    titulo: need('titulo'),
    origem: need('origem'),
    de: need('de'),
    certaDesde: dito.get('certa_desde') ?? '',
    certaAte: need('certa_ate'),
    iniciosIncertos: dito.get('inicios') === 'incertos',
    colunas: cabecalho.filter((coluna) => !DE_TODAS.has(coluna)),
    linhas: readLinhas(nome, cabecalho, linhas.slice(inicio + 1)),
  }
}

function readDito(linha: string): [string, string] {
  const onde = linha.indexOf(':')
  return [linha.slice(1, onde).trim(), linha.slice(onde + 1).trim()]
}

function readLinhas(
  nome: string,
  cabecalho: readonly string[],
  linhas: readonly string[],
): ReadonlyMap<string, readonly LinhaDaTabela[]> {
  const [de, deTalvez, ate] = ['de', 'de_talvez', 'ate'].map((coluna) => cabecalho.indexOf(coluna))
  const outras = cabecalho.flatMap((coluna, i) => (DE_TODAS.has(coluna) ? [] : [i]))
  const achadas = new Map<string, readonly LinhaDaTabela[]>()
  const iguais = new Map<string, readonly [LinhaDaTabela]>()
  for (const escrita of linhas) {
    if (escrita === '') continue
    const celulas = escrita.split(',')
    const [codigo = ''] = celulas
    if (codigo === '' || celulas.length !== cabecalho.length) throw new Error(`${nome}: ${escrita} is no row`)
    const chave = escrita.slice(codigo.length)
    // Most rows differ in their code alone: they are one object.
    const linha: readonly [LinhaDaTabela] = iguais.get(chave) ?? [
      {
        de: celulas[de ?? -1] ?? '',
        deTalvez: celulas[deTalvez ?? -1] ?? '',
        ate: celulas[ate ?? -1] ?? '',
        celulas: outras.map((i) => celulas[i] ?? ''),
      },
    ]
    iguais.set(chave, linha)
    const suas = achadas.get(codigo)
    if (suas && suas.length >= MAIS_VOLTAS) throw new Error(`${nome}: ${codigo} has too many rows`)
    achadas.set(codigo, suas ? [...suas, ...linha] : linha)
  }
  return achadas
}

const PASTA = new URL('../../data/tabelas/', import.meta.url)

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

export const NOSSAS: readonly string[] = [...DA_PASTA, 'municipios']

const lidas = new Map<string, TabelaDeCodigos>()

export function nossaTabela(nome: string): TabelaDeCodigos | undefined {
  const lida = lidas.get(nome)
  if (lida) return lida
  if (!NOSSAS.includes(nome)) return undefined
  const nova =
    nome === 'municipios'
      ? municipios()
      : readTabela(nome, readFileSync(new URL(`${nome}.csv`, PASTA), 'utf8'))
  lidas.set(nome, nova)
  return nova
}

/** `data/municipios-siafi.csv`, whose second column is the code of IBGE. */
function municipios(): TabelaDeCodigos {
  const [, ...linhas] = readFileSync(new URL('../municipios-siafi.csv', PASTA), 'utf8').trim().split(/\r?\n/)
  const codigos = linhas.map((linha) => linha.split(',')[1] ?? '')
  return readTabela(
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

export const INSTALAVEIS = { ncm: 'NCM' } as const

export type Instalavel = keyof typeof INSTALAVEIS

export const pastaDasTabelas = (dataDir: string): string => join(dataDir, 'tabelas')

export const arquivoDa = (nome: Instalavel, pasta: string): string => join(pasta, `${nome}.csv`)

const isInstalavel = (nome: string): nome is Instalavel => Object.hasOwn(INSTALAVEIS, nome)

let guardada: { arquivo: string; marca: string; tabela: TabelaDeCodigos } | undefined

/**
 * Read again when its file changes; undefined without it. Throws an Error in Portuguese for a damaged one.
 */
export function readInstalada(nome: Instalavel, pasta: string): TabelaDeCodigos | undefined {
  const arquivo = arquivoDa(nome, pasta)
  const marca = marcaDe(arquivo)
  if (marca === 'missing') return undefined
  if (guardada?.arquivo === arquivo && guardada.marca === marca) return guardada.tabela
  const tabela = parse(nome, arquivo)
  guardada = { arquivo, marca, tabela }
  return tabela
}

function parse(nome: Instalavel, arquivo: string): TabelaDeCodigos {
  try {
    const texto = readFileSync(arquivo, 'utf8')
    // The last line tells that nothing was cut.
    if (!texto.endsWith('\n# fim\n')) throw new Error('cut')
    return readTabela(nome, texto.slice(0, -'# fim\n'.length))
  } catch (cause) {
    throw new Error(`O arquivo ${arquivo} está danificado: instale a tabela de novo.`, { cause })
  }
}

/** A damaged file is as none. */
export function tabelasDaPasta(pasta: string | undefined): (nome: string) => TabelaDeCodigos | undefined {
  const instaladas = new Map<Instalavel, TabelaDeCodigos | undefined>()
  return (nome) => {
    if (pasta === undefined || !isInstalavel(nome)) return nossaTabela(nome)
    if (!instaladas.has(nome)) instaladas.set(nome, instaladaOuNenhuma(nome, pasta))
    return instaladas.get(nome)
  }
}

/** A damaged file is as none. */
export function instaladaOuNenhuma(nome: Instalavel, pasta: string): TabelaDeCodigos | undefined {
  try {
    return readInstalada(nome, pasta)
  } catch {
    return undefined
  }
}
