import { isCnpj } from '../../documento/documento.ts'
import type { CnpjBase, Manifesto, Portao } from '../base/versao.ts'
import { PARTES } from '../base/zips.ts'
import type { Entradas } from './entradas.ts'
import type { ZipRun } from './run.ts'

/** A second witness, by plain string rules on a line. `undefined`: it has no opinion. */
type Facts = Record<string, string | undefined>

const clean = (text: string): string => text.replace(/[^!-\xff]+/g, ' ').replace(/^ | $/g, '')

/** None for a line with a field out of quotes. */
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

function differences(expected: Facts, seen: Facts): string[] {
  return Object.keys(expected).filter((name) => expected[name] !== undefined && expected[name] !== seen[name])
}

/** Whether this is a state code. "ZZ" comes out empty, as it should, and is not compared. */
const isUf = (uf: string | undefined): boolean =>
  uf !== undefined && /^(A[CLMP]|BA|CE|DF|E[SX]|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO)$/.test(uf)

function checkEstabelecimento(base: CnpjBase, line: string): string | undefined {
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

/** Undefined also when the company has no establishment. */
function checkEmpresa(base: CnpjBase, line: string): string | undefined {
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

/** Bounds of the gates. Proportions are of establishments; that of the quarantine is of lines. */
export type GateLimits = {
  partes: number
  estabelecimentos: number
  crescimentoMinimo: number
  crescimentoMaximo: number
  razaoVazia: number
  codigosDesconhecidos: number
  quarentena: number
}

/** Facts of 2024 to 2026: 72 million establishments, 0.46 million more a month. */
export const GATE_LIMITS: GateLimits = {
  partes: PARTES,
  estabelecimentos: 60_000_000,
  crescimentoMinimo: -0.005,
  crescimentoMaximo: 0.03,
  razaoVazia: 0.001,
  codigosDesconhecidos: 0.01,
  quarentena: 0.0001,
}

/** For a sample, which may be small and full of dirt: only what tells a broken import from a dirty one. */
const SAMPLE_SHARE = 0.05
const FEW = 50

/** Public bodies that no national base lacks. */
const CONHECIDOS = [
  { cnpj: '00000000000191', razao: 'BANCO DO BRASIL SA' },
  { cnpj: '33683111000280', razao: 'SERVICO FEDERAL DE PROCESSAMENTO DE DADOS (SERPRO)' },
]

const percent = (part: number): string =>
  `${(part * 100).toLocaleString('pt-BR', { maximumFractionDigits: 3 })}%`
const number = (n: number): string => n.toLocaleString('pt-BR')

type Trial = { nome: string; visto: string; esperado: string; ok: boolean; nacional: boolean }

function proportion(nome: string, part: number, whole: number, limit: number, few = 0): Trial {
  const share = whole === 0 ? 0 : part / whole
  return {
    nome,
    visto: `${number(part)} (${percent(share)})`,
    esperado: `menos de ${percent(limit)}${few > 0 ? ` ou de ${few}` : ''}`,
    ok: share < limit || part < few,
    nacional: false,
  }
}

function tryArquivos(entradas: Entradas, limites: GateLimits): Trial {
  const seen = (['empresas', 'estabelecimentos', 'socios'] as const).map(
    (conjunto) => entradas.conjuntos.filter((one) => one.conjunto === conjunto).length,
  )
  const esperado = `${limites.partes} de Empresas, de Estabelecimentos e de Socios`
  return {
    nome: 'arquivos',
    visto: seen.join(', '),
    esperado,
    ok: seen.every((n) => n === limites.partes),
    nacional: true,
  }
}

const monthsOf = (versao: string): number => Number(versao.slice(0, 4)) * 12 + Number(versao.slice(5))

function tryCrescimento(novo: Manifesto, anterior: Manifesto | undefined, limites: GateLimits): Trial[] {
  if (anterior === undefined || anterior.amostra || anterior.estabelecimentos === 0) return []
  const months = Math.max(1, Math.abs(monthsOf(novo.versao) - monthsOf(anterior.versao)))
  const growth = novo.estabelecimentos / anterior.estabelecimentos - 1
  const low = limites.crescimentoMinimo * months
  const high = limites.crescimentoMaximo * months
  const esperado = `de ${percent(low)} a ${percent(high)} sobre ${anterior.versao}`
  return [
    {
      nome: 'crescimento',
      visto: percent(growth),
      esperado,
      ok: growth >= low && growth <= high,
      nacional: true,
    },
  ]
}

function tryConhecidos(base: CnpjBase): Trial {
  const wrong = CONHECIDOS.filter((one) => base.find(one.cnpj)?.result.razao_social !== one.razao)
  const visto = wrong.length === 0 ? 'todos' : `sem ${wrong.map((one) => one.cnpj).join(', ')}`
  return {
    nome: 'conhecidos',
    visto,
    esperado: 'os órgãos conhecidos, com seus nomes',
    ok: wrong.length === 0,
    nacional: true,
  }
}

function tryReleitura(base: CnpjBase, runs: ZipRun[], repetidos: Set<string>): Trial {
  const wrong: string[] = []
  let compared = 0
  for (const { conjunto, amostra } of runs) {
    const check = conjunto === 'empresas' ? checkEmpresa : checkEstabelecimento
    for (const line of amostra) {
      if (repetidos.has(line.slice(1, 9)) || repetidos.has(line.slice(1, 9) + line.slice(12, 16))) continue
      compared++
      const problem = check(base, line)
      if (problem !== undefined) wrong.push(problem)
    }
  }
  const visto =
    wrong.length === 0
      ? `${number(compared)} iguais`
      : `${number(wrong.length)} diferentes: ${wrong.slice(0, 3).join('; ')}`
  return {
    nome: 'releitura',
    visto,
    esperado: 'linhas sorteadas iguais às dos zips',
    ok: wrong.length === 0,
    nacional: false,
  }
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, n) => total + n, 0)

export type Candidate = {
  manifesto: Manifesto
  anterior: Manifesto | undefined
  base: CnpjBase
  entradas: Entradas
  runs: ZipRun[]
  repetidos: Set<string>
  limites: GateLimits
  /** Names of gates that the operator waives. */
  aceitar: readonly string[]
}

/** A sample is excused from those that assume the national base, others by their name in `aceitar`. */
export function tryGates(candidate: Candidate): Portao[] {
  const { manifesto, limites, base } = candidate
  const { estabelecimentos, contagens, amostra } = manifesto
  const linhas = sum(
    Object.fromEntries(Object.entries(contagens).filter(([name]) => name.startsWith('linhas_'))),
  )
  const semRazao = contagens.estabelecimentos_sem_razao ?? 0
  const desconhecidos = sum(manifesto.codigos_desconhecidos)
  const share = amostra ? SAMPLE_SHARE : undefined
  const few = amostra ? FEW : 0
  const trials: Trial[] = [
    tryArquivos(candidate.entradas, limites),
    {
      nome: 'estabelecimentos',
      visto: number(estabelecimentos),
      esperado: `${number(limites.estabelecimentos)} ou mais`,
      ok: estabelecimentos >= limites.estabelecimentos,
      nacional: true,
    },
    ...tryCrescimento(manifesto, candidate.anterior, limites),
    tryConhecidos(base),
    proportion('razao_vazia', semRazao, estabelecimentos, share ?? limites.razaoVazia, few),
    proportion('codigos_desconhecidos', desconhecidos, linhas, share ?? limites.codigosDesconhecidos, few),
    { ...proportion('quarentena', sum(manifesto.quarentena), linhas, limites.quarentena), nacional: true },
    tryReleitura(base, candidate.runs, candidate.repetidos),
  ]
  return trials.map(({ nacional, ...trial }) => ({
    ...trial,
    dispensado: !trial.ok && ((amostra && nacional) || candidate.aceitar.includes(trial.nome)),
  }))
}
