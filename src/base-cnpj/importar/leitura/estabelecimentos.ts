import type { Faixa } from '../../formato/bytes.ts'
import { SITUACOES } from '../../formato/codes.ts'
import {
  type CamposEstabelecimento,
  putEstabelecimento,
  SITUACAO_FORA,
} from '../../formato/estabelecimento.ts'
import { chaveOrdem, chaveRaiz, digitosConferem } from '../../formato/key.ts'
import { count } from '../counts.ts'
import type { Linha } from '../entradas/csv.ts'
import { cepOf, clear, dateOf, digitsValue, padZeros, setFaixa } from './cleaning.ts'
import type { ContextoDeLeitura } from './context.ts'
import { endRegistro, startRegistro } from './run-record.ts'
import { fatiaDe } from './slices.ts'

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

const nova = (): Faixa => ({ start: 0, end: 0 })

const width = (linha: Linha, column: number): number =>
  (linha.ends[column] ?? 0) - (linha.starts[column] ?? 0)

/** Joins root, order and check digits, one after the other, in `cnpj`; says whether they are a CNPJ. */
function isChave(linha: Linha, cnpj: Buffer): boolean {
  if (width(linha, C.raiz) !== 8 || width(linha, C.ordem) !== 4 || width(linha, C.dv) !== 2) return false
  const { bytes, starts } = linha
  for (let i = 0; i < 8; i++) cnpj[i] = bytes[(starts[C.raiz] ?? 0) + i] ?? 0
  for (let i = 0; i < 4; i++) cnpj[8 + i] = bytes[(starts[C.ordem] ?? 0) + i] ?? 0
  for (let i = 0; i < 2; i++) cnpj[12 + i] = bytes[(starts[C.dv] ?? 0) + i] ?? 0
  return digitosConferem(cnpj, 0, 12)
}

function isUf(bytes: Uint8Array, uf: Faixa): boolean {
  const length = uf.end - uf.start
  return length === 0 || (length === 2 && UFS.has((bytes[uf.start] ?? 0) * 256 + (bytes[uf.start + 1] ?? 0)))
}

function isDigits(bytes: Uint8Array, faixa: Faixa, length: number): boolean {
  if (faixa.end === faixa.start) return true
  return faixa.end - faixa.start === length && digitsValue(bytes, faixa.start, faixa.end) >= 0
}

/** State, municipality and CNAE tell a row whose columns shifted: what does not fit is blanked, the row stays. */
function checkColunas(row: CamposEstabelecimento): boolean {
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

function situacaoOf(linha: Linha): number {
  const value = digitsValue(linha.bytes, linha.starts[C.situacao] ?? 0, linha.ends[C.situacao] ?? 0)
  if (value <= 0) return 0
  const place = SITUACOES.findIndex((one) => Number(one.codigo) === value)
  return place > 0 ? place : SITUACAO_FORA + Math.min(value, 255)
}

function dataOf(ctx: ContextoDeLeitura, linha: Linha, column: number): number {
  const days = dateOf(linha, column, ctx.dataLimite)
  if (days >= 0) return days
  count(ctx.contagens, 'datas_absurdas')
  return 0
}

function read(ctx: ContextoDeLeitura, linha: Linha, row: CamposEstabelecimento, cep: Faixa): void {
  const { bytes, starts, ends } = linha
  row.bytes = bytes
  row.matriz = bytes[starts[C.matriz] ?? 0] === 49 && width(linha, C.matriz) > 0
  row.situacao = situacaoOf(linha)
  row.dataSituacao = dataOf(ctx, linha, C.dataSituacao)
  row.abertura = dataOf(ctx, linha, C.abertura)
  setFaixa(cep, linha, C.cep)
  row.cep = cepOf(bytes, cep)
  if (row.cep < 0) {
    count(ctx.contagens, 'ceps_invalidos')
    row.cep = 0
  }
  setFaixa(row.motivo, linha, C.motivo)
  if (digitsValue(bytes, row.motivo.start, row.motivo.end) === 0) clear(row.motivo)
  setFaixa(row.cnae, linha, C.cnae)
  setFaixa(row.secundarios, linha, C.secundarios)
  setFaixa(row.municipio, linha, C.municipio)
  setFaixa(row.uf, linha, C.uf)
  setFaixa(row.numero, linha, C.numero)
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
export function createLinhaEstabelecimento(ctx: ContextoDeLeitura): (linha: Linha) => void {
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
  return (linha) => {
    const raiz = isChave(linha, cnpj) ? chaveRaiz(cnpj, 0) : -1
    const ordem = chaveOrdem(cnpj, 8)
    if (raiz < 0 || ordem < 0) {
      ctx.quarentena.put('chave inválida', linha)
      return
    }
    read(ctx, linha, row, cep)
    if (!checkColunas(row)) ctx.quarentena.put('UF, município ou CNAE fora do padrão (linha mantida)', linha)
    const out = ctx.escritor.open(fatiaDe(ctx.fatias, raiz), 256 + (linha.end - linha.start) * 3)
    const at = startRegistro(out, raiz, ordem)
    putEstabelecimento(out, ctx.codificacao, row)
    endRegistro(out, at)
  }
}
