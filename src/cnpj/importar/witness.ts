import { isCnpj } from '../../documento/documento.ts'
import type { CnpjBase } from '../base/versao.ts'

/**
 * A second witness: tells from the text of a line, by plain string rules, what a look-up must give. It knows
 * fewer rules than the importer; `undefined` means that it has no opinion.
 */
type Facts = Record<string, string | undefined>

const clean = (text: string): string => text.replace(/[^!-\xff]+/g, ' ').replace(/^ | $/g, '')

/** Fields of a line with every field in quotes. Gives none for any other line. */
function fieldsOf(line: string, columns: number): string[] {
  const text = line.replace(/[\r\n]+$/, '')
  if (!text.startsWith('"') || !text.endsWith('"')) return []
  const fields = text.slice(1, -1).split('";"')
  return fields.length === columns ? fields : []
}

/** Days that every month has, in years that nobody doubts. Of other dates the witness has no opinion. */
const DIA_CERTO = /^((?:19|20[01])\d\d)(0[1-9]|1[0-2])(0[1-9]|1\d|2[0-8])$/

function dateOf(text: string): string | undefined {
  if (/^0*$/.test(text)) return ''
  const parts = DIA_CERTO.exec(text)
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]}` : undefined
}

const digits = (text: string, width: number): string | undefined =>
  text === '' || (text.length === width && /^\d+$/.test(text)) ? text : undefined

function expectedOf(f: string[]): Facts {
  return {
    nome_fantasia: clean(f[4] ?? ''),
    situacao: /^0[1-8]$/.test(f[5] ?? '') ? f[5] : undefined,
    data_situacao: dateOf(f[6] ?? ''),
    data_abertura: dateOf(f[10] ?? ''),
    cnae: digits(clean(f[11] ?? ''), 7),
    secundarios: /^(\d{7}(,\d{7})*)?$/.test(f[12] ?? '') ? f[12] : undefined,
    logradouro: clean(`${f[13]} ${f[14]}`),
    numero: clean(f[15] ?? ''),
    complemento: clean(f[16] ?? ''),
    bairro: clean(f[17] ?? ''),
    cep: f[18] === '00000000' ? '' : digits(f[18] ?? '', 8),
    uf: /^[A-Z]{2}$/.test(f[19] ?? '') ? f[19] : undefined,
  }
}

function seenOf(base: CnpjBase, cnpj: string): Facts | undefined {
  const found = base.find(cnpj)
  if (found === undefined) return undefined
  const { result, outros } = found
  return {
    ...result.endereco,
    nome_fantasia: result.nome_fantasia,
    situacao: outros.situacao.codigo,
    data_situacao: result.data_situacao_cadastral,
    data_abertura: outros.data_abertura,
    cnae: result.cnae_principal_codigo,
    secundarios: result.cnaes_secundarios.map((cnae) => cnae.codigo).join(','),
  }
}

/** Names of the fields on which witness and base differ. */
function differences(expected: Facts, seen: Facts): string[] {
  return Object.keys(expected).filter((name) => expected[name] !== undefined && expected[name] !== seen[name])
}

/** Whether this is a state code. "ZZ" comes out empty, as it should, and is not compared. */
const isUf = (uf: string | undefined): boolean =>
  uf !== undefined && /^(A[CLMP]|BA|CE|DF|E[SX]|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO)$/.test(uf)

/** What is wrong with the base's record of a line of Estabelecimentos; undefined when nothing is wrong. */
export function checkEstabelecimento(base: CnpjBase, line: string): string | undefined {
  const f = fieldsOf(line, 30)
  const cnpj = `${f[0]}${f[1]}${f[2]}`
  if (f.length === 0 || !isCnpj(cnpj)) return undefined
  const seen = seenOf(base, cnpj)
  if (seen === undefined) return `${cnpj} não foi encontrado`
  const expected = expectedOf(f)
  if (!isUf(expected.uf)) expected.uf = undefined
  const names = differences(expected, seen)
  return names.length === 0 ? undefined : `${cnpj} difere em ${names.join(', ')}`
}

/**
 * What is wrong with the base's company of a line of Empresas. Undefined when nothing is, or when it has no
 * establishment.
 */
export function checkEmpresa(base: CnpjBase, line: string): string | undefined {
  const f = fieldsOf(line, 7)
  const found = base.findEmpresa(f[0] ?? '')
  if (f.length === 0 || found === undefined) return undefined
  const capital = /^(0|[1-9]\d*),\d\d$/.test(f[4] ?? '') ? f[4]?.replace(',', '.') : undefined
  const expected = {
    razao: clean(f[1] ?? ''),
    natureza: digits(f[2] ?? '', 4),
    capital,
    porte: /^0[0135]$/.test(f[5] ?? '') ? f[5] : undefined,
  }
  const seen = {
    razao: found.razao_social,
    natureza: found.natureza.codigo,
    capital: found.capital_social,
    porte: found.porte.codigo,
  }
  const names = differences(expected, seen)
  return names.length === 0 ? undefined : `empresa ${f[0]} difere em ${names.join(', ')}`
}
