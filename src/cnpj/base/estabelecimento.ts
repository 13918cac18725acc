import {
  type Cursor,
  dataIso,
  getData,
  getU8,
  getU16,
  getUint,
  getVarint,
  type Output,
  putData,
  putU8,
  putUint,
  putVarint,
  type Span,
} from './bytes.ts'
import {
  type Codigo,
  type Decoding,
  type Encoding,
  FORA,
  getCodigo,
  getDaLista,
  putCodigo,
  SITUACOES,
} from './coding.ts'
import { getTexto, putTexto, putTextoSempre } from './text.ts'

/** One establishment, cleaned: spans of `bytes`, dates of `diasDaData`. A blank span is a missing value. */
export type CamposEstabelecimento = {
  bytes: Uint8Array
  matriz: boolean
  situacao: number
  dataSituacao: number
  abertura: number
  cep: number
  motivo: Span
  cnae: Span
  secundarios: Span
  municipio: Span
  uf: Span
  numero: Span
  fantasia: Span
  tipo: Span
  logradouro: Span
  complemento: Span
  bairro: Span
}

const MATRIZ = 8
const FANTASIA = 16
const COMPLEMENTO = 32
const SECUNDARIOS = 64
const MOTIVO = 128
const NUMERO_SN = 1
const NUMERO_INTEIRO = 2
const NUMERO_TEXTO = 3
const CEP = 4
const MESMA_DATA = 8
const UF_DO_MUNICIPIO = 16
const BAIRRO = 32
const LOGRADOURO = 64
const COMMA = 44

function numeroKind(bytes: Uint8Array, at: Span): number {
  const length = at.end - at.start
  if (length === 0) return 0
  const first = bytes[at.start]
  if (length === 3 && first === 83 && bytes[at.start + 1] === 47 && bytes[at.start + 2] === 78)
    return NUMERO_SN
  if (length > 9 || (first === 48 && length > 1)) return NUMERO_TEXTO
  for (let i = at.start; i < at.end; i++) {
    const c = bytes[i] ?? 0
    if (c < 48 || c > 57) return NUMERO_TEXTO
  }
  return NUMERO_INTEIRO
}

function putNumero(out: Output, c: Encoding, bytes: Uint8Array, at: Span): number {
  const kind = numeroKind(bytes, at)
  if (kind === NUMERO_TEXTO) return putTexto(out, c.palavras, bytes, at) ? kind : 0
  if (kind === NUMERO_INTEIRO) {
    let value = 0
    for (let i = at.start; i < at.end; i++) value = value * 10 + (bytes[i] ?? 0) - 48
    putVarint(out, value)
  }
  return kind
}

function putSecundarios(out: Output, c: Encoding, bytes: Uint8Array, list: Span): boolean {
  let count = 1
  for (let i = list.start; i < list.end; i++) if (bytes[i] === COMMA) count++
  if (list.start === list.end) return false
  putVarint(out, count)
  const one = { start: list.start, end: list.start }
  for (; count > 0; count--) {
    while (one.end < list.end && bytes[one.end] !== COMMA) one.end++
    putCodigo(out, c, c.cnaes, bytes, one)
    one.start = ++one.end
  }
  return true
}

function putMunicipio(out: Output, c: Encoding, row: CamposEstabelecimento): boolean {
  const { bytes, uf } = row
  const expected = c.ufs[putCodigo(out, c, c.municipios, bytes, row.municipio)]
  if (
    uf.end - uf.start === 2 &&
    expected !== undefined &&
    expected.charCodeAt(0) === bytes[uf.start] &&
    expected.charCodeAt(1) === bytes[uf.start + 1]
  )
    return true
  putTextoSempre(out, c.palavras, bytes, uf)
  return false
}

export function putEstabelecimento(out: Output, c: Encoding, row: CamposEstabelecimento): void {
  const { bytes } = row
  const flagsAt = out.at
  out.at += 2
  let a = Math.min(row.situacao, FORA) | (row.matriz ? MATRIZ : 0)
  let b = 0
  if (row.situacao >= FORA) putU8(out, row.situacao - FORA)
  putData(out, row.abertura)
  if (row.abertura === row.dataSituacao) b |= MESMA_DATA
  else putData(out, row.dataSituacao)
  if (row.motivo.end > row.motivo.start) {
    a |= MOTIVO
    putCodigo(out, c, c.motivos, bytes, row.motivo)
  }
  putCodigo(out, c, c.cnaes, bytes, row.cnae)
  if (putMunicipio(out, c, row)) b |= UF_DO_MUNICIPIO
  if (row.cep > 0) {
    b |= CEP
    putUint(out, row.cep, 4)
  }
  b |= putNumero(out, c, bytes, row.numero)
  if (putSecundarios(out, c, bytes, row.secundarios)) a |= SECUNDARIOS
  if (putTexto(out, c.palavras, bytes, row.fantasia)) a |= FANTASIA
  if (putTexto(out, c.palavras, bytes, row.tipo, row.logradouro)) b |= LOGRADOURO
  if (putTexto(out, c.palavras, bytes, row.complemento)) a |= COMPLEMENTO
  if (putTexto(out, c.palavras, bytes, row.bairro)) b |= BAIRRO
  out.bytes[flagsAt] = a
  out.bytes[flagsAt + 1] = b
}

export type Estabelecimento = {
  matriz: boolean
  situacao: Codigo
  data_situacao: string
  data_abertura: string
  motivo: Codigo
  cnae: Codigo
  cnaes_secundarios: Codigo[]
  nome_fantasia: string
  endereco: Endereco
}

/** The address of the specification's `result`, its fields in the specification's order. */
export type Endereco = {
  logradouro: string
  numero: string
  complemento: string
  bairro: string
  municipio: string
  uf: string
  cep: string
  codigo_ibge: string
}

function getNumero(cursor: Cursor, kind: number, words: readonly string[]): string {
  if (kind === 0) return ''
  if (kind === NUMERO_SN) return 'S/N'
  return kind === NUMERO_INTEIRO ? String(getVarint(cursor)) : getTexto(cursor, words, false)
}

function getSecundarios(cursor: Cursor, decoding: Decoding): Codigo[] {
  const list: Codigo[] = []
  for (let count = getVarint(cursor); count > 0; count--) {
    list.push(getCodigo(cursor, decoding.dominios.cnaes, decoding.palavras))
  }
  return list
}

function getEndereco(cursor: Cursor, decoding: Decoding, b: number): Endereco {
  const { palavras, dominios } = decoding
  const place = getU16(cursor) - 1
  if (place < 0) getTexto(cursor, palavras, false)
  const { municipios } = dominios
  const uf = b & UF_DO_MUNICIPIO ? (municipios.ufs[place] ?? '') : getTexto(cursor, palavras, false)
  return {
    logradouro: '',
    numero: '',
    complemento: '',
    bairro: '',
    municipio: municipios.descricoes[place] ?? '',
    uf,
    cep: b & CEP ? String(getUint(cursor, 4)).padStart(8, '0') : '',
    codigo_ibge: municipios.ibge[place] ?? '',
  }
}

/** `mask` hides CPFs in the trade name (of a sole trader). */
export function getEstabelecimento(cursor: Cursor, decoding: Decoding, mask: boolean): Estabelecimento {
  const { palavras, dominios } = decoding
  const a = getU8(cursor)
  const b = getU8(cursor)
  const situacao = getDaLista(cursor, SITUACOES, a & FORA)
  const abertura = getData(cursor)
  const dataSituacao = b & MESMA_DATA ? abertura : getData(cursor)
  const motivo = a & MOTIVO ? getCodigo(cursor, dominios.motivos, palavras) : decoding.semMotivo
  const cnae = getCodigo(cursor, dominios.cnaes, palavras)
  const endereco = getEndereco(cursor, decoding, b)
  endereco.numero = getNumero(cursor, b & NUMERO_TEXTO, palavras)
  const secundarios = a & SECUNDARIOS ? getSecundarios(cursor, decoding) : []
  const fantasia = a & FANTASIA ? getTexto(cursor, palavras, mask) : ''
  if (b & LOGRADOURO) endereco.logradouro = getTexto(cursor, palavras, false)
  if (a & COMPLEMENTO) endereco.complemento = getTexto(cursor, palavras, false)
  if (b & BAIRRO) endereco.bairro = getTexto(cursor, palavras, false)
  return {
    matriz: (a & MATRIZ) !== 0,
    situacao,
    data_situacao: dataIso(dataSituacao),
    data_abertura: dataIso(abertura),
    motivo,
    cnae,
    cnaes_secundarios: secundarios,
    nome_fantasia: fantasia,
    endereco,
  }
}
