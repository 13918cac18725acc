import type { Manifesto, Portao } from '../../versoes/manifesto.ts'
import type { CnpjBase } from '../../versoes/versao.ts'
import { PARTES } from '../../zips/conjuntos.ts'
import type { Entradas } from '../entradas/entradas.ts'
import type { Leitura } from '../leitura/run.ts'
import { checkEmpresa, checkEstabelecimento } from './witness.ts'

/** Bounds of the gates; proportions are of establishments, of lines for the quarantine. */
export type Limites = {
  partes: number
  estabelecimentos: number
  crescimentoMinimo: number
  crescimentoMaximo: number
  razaoVazia: number
  codigosDesconhecidos: number
  quarentena: number
}

/** Bounds of the national base (facts of 2024 to 2026: 72 million establishments, 0.46 million more a month). */
export const LIMITES: Limites = {
  partes: PARTES,
  estabelecimentos: 60_000_000,
  crescimentoMinimo: -0.005,
  crescimentoMaximo: 0.03,
  razaoVazia: 0.001,
  codigosDesconhecidos: 0.01,
  quarentena: 0.0001,
}

/** A sample may be small and all dirt: only what tells a broken import from a dirty one. */
const PROPORCAO_AMOSTRA = 0.05
const POUCOS = 50

/** Public bodies that no national base lacks. */
const OURO = [
  { cnpj: '00000000000191', razao: 'BANCO DO BRASIL SA' },
  { cnpj: '33683111000280', razao: 'SERVICO FEDERAL DE PROCESSAMENTO DE DADOS (SERPRO)' },
]

const percent = (part: number): string =>
  `${(part * 100).toLocaleString('pt-BR', { maximumFractionDigits: 3 })}%`
const number = (n: number): string => n.toLocaleString('pt-BR')

type Exame = { nome: string; visto: string; esperado: string; ok: boolean; nacional: boolean }

function proportion(nome: string, part: number, whole: number, limit: number, poucos = 0): Exame {
  const share = whole === 0 ? 0 : part / whole
  return {
    nome,
    visto: `${number(part)} (${percent(share)})`,
    esperado: `menos de ${percent(limit)}${poucos > 0 ? ` ou de ${poucos}` : ''}`,
    ok: share < limit || part < poucos,
    nacional: false,
  }
}

function examArquivos(entradas: Entradas, limites: Limites): Exame {
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

function examCrescimento(novo: Manifesto, anterior: Manifesto | undefined, limites: Limites): Exame[] {
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

function examOuro(base: CnpjBase): Exame {
  const wrong = OURO.filter((one) => base.find(one.cnpj)?.result.razao_social !== one.razao)
  const visto = wrong.length === 0 ? 'todos' : `sem ${wrong.map((one) => one.cnpj).join(', ')}`
  return {
    nome: 'conhecidos',
    visto,
    esperado: 'os órgãos conhecidos, com seus nomes',
    ok: wrong.length === 0,
    nacional: true,
  }
}

function examReleitura(base: CnpjBase, leituras: Leitura[], repetidos: Set<string>): Exame {
  const wrong: string[] = []
  let compared = 0
  for (const { conjunto, amostra } of leituras) {
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

/** What the gates look at. */
export type Candidata = {
  manifesto: Manifesto
  anterior: Manifesto | undefined
  base: CnpjBase
  entradas: Entradas
  leituras: Leitura[]
  repetidos: Set<string>
  limites: Limites
  /** Names of gates that the operator waives. */
  aceitar: readonly string[]
}

/** Tries the gates. A sample is excused from those that assume the national base; `aceitar` excuses by name. */
export function examinar(candidata: Candidata): Portao[] {
  const { manifesto, limites, base } = candidata
  const { estabelecimentos, contagens, amostra } = manifesto
  const linhas = sum(
    Object.fromEntries(Object.entries(contagens).filter(([name]) => name.startsWith('linhas_'))),
  )
  const semRazao = contagens.estabelecimentos_sem_razao ?? 0
  const desconhecidos = sum(manifesto.codigos_desconhecidos)
  const sobra = amostra ? PROPORCAO_AMOSTRA : undefined
  const poucos = amostra ? POUCOS : 0
  const exames: Exame[] = [
    examArquivos(candidata.entradas, limites),
    {
      nome: 'estabelecimentos',
      visto: number(estabelecimentos),
      esperado: `${number(limites.estabelecimentos)} ou mais`,
      ok: estabelecimentos >= limites.estabelecimentos,
      nacional: true,
    },
    ...examCrescimento(manifesto, candidata.anterior, limites),
    examOuro(base),
    proportion('razao_vazia', semRazao, estabelecimentos, sobra ?? limites.razaoVazia, poucos),
    proportion('codigos_desconhecidos', desconhecidos, linhas, sobra ?? limites.codigosDesconhecidos, poucos),
    { ...proportion('quarentena', sum(manifesto.quarentena), linhas, limites.quarentena), nacional: true },
    examReleitura(base, candidata.leituras, candidata.repetidos),
  ]
  return exames.map(({ nacional, ...exame }) => ({
    ...exame,
    dispensado: !exame.ok && ((amostra && nacional) || candidata.aceitar.includes(exame.nome)),
  }))
}
