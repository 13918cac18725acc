import type { LinhaDaTabela, TabelaDeCodigos } from './tabela.ts'

/** The columns that every table may have, and what is in the others is told apart. */
const DE_TODAS: ReadonlySet<string> = new Set(['codigo', 'de', 'de_talvez', 'ate'])

/** How often a code may come back. */
const MAIS_VOLTAS = 20

/**
 * Reads a table: lines `# chave: valor` (`titulo`, `origem`, `de`, `certa_ate`, and `certa_desde`,
 * `inicios`), the names of the columns, and the rows, without commas in cells. Throws an Error for another
 * form.
 */
export function lerTabela(nome: string, texto: string): TabelaDeCodigos {
  const linhas = texto.split('\n')
  const inicio = linhas.findIndex((linha) => !linha.startsWith('#'))
  const dito = new Map(linhas.slice(0, inicio).map(lerDito))
  const exigir = (chave: string): string => {
    const valor = dito.get(chave)
    if (valor) return valor
    throw new Error(`the table ${nome} does not tell its ${chave}`)
  }
  const cabecalho = linhas[inicio]?.split(',') ?? []
  if (cabecalho[0] !== 'codigo') throw new Error(`the table ${nome} does not begin with its codes`)
  return {
    nome,
    titulo: exigir('titulo'),
    origem: exigir('origem'),
    de: exigir('de'),
    certaDesde: dito.get('certa_desde') ?? '',
    certaAte: exigir('certa_ate'),
    iniciosIncertos: dito.get('inicios') === 'incertos',
    colunas: cabecalho.filter((coluna) => !DE_TODAS.has(coluna)),
    linhas: lerLinhas(nome, cabecalho, linhas.slice(inicio + 1)),
  }
}

function lerDito(linha: string): [string, string] {
  const onde = linha.indexOf(':')
  return [linha.slice(1, onde).trim(), linha.slice(onde + 1).trim()]
}

function lerLinhas(
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
