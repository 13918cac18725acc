import type { Found } from './block.ts'
import {
  type Cursor,
  dataIso,
  getData,
  getU8,
  getVarint,
  type Output,
  putData,
  putU8,
  putVarint,
  type Span,
} from './bytes.ts'
import {
  type Codigo,
  type Decoding,
  EMPRESARIO_INDIVIDUAL,
  type Encoding,
  FORA,
  getCodigo,
  getDaLista,
  PORTES,
  putCodigo,
} from './coding.ts'
import { type Endereco, type Estabelecimento, getEstabelecimento } from './estabelecimento.ts'
import { getTexto, putTexto, putTextoSempre } from './text.ts'

/** `capital` is `-?digits,digits` or blank; `porte` is a place of PORTES, or FORA plus the code. */
export type CamposEmpresa = {
  bytes: Uint8Array
  razao: Span
  natureza: Span
  porte: number
  capital: Span
  /** The bytes that `capital` points into: the line itself, or the place where it was mended. */
  capitalBytes: Uint8Array
}

const CAPITAL_ZERO = 8
const CAPITAL_REAIS = 16
const CAPITAL_CENTAVOS = 24
const CAPITAL_TEXTO = 32
const CAPITAL = 56
const RAZAO = 64
const COMMA = 44

/** In cents, for 16 characters at most; -1 when only the text says it exactly. */
function capitalValue(bytes: Uint8Array, at: Span): number {
  if (at.end - at.start > 16 || bytes[at.end - 3] !== COMMA) return -1
  let cents = 0
  for (let i = at.start; i < at.end; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (i === at.end - 3) continue
    if (digit < 0 || digit > 9) return -1
    cents = cents * 10 + digit
  }
  return at.end - at.start > 4 && bytes[at.start] === 48 ? -1 : cents
}

function putCapital(out: Output, c: Encoding, bytes: Uint8Array, at: Span): number {
  if (at.start === at.end) return 0
  const cents = capitalValue(bytes, at)
  if (cents === 0) return CAPITAL_ZERO
  if (cents < 0) {
    putTextoSempre(out, c.palavras, bytes, at)
    return CAPITAL_TEXTO
  }
  const whole = cents % 100 === 0
  putVarint(out, whole ? cents / 100 : cents)
  return whole ? CAPITAL_REAIS : CAPITAL_CENTAVOS
}

export function putEmpresa(out: Output, c: Encoding, row: CamposEmpresa): void {
  const flagsAt = out.at++
  let flags = Math.min(row.porte, FORA)
  if (row.porte >= FORA) putU8(out, row.porte - FORA)
  putCodigo(out, c, c.naturezas, row.bytes, row.natureza)
  flags |= putCapital(out, c, row.capitalBytes, row.capital)
  if (putTexto(out, c.palavras, row.bytes, row.razao)) flags |= RAZAO
  out.bytes[flagsAt] = flags
}

/** Of two rows for one root, the import keeps the one with a name. */
export const hasRazao = (bytes: Uint8Array, at: number): boolean => ((bytes[at] ?? 0) & RAZAO) !== 0

export type Empresa = { razao_social: string; natureza: Codigo; capital_social: string; porte: Codigo }

function getCapital(cursor: Cursor, decoding: Decoding, kind: number): string {
  if (kind === 0) return ''
  if (kind === CAPITAL_ZERO) return '0.00'
  if (kind === CAPITAL_TEXTO) return getTexto(cursor, decoding.palavras, false).replace(',', '.')
  const value = getVarint(cursor)
  if (kind === CAPITAL_REAIS) return `${value}.00`
  const cents = String(value).padStart(3, '0')
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`
}

/** `mask` hides a CPF in the name of a sole trader. */
export function getEmpresa(cursor: Cursor, decoding: Decoding, mask: boolean): Empresa {
  const flags = getU8(cursor)
  const porte = getDaLista(cursor, PORTES, flags & FORA)
  const natureza = getCodigo(cursor, decoding.dominios.naturezas, decoding.palavras)
  const capital_social = getCapital(cursor, decoding, flags & CAPITAL)
  const hide = mask && natureza.codigo === EMPRESARIO_INDIVIDUAL
  const razao_social = flags & RAZAO ? getTexto(cursor, decoding.palavras, hide) : ''
  return { razao_social, natureza, capital_social, porte }
}

type Socio = { nome: string; qualificacao: string }

export function putSocio(out: Output, c: Encoding, bytes: Uint8Array, nome: Span, qualificacao: Span): void {
  putCodigo(out, c, c.qualificacoes, bytes, qualificacao)
  putTextoSempre(out, c.palavras, bytes, nome)
}

/** One side of Simples.zip: the option (`S`, `N` or empty) and its dates, ISO or empty. */
type Opcao = { opcao: string; data_opcao: string; data_exclusao: string }

/** One side of Simples.zip as it is written: 0 blank, 1 S, 2 N, and dates of `diasDaData`. */
export type CamposOpcao = { opcao: number; entrada: number; saida: number }

const OPCOES = ['', 'S', 'N']

export function putSimples(out: Output, simples: CamposOpcao, mei: CamposOpcao): void {
  const flagsAt = out.at++
  let flags = simples.opcao | (mei.opcao << 2)
  for (const [place, days] of [simples.entrada, simples.saida, mei.entrada, mei.saida].entries()) {
    if (days === 0) continue
    flags |= 16 << place
    putData(out, days)
  }
  out.bytes[flagsAt] = flags
}

function getSimples(cursor: Cursor): { simples: Opcao; mei: Opcao } {
  const flags = getU8(cursor)
  const data = (place: number): string => (flags & (16 << place) ? dataIso(getData(cursor)) : '')
  const opcao = (bits: number, place: number): Opcao => ({
    opcao: OPCOES[bits & 3] ?? '',
    data_opcao: data(place),
    data_exclusao: data(place + 1),
  })
  return { simples: opcao(flags, 0), mei: opcao(flags >>> 2, 2) }
}

const EMPRESA = 1
const SIMPLES = 2

export type ParteEmpresa = {
  empresa: Empresa | undefined
  simples: { simples: Opcao; mei: Opcao } | undefined
  qsa: Socio[]
}

/** The company, its Simples line and `socios` partners follow, where said. */
export function putHead(out: Output, hasEmpresa: boolean, hasSimples: boolean, socios: number): void {
  putVarint(out, socios * 4 + (hasEmpresa ? EMPRESA : 0) + (hasSimples ? SIMPLES : 0))
}

export function getParteEmpresa(cursor: Cursor, decoding: Decoding, mask: boolean): ParteEmpresa {
  const head = getVarint(cursor)
  const empresa = head & EMPRESA ? getEmpresa(cursor, decoding, mask) : undefined
  const simples = head & SIMPLES ? getSimples(cursor) : undefined
  const qsa: Socio[] = []
  for (let count = Math.floor(head / 4); count > 0; count--) {
    const qualificacao = getCodigo(cursor, decoding.dominios.qualificacoes, decoding.palavras).descricao
    qsa.push({ nome: getTexto(cursor, decoding.palavras, false), qualificacao })
  }
  return { empresa, simples, qsa }
}

/** `result` is the specification's; `outros` are other facts beside it. */
export type RegistroCnpj = {
  result: {
    razao_social: string
    nome_fantasia: string
    situacao_cadastral: string
    data_situacao_cadastral: string
    cnae_principal_codigo: string
    cnae_principal_descricao: string
    cnaes_secundarios: Codigo[]
    natureza_juridica: string
    capital_social: string
    endereco: Endereco
    qsa: Socio[]
    porte: string
  }
  outros: {
    data_abertura: string
    matriz: boolean
    situacao: Codigo
    motivo_situacao: Codigo
    natureza_juridica: Codigo
    porte: Codigo
    /** Only in a vintage imported with Simples.zip, for a company that has a line there. */
    simples?: Opcao
    mei?: Opcao
  }
}

const NENHUM: Codigo = { codigo: '', descricao: '' }

function join(parte: ParteEmpresa, est: Estabelecimento): RegistroCnpj {
  const { empresa, simples } = parte
  const natureza = empresa?.natureza ?? NENHUM
  const porte = empresa?.porte ?? NENHUM
  return {
    result: {
      razao_social: empresa?.razao_social ?? '',
      nome_fantasia: est.nome_fantasia,
      situacao_cadastral: est.situacao.descricao,
      data_situacao_cadastral: est.data_situacao,
      cnae_principal_codigo: est.cnae.codigo,
      cnae_principal_descricao: est.cnae.descricao,
      cnaes_secundarios: est.cnaes_secundarios,
      natureza_juridica: natureza.descricao,
      capital_social: empresa?.capital_social ?? '',
      endereco: est.endereco,
      qsa: parte.qsa,
      porte: porte.descricao,
    },
    outros: {
      data_abertura: est.data_abertura,
      matriz: est.matriz,
      situacao: est.situacao,
      motivo_situacao: est.motivo,
      natureza_juridica: natureza,
      porte,
      ...(simples === undefined ? {} : simples),
    },
  }
}

/** `mask` hides CPFs in the names of a sole trader. */
export function getRegistro(cursor: Cursor, found: Found, decoding: Decoding, mask: boolean): RegistroCnpj {
  cursor.at = found.empresa
  const parte = getParteEmpresa(cursor, decoding, mask)
  const hide = mask && parte.empresa?.natureza.codigo === EMPRESARIO_INDIVIDUAL
  cursor.at = found.estabelecimento
  return join(parte, getEstabelecimento(cursor, decoding, hide))
}
