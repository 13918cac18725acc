import { digitsMatch, ordemKey, raizKey, type Span } from '../base/bytes.ts'
import { type Codigo, FORA, PORTES, SITUACOES } from '../base/coding.ts'
import { type CamposEstabelecimento, putEstabelecimento } from '../base/estabelecimento.ts'
import { type CamposEmpresa, type CamposOpcao, putEmpresa, putSimples, putSocio } from '../base/registro.ts'
import type { CsvLine } from './csv.ts'
import {
  cepOf,
  cleanCapital,
  clear,
  count,
  dateOf,
  digitsValue,
  isCleanCapital,
  padZeros,
  type ReadContext,
  setSpan,
  sliceOf,
} from './leitura.ts'
import { endRecord, startRecord } from './run.ts'

/** Columns of Empresas (official layout), counted from 0. The root is column 0 of every set. */
const EMPRESA_COLUMNS = { razao: 1, natureza: 2, capital: 4, porte: 5 } as const

/** -1 when it is no root, and the line goes to quarantine. */
function raizOfLine(ctx: ReadContext, line: CsvLine): number {
  const start = line.starts[0] ?? 0
  const raiz = (line.ends[0] ?? 0) - start === 8 ? raizKey(line.bytes, start) : -1
  if (raiz < 0) ctx.quarentena.put('chave inválida', line)
  return raiz
}

function placeIn(lista: readonly Codigo[], line: CsvLine, column: number): number {
  const value = digitsValue(line.bytes, line.starts[column] ?? 0, line.ends[column] ?? 0)
  const place = lista.findIndex(({ codigo }) => codigo !== '' && Number(codigo) === value)
  if (place > 0) return place
  return value > 0 ? FORA + Math.min(value, 255) : 0
}

export function empresaReader(ctx: ReadContext): (line: CsvLine) => void {
  const scratch = Buffer.alloc(64)
  const row: CamposEmpresa = {
    bytes: scratch,
    razao: { start: 0, end: 0 },
    natureza: { start: 0, end: 0 },
    porte: 0,
    capital: { start: 0, end: 0 },
    capitalBytes: scratch,
  }

  function readCapital(line: CsvLine): void {
    setSpan(row.capital, line, EMPRESA_COLUMNS.capital)
    row.capitalBytes = line.bytes
    if (row.capital.start === row.capital.end || isCleanCapital(line.bytes, row.capital)) return
    if (cleanCapital(line.bytes, row.capital, scratch)) row.capitalBytes = scratch
    else {
      clear(row.capital)
      count(ctx.contagens, 'capitais_invalidos')
    }
  }

  return (line) => {
    const raiz = raizOfLine(ctx, line)
    if (raiz < 0) return
    row.bytes = line.bytes
    row.razao.start = line.starts[EMPRESA_COLUMNS.razao] ?? 0
    row.razao.end = line.ends[EMPRESA_COLUMNS.razao] ?? 0
    setSpan(row.natureza, line, EMPRESA_COLUMNS.natureza)
    padZeros(line.bytes, row.natureza, 4)
    row.porte = placeIn(PORTES, line, EMPRESA_COLUMNS.porte)
    readCapital(line)
    const out = ctx.writer.open(sliceOf(ctx.slices, raiz), 256 + (line.end - line.start) * 3)
    const at = startRecord(out, raiz, 0)
    putEmpresa(out, ctx.encoding, row)
    endRecord(out, at)
  }
}

/** Columns of Estabelecimentos (official layout, cnpj-metadados.pdf), counted from 0. */
const ESTABELECIMENTO_COLUMNS = {
  raiz: 0,
  ordem: 1,
  dv: 2,
  matriz: 3,
  fantasia: 4,
  situacao: 5,
  dataSituacao: 6,
  motivo: 7,
  abertura: 10,
  cnae: 11,
  secundarios: 12,
  tipo: 13,
  logradouro: 14,
  numero: 15,
  complemento: 16,
  bairro: 17,
  cep: 18,
  uf: 19,
  municipio: 20,
} as const

const UFS = new Set(
  'AC AL AM AP BA CE DF ES EX GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'
    .split(' ')
    .map((uf) => uf.charCodeAt(0) * 256 + uf.charCodeAt(1)),
)

const nova = (): Span => ({ start: 0, end: 0 })

const width = (line: CsvLine, column: number): number => (line.ends[column] ?? 0) - (line.starts[column] ?? 0)

/** Joins root, order and check digits in `cnpj`. Says whether they are a CNPJ. */
function isChave(line: CsvLine, cnpj: Buffer): boolean {
  if (
    width(line, ESTABELECIMENTO_COLUMNS.raiz) !== 8 ||
    width(line, ESTABELECIMENTO_COLUMNS.ordem) !== 4 ||
    width(line, ESTABELECIMENTO_COLUMNS.dv) !== 2
  )
    return false
  const { bytes, starts } = line
  for (let i = 0; i < 8; i++) cnpj[i] = bytes[(starts[ESTABELECIMENTO_COLUMNS.raiz] ?? 0) + i] ?? 0
  for (let i = 0; i < 4; i++) cnpj[8 + i] = bytes[(starts[ESTABELECIMENTO_COLUMNS.ordem] ?? 0) + i] ?? 0
  for (let i = 0; i < 2; i++) cnpj[12 + i] = bytes[(starts[ESTABELECIMENTO_COLUMNS.dv] ?? 0) + i] ?? 0
  return digitsMatch(cnpj, 0, 12)
}

function isUf(bytes: Uint8Array, uf: Span): boolean {
  const length = uf.end - uf.start
  return length === 0 || (length === 2 && UFS.has((bytes[uf.start] ?? 0) * 256 + (bytes[uf.start + 1] ?? 0)))
}

function isDigits(bytes: Uint8Array, span: Span, length: number): boolean {
  if (span.end === span.start) return true
  return span.end - span.start === length && digitsValue(bytes, span.start, span.end) >= 0
}

/** What does not fit shows a row whose columns shifted. It is blanked, and the row stays. */
function checkColumns(row: CamposEstabelecimento): boolean {
  const { bytes } = row
  padZeros(bytes, row.municipio, 4)
  padZeros(bytes, row.cnae, 7)
  const uf = isUf(bytes, row.uf)
  const municipio = isDigits(bytes, row.municipio, 4)
  const cnae = isDigits(bytes, row.cnae, 7)
  if (!uf) clear(row.uf)
  if (!municipio) clear(row.municipio)
  if (!cnae) clear(row.cnae)
  return uf && municipio && cnae
}

function dataOf(ctx: ReadContext, line: CsvLine, column: number): number {
  const days = dateOf(line, column, ctx.dataLimite)
  if (days >= 0) return days
  count(ctx.contagens, 'datas_absurdas')
  return 0
}

function read(ctx: ReadContext, line: CsvLine, row: CamposEstabelecimento, cep: Span): void {
  const { bytes, starts, ends } = line
  row.bytes = bytes
  row.matriz =
    bytes[starts[ESTABELECIMENTO_COLUMNS.matriz] ?? 0] === 49 &&
    width(line, ESTABELECIMENTO_COLUMNS.matriz) > 0
  row.situacao = placeIn(SITUACOES, line, ESTABELECIMENTO_COLUMNS.situacao)
  row.dataSituacao = dataOf(ctx, line, ESTABELECIMENTO_COLUMNS.dataSituacao)
  row.abertura = dataOf(ctx, line, ESTABELECIMENTO_COLUMNS.abertura)
  setSpan(cep, line, ESTABELECIMENTO_COLUMNS.cep)
  row.cep = cepOf(bytes, cep)
  if (row.cep < 0) {
    count(ctx.contagens, 'ceps_invalidos')
    row.cep = 0
  }
  setSpan(row.motivo, line, ESTABELECIMENTO_COLUMNS.motivo)
  if (digitsValue(bytes, row.motivo.start, row.motivo.end) === 0) clear(row.motivo)
  setSpan(row.cnae, line, ESTABELECIMENTO_COLUMNS.cnae)
  setSpan(row.secundarios, line, ESTABELECIMENTO_COLUMNS.secundarios)
  setSpan(row.municipio, line, ESTABELECIMENTO_COLUMNS.municipio)
  setSpan(row.uf, line, ESTABELECIMENTO_COLUMNS.uf)
  setSpan(row.numero, line, ESTABELECIMENTO_COLUMNS.numero)
  row.fantasia.start = starts[ESTABELECIMENTO_COLUMNS.fantasia] ?? 0
  row.fantasia.end = ends[ESTABELECIMENTO_COLUMNS.fantasia] ?? 0
  row.tipo.start = starts[ESTABELECIMENTO_COLUMNS.tipo] ?? 0
  row.tipo.end = ends[ESTABELECIMENTO_COLUMNS.tipo] ?? 0
  row.logradouro.start = starts[ESTABELECIMENTO_COLUMNS.logradouro] ?? 0
  row.logradouro.end = ends[ESTABELECIMENTO_COLUMNS.logradouro] ?? 0
  row.complemento.start = starts[ESTABELECIMENTO_COLUMNS.complemento] ?? 0
  row.complemento.end = ends[ESTABELECIMENTO_COLUMNS.complemento] ?? 0
  row.bairro.start = starts[ESTABELECIMENTO_COLUMNS.bairro] ?? 0
  row.bairro.end = ends[ESTABELECIMENTO_COLUMNS.bairro] ?? 0
}

export function estabelecimentoReader(ctx: ReadContext): (line: CsvLine) => void {
  const cnpj = Buffer.alloc(14)
  const cep = nova()
  const row: CamposEstabelecimento = {
    bytes: cnpj,
    matriz: false,
    situacao: 0,
    dataSituacao: 0,
    abertura: 0,
    cep: 0,
    motivo: nova(),
    cnae: nova(),
    secundarios: nova(),
    municipio: nova(),
    uf: nova(),
    numero: nova(),
    fantasia: nova(),
    tipo: nova(),
    logradouro: nova(),
    complemento: nova(),
    bairro: nova(),
  }
  return (line) => {
    const raiz = isChave(line, cnpj) ? raizKey(cnpj, 0) : -1
    const ordem = ordemKey(cnpj, 8)
    if (raiz < 0 || ordem < 0) {
      ctx.quarentena.put('chave inválida', line)
      return
    }
    read(ctx, line, row, cep)
    if (!checkColumns(row)) ctx.quarentena.put('UF, município ou CNAE fora do padrão (linha mantida)', line)
    const out = ctx.writer.open(sliceOf(ctx.slices, raiz), 256 + (line.end - line.start) * 3)
    const at = startRecord(out, raiz, ordem)
    putEstabelecimento(out, ctx.encoding, row)
    endRecord(out, at)
  }
}

/** Official layout, counted from 0: option, date of option and date of exclusion. */
const SIMPLES_COLUMNS = { simples: 1, mei: 4 } as const
const SIM = 83
const NAO = 78

function opcaoOf(ctx: ReadContext, line: CsvLine, column: number, opcao: CamposOpcao): void {
  const letter =
    (line.ends[column] ?? 0) > (line.starts[column] ?? 0) ? line.bytes[line.starts[column] ?? 0] : 0
  opcao.opcao = letter === SIM ? 1 : letter === NAO ? 2 : 0
  const entrada = dateOf(line, column + 1, ctx.dataLimite)
  const saida = dateOf(line, column + 2, ctx.dataLimite)
  if (entrada < 0 || saida < 0) count(ctx.contagens, 'datas_absurdas')
  opcao.entrada = Math.max(entrada, 0)
  opcao.saida = Math.max(saida, 0)
}

export function simplesReader(ctx: ReadContext): (line: CsvLine) => void {
  const simples: CamposOpcao = { opcao: 0, entrada: 0, saida: 0 }
  const mei: CamposOpcao = { opcao: 0, entrada: 0, saida: 0 }
  return (line) => {
    const raiz = raizOfLine(ctx, line)
    if (raiz < 0) return
    opcaoOf(ctx, line, SIMPLES_COLUMNS.simples, simples)
    opcaoOf(ctx, line, SIMPLES_COLUMNS.mei, mei)
    const out = ctx.writer.open(sliceOf(ctx.slices, raiz), 64)
    const at = startRecord(out, raiz, 0)
    putSimples(out, simples, mei)
    endRecord(out, at)
  }
}

/** Columns of Socios (official layout), counted from 0. */
const SOCIO_COLUMNS = { nome: 2, qualificacao: 4 } as const

/** Partners are the same only when their lines are: masked CPFs repeat between real partners. */
function hashOf(line: CsvLine): number {
  const { bytes, start, end } = line
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return hash >>> 0
}

export function socioReader(ctx: ReadContext): (line: CsvLine) => void {
  const nome = { start: 0, end: 0 }
  const qualificacao = { start: 0, end: 0 }
  return (line) => {
    const raiz = raizOfLine(ctx, line)
    if (raiz < 0) return
    const hash = hashOf(line)
    nome.start = line.starts[SOCIO_COLUMNS.nome] ?? 0
    nome.end = line.ends[SOCIO_COLUMNS.nome] ?? 0
    setSpan(qualificacao, line, SOCIO_COLUMNS.qualificacao)
    padZeros(line.bytes, qualificacao, 2)
    const out = ctx.writer.open(sliceOf(ctx.slices, raiz), 256 + (line.end - line.start) * 3)
    const at = startRecord(out, raiz, hash)
    putSocio(out, ctx.encoding, line.bytes, nome, qualificacao)
    endRecord(out, at)
  }
}
