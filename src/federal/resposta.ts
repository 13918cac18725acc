import { fold } from '../platform/texto.ts'
import type { EspecieFederal } from './certidao.ts'
import type { Entregue } from './source.ts'

/** What the product answered. */
export type RespostaCnd = {
  /** Its code; NaN if it has none. */
  status: number
  /** Its words. Empty if it has none. */
  mensagem: string
  /** The key of a request that it still works on. Empty if it has none. */
  chave: string
  certidao: Entregue | undefined
}

/** The product's members are some fifteen. More are not read. */
const MOST_MEMBERS = 100
const LONGEST_CHAVE = 500

/**
 * Reads the product's JSON by names without accents and capitals: clients met `TipoCertidão` and `Messagem`.
 * Undefined if it is no object.
 */
export function readResposta(json: unknown): RespostaCnd | undefined {
  const membros = membersOf(json)
  if (!membros) return undefined
  const certidao = membersOf(membros.get('certidao'))
  return {
    status: wholeOf(membros.get('status')) ?? Number.NaN,
    mensagem: textOf(membros.get('mensagem')) || textOf(membros.get('messagem')),
    chave: textOf(membros.get('chave')).slice(0, LONGEST_CHAVE + 1),
    certidao: certidao && {
      pdf: certidao.get('documentopdf'),
      especie: especieOf(certidao.get('tipocertidao')),
      contribuinte: certidao.get('contribuintecertidao'),
      codigo: certidao.get('codigocontrole'),
      emissao: certidao.get('dataemissao'),
      validade: certidao.get('datavalidade'),
    },
  }
}

/** Whether a key can be sent back. */
export const isChave = (chave: string): boolean => chave !== '' && chave.length <= LONGEST_CHAVE

/** `TipoCertidao`. The contract names 1 and 2; one client lists 3 too. */
const especies: Readonly<Record<number, EspecieFederal>> = {
  1: 'negativa',
  2: 'positiva_com_efeitos_de_negativa',
  3: 'positiva',
}

function especieOf(value: unknown): Entregue['especie'] {
  if (value === undefined || value === null || value === '') return undefined
  return especies[wholeOf(value) ?? 0] ?? 'outra'
}

/** The members of an object by their plain names. One that is said twice, differently, fits nothing. */
function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const membros = new Map<string, unknown>()
  for (const [name, said] of Object.entries(value).slice(0, MOST_MEMBERS)) {
    const plain = fold(name.slice(0, MOST_MEMBERS)).toLowerCase()
    membros.set(plain, membros.has(plain) && membros.get(plain) !== said ? {} : said)
  }
  return membros
}

function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d{1,3}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
