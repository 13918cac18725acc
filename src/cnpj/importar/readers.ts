import { digitosConferem, ordemKey, raizKey } from '../base/bytes.ts'
import { SITUACOES } from '../base/codes.ts'
import { type CamposEstabelecimento, putEstabelecimento, SITUACAO_FORA } from '../base/estabelecimento.ts'
import type { Span } from '../base/formato-bytes.ts'
import type { ReadContext } from './context.ts'
import { count } from './counts.ts'
import type { CsvLine } from './csv.ts'
import { cepOf, clear, dateOf, digitsValue, padZeros, setSpan } from './leitura.ts'
import { endRecord, startRecord } from './run.ts'
import { sliceOf } from './slices.ts'

/** Columns of Estabelecimentos (official layout, cnpj-metadados.pdf), counted from 0. */
const C = {
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
  if (width(line, C.raiz) !== 8 || width(line, C.ordem) !== 4 || width(line, C.dv) !== 2) return false
  const { bytes, starts } = line
  for (let i = 0; i < 8; i++) cnpj[i] = bytes[(starts[C.raiz] ?? 0) + i] ?? 0
  for (let i = 0; i < 4; i++) cnpj[8 + i] = bytes[(starts[C.ordem] ?? 0) + i] ?? 0
  for (let i = 0; i < 2; i++) cnpj[12 + i] = bytes[(starts[C.dv] ?? 0) + i] ?? 0
  return digitosConferem(cnpj, 0, 12)
}

function isUf(bytes: Uint8Array, uf: Span): boolean {
  const length = uf.end - uf.start
  return length === 0 || (length === 2 && UFS.has((bytes[uf.start] ?? 0) * 256 + (bytes[uf.start + 1] ?? 0)))
}

function isDigits(bytes: Uint8Array, span: Span, length: number): boolean {
  if (span.end === span.start) return true
  return span.end - span.start === length && digitsValue(bytes, span.start, span.end) >= 0
}

/**
 * State, municipality and CNAE show a row whose columns shifted. What does not fit is blanked, and the row
 * stays.
 */
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

function situacaoOf(line: CsvLine): number {
  const value = digitsValue(line.bytes, line.starts[C.situacao] ?? 0, line.ends[C.situacao] ?? 0)
  if (value <= 0) return 0
  const place = SITUACOES.findIndex((one) => Number(one.codigo) === value)
  return place > 0 ? place : SITUACAO_FORA + Math.min(value, 255)
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
  row.matriz = bytes[starts[C.matriz] ?? 0] === 49 && width(line, C.matriz) > 0
  row.situacao = situacaoOf(line)
  row.dataSituacao = dataOf(ctx, line, C.dataSituacao)
  row.abertura = dataOf(ctx, line, C.abertura)
  setSpan(cep, line, C.cep)
  row.cep = cepOf(bytes, cep)
  if (row.cep < 0) {
    count(ctx.contagens, 'ceps_invalidos')
    row.cep = 0
  }
  setSpan(row.motivo, line, C.motivo)
  if (digitsValue(bytes, row.motivo.start, row.motivo.end) === 0) clear(row.motivo)
  setSpan(row.cnae, line, C.cnae)
  setSpan(row.secundarios, line, C.secundarios)
  setSpan(row.municipio, line, C.municipio)
  setSpan(row.uf, line, C.uf)
  setSpan(row.numero, line, C.numero)
  row.fantasia.start = starts[C.fantasia] ?? 0
  row.fantasia.end = ends[C.fantasia] ?? 0
  row.tipo.start = starts[C.tipo] ?? 0
  row.tipo.end = ends[C.tipo] ?? 0
  row.logradouro.start = starts[C.logradouro] ?? 0
  row.logradouro.end = ends[C.logradouro] ?? 0
  row.complemento.start = starts[C.complemento] ?? 0
  row.complemento.end = ends[C.complemento] ?? 0
  row.bairro.start = starts[C.bairro] ?? 0
  row.bairro.end = ends[C.bairro] ?? 0
}

/** Cleans the rows of Estabelecimentos and writes each into the slice of its root. */
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
