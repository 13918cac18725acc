import { type Aleatorio, createAleatorio, mix } from '../documento/aleatorio.ts'
import { sortearRaizAlfanumerica } from '../documento/dados-abertos-documento.ts'
import { conhecidos } from './conhecido.ts'
import { lerVocabulario, type Vocabulario } from './palavras.ts'
import { extractionDate } from './versao.ts'

/** The plan of a dump. Plain data, so that it crosses to worker threads. */
export type Pedido = {
  /** Establishments before dirt and besides the known bodies; exact. */
  estabelecimentos: number
  semente: number
  versao: string
  sujeira: boolean
  /** Zips of each big set: 10 in the official dump. */
  partes: number
}

/** A request with all that is drawn from, ready to make any row by its number. */
export type Plano = Pedido & {
  empresas: number
  /** The number of the company with very many branches, and how many. */
  maior: number
  filiaisDaMaior: number
  /** Branches of the company of that number, besides its head office. */
  filiais: (numero: number) => number
  reservadas: ReadonlySet<string>
  hoje: { ano: number; mes: number; dia: number }
  vocabulario: Vocabulario
  aleatorio: Aleatorio
}

/** The legal kinds a fictitious company may have. */
export type Tipo = 'mei' | 'individual' | 'limitada' | 'anonima' | 'associacao' | 'condominio'

/** The facts of one company that all sets agree on. `numero` is its place in the order of roots, 0-based. */
export type Empresa = { numero: number; raiz: string; tipo: Tipo; filiais: number }

/** 8 branches in each 100 companies: 1.08 establishments a company, as in the official dump. */
const FILIAIS = new Map([
  [13, 1],
  [37, 2],
  [61, 1],
  [89, 4],
])

/** Works out how many companies and branches make exactly `estabelecimentos`. */
export function planejar(pedido: Pedido): Plano {
  const desejadas =
    pedido.estabelecimentos >= 1_000_000 ? 15_000 : Math.min(120, Math.floor(pedido.estabelecimentos / 20))
  const empresas = Math.max(1, Math.floor((pedido.estabelecimentos - desejadas) / 1.08))
  const maior = Math.floor(empresas / 2)
  let filiais = Math.floor(empresas / 100) * 8
  for (const [resto, quantas] of FILIAIS) if (resto < empresas % 100) filiais += quantas
  filiais -= FILIAIS.get(maior % 100) ?? 0
  const filiaisDaMaior = Math.max(0, pedido.estabelecimentos - empresas - filiais)
  return {
    ...pedido,
    empresas,
    maior,
    filiaisDaMaior,
    filiais: (numero) => (numero === maior ? filiaisDaMaior : (FILIAIS.get(numero % 100) ?? 0)),
    reservadas: new Set(conhecidos.map(({ raiz }) => raiz)),
    hoje: extractionDate(pedido.versao),
    vocabulario: lerVocabulario(),
    aleatorio: createAleatorio(pedido.semente),
  }
}

/** The company number `numero`, the same whichever set asks. */
export function empresa(plano: Plano, numero: number): Empresa {
  const filiais = plano.filiais(numero)
  return { numero, filiais, raiz: raiz(plano, numero), tipo: tipo(mix(numero, plano.semente + 1), filiais) }
}

/**
 * Numeric roots ascend with the number and fill the top of the eight-digit space (at sample sizes 99,000,000
 * and up), so they stay away from the low roots of public bodies; 3 in 1,000 companies have letters.
 */
function raiz(plano: Plano, numero: number): string {
  const largura = Math.min(90_000_000, Math.max(1_000_000, plano.empresas * 9))
  const passo = largura / plano.empresas
  const inicio = Math.floor(numero * passo)
  const folga = Math.max(1, Math.floor((numero + 1) * passo) - inicio)
  const texto = String(100_000_000 - largura + inicio + (mix(numero, plano.semente) % folga)).padStart(8, '0')
  if (numero % 331 !== 17 && !plano.reservadas.has(texto)) return texto
  plano.aleatorio.semear(numero, 99)
  return sortearRaizAlfanumerica(plano.aleatorio)
}

function tipo(sorte: number, filiais: number): Tipo {
  const p = sorte / 0x100000000
  if (filiais > 0) return p < 0.95 ? 'limitada' : 'anonima'
  if (p < 0.53) return 'mei'
  if (p < 0.62) return 'individual'
  if (p < 0.945) return 'limitada'
  if (p < 0.955) return 'anonima'
  return p < 0.985 ? 'associacao' : 'condominio'
}
