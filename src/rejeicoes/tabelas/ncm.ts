import { diaProblem } from '../../documento/dia.ts'

/** Why a file cannot be installed, in Portuguese: what to send instead. */
export class TabelaRecusada extends Error {}

/** One code of a file: 8 digits, days AAAA-MM-DD (empty for none), and the unit for foreign trade if told. */
type LinhaDaNcm = { codigo: string; de: string; ate: string; uTrib: string }

/** What a file of the NCM holds. `de` is the day that it tells of itself; empty if it tells none. */
export type ArquivoDaNcm = { linhas: readonly LinhaDaNcm[]; de: string; origem: string }

/** The official file has some 15 thousand entries, of which 10 thousand are whole codes. */
const MAIS_LINHAS = 100_000

/**
 * Reads the JSON of the Siscomex (`Tabela_NCM_Vigente`), or a CSV `codigo;inicio;fim[;utrib]`. Throws
 * TabelaRecusada, with the line that is wrong.
 */
export const lerNcm = (texto: string): ArquivoDaNcm =>
  /^\s*[[{]/.test(texto) ? lerJson(texto) : lerCsv(texto)

function lerJson(texto: string): ArquivoDaNcm {
  const valor = parse(texto)
  const lista = membro(valor, 'Nomenclaturas')
  if (!Array.isArray(lista))
    throw new TabelaRecusada(
      'O JSON não tem a lista "Nomenclaturas": baixe a Tabela NCM Vigente do Portal Único Siscomex, em JSON.',
    )
  limitar(lista.length)
  const linhas = lista.flatMap((entrada: unknown, i): LinhaDaNcm[] => {
    const codigo = textoDe(entrada, 'Codigo').replaceAll('.', '')
    // The headings of the nomenclature have fewer digits.
    if (/^\d{0,7}$/.test(codigo) && codigo !== '') return []
    const onde = `Na entrada ${i + 1} de "Nomenclaturas"`
    return [
      lerLinha({ codigo, inicio: textoDe(entrada, 'Data_Inicio'), fim: textoDe(entrada, 'Data_Fim') }, onde),
    ]
  })
  const [, dia = ''] = /(\d{2}\/\d{2}\/\d{4})/.exec(textoDe(valor, 'Data_Ultima_Atualizacao_NCM')) ?? []
  return {
    linhas,
    de: dia === '' ? '' : lerDia(dia, 'Na Data_Ultima_Atualizacao_NCM'),
    origem: 'Tabela NCM Vigente do Portal Único Siscomex (JSON)',
  }
}

function parse(texto: string): unknown {
  try {
    return JSON.parse(texto)
  } catch (cause) {
    throw new TabelaRecusada('O arquivo não é um JSON inteiro: baixe-o de novo do Portal Único Siscomex.', {
      cause,
    })
  }
}

function membro(valor: unknown, nome: string): unknown {
  if (typeof valor !== 'object' || valor === null || !Object.hasOwn(valor, nome)) return undefined
  return Object.entries(valor).find(([chave]) => chave === nome)?.[1]
}

function textoDe(valor: unknown, nome: string): string {
  const achado = membro(valor, nome)
  return typeof achado === 'string' ? achado.trim() : ''
}

const COLUNAS = ['codigo', 'inicio', 'fim', 'utrib']

function lerCsv(texto: string): ArquivoDaNcm {
  const linhas = texto.split(/\r?\n/)
  limitar(linhas.length)
  const lidas = linhas.flatMap((linha, i): LinhaDaNcm[] => {
    if (linha.trim() === '') return []
    const celulas = linha.split(/[;,]/).map((celula) => celula.trim().replace(/^"(.*)"$/, '$1'))
    if (i === 0 && celulas[0]?.toLowerCase() === 'codigo') return conferirColunas(celulas)
    if (celulas.length < 3 || celulas.length > 4)
      throw new TabelaRecusada(
        `A linha ${i + 1} tem ${celulas.length} colunas: envie codigo;inicio;fim, ou codigo;inicio;fim;utrib.`,
      )
    const [codigo = '', inicio = '', fim = '', uTrib = ''] = celulas
    return [lerLinha({ codigo: codigo.replaceAll('.', ''), inicio, fim, uTrib }, `Na linha ${i + 1}`)]
  })
  return { linhas: lidas, de: '', origem: 'arquivo CSV do operador' }
}

function conferirColunas(celulas: readonly string[]): [] {
  if (celulas.every((celula, i) => celula.toLowerCase() === COLUNAS[i])) return []
  throw new TabelaRecusada(
    `As colunas são ${celulas.join(';').slice(0, 80)}: envie codigo;inicio;fim, ou codigo;inicio;fim;utrib.`,
  )
}

function limitar(quantas: number): void {
  if (quantas > MAIS_LINHAS)
    throw new TabelaRecusada(`O arquivo tem ${quantas} linhas: a NCM inteira tem menos de 20.000.`)
}

type Escrita = { codigo: string; inicio: string; fim: string; uTrib?: string }

function lerLinha({ codigo, inicio, fim, uTrib = '' }: Escrita, onde: string): LinhaDaNcm {
  if (!/^\d{8}$/.test(codigo))
    throw new TabelaRecusada(`${onde}, o código "${codigo.slice(0, 20)}" não tem 8 algarismos.`)
  if (!/^[A-Za-z0-9 ]{0,6}$/.test(uTrib))
    throw new TabelaRecusada(`${onde}, a unidade "${uTrib.slice(0, 20)}" não tem até 6 letras ou algarismos.`)
  const de = lerDia(inicio, onde)
  const ate = lerDia(fim, onde)
  if (ate !== '' && ate < de) throw new TabelaRecusada(`${onde}, o código ${codigo} acaba antes de começar.`)
  return { codigo, de, ate, uTrib: uTrib.toUpperCase() }
}

/** The day that stands for no end in the official file. */
const SEM_FIM = '9999-12-31'

function lerDia(texto: string, onde: string): string {
  const dia = texto.includes('/') ? texto.split('/').toReversed().join('-') : texto
  if (dia === '' || dia === SEM_FIM) return ''
  if (diaProblem(dia) !== undefined)
    throw new TabelaRecusada(`${onde}, "${texto.slice(0, 20)}" não é um dia: envie como 01/04/2022.`)
  return dia
}
