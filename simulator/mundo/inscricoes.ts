import { camposDeSimples, hasSimples } from '../dados-abertos/linhas.ts'
import { readTabela } from '../dados-abertos/palavras.ts'
import type { Empresa, Plano } from '../dados-abertos/plano.ts'
import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import { makeInscricao, ufs } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import type { Endereco, Inscricao, Situacao } from './contribuinte.ts'

const descricoes = new Map(readTabela('cnaes'))

const descricaoDoCnae = (cnae: string): string => descricoes.get(cnae) ?? ''

/** Whether ICMS reaches an activity, by its CNAE division (LC 87/1996, arts. 2 and 3). */
function pagaIcms(cnae: string): boolean {
  const divisao = Number(cnae.slice(0, 2))
  return (
    (divisao >= 1 && divisao <= 35) || (divisao >= 45 && divisao <= 51) || divisao === 56 || divisao === 61
  )
}

/** Industry, wholesale and vehicle trade sell to other states, and register there as substitutes. */
function sellsToOutrosEstados(cnae: string): boolean {
  const divisao = Number(cnae.slice(0, 2))
  return (divisao >= 10 && divisao <= 33) || divisao === 45 || divisao === 46
}

/** One registration for all of a company's places in the state: energy and telecommunications. */
const hasInscricaoUnica = (cnae: string): boolean => /^(35|61)/.test(cnae)

export const atividadesDeIcms: readonly string[] = [...descricoes.keys()].filter(pagaIcms)

/** Crops and herds: CNAE divisions 01 and 02, without support services. */
export const atividadesRurais: readonly string[] = [...descricoes.keys()].filter((cnae) =>
  /^0(1[1-5]|21)/.test(cnae),
)

export type Emissor = (uf: Uf, semente: number, tipo?: 'comum' | 'produtor') => string

export function createEmissor(): Emissor {
  const emitidas = new Set<string>()
  return (uf, semente, tipo = 'comum') => {
    for (let tentativa = semente; ; tentativa++) {
      const ie = makeInscricao(uf, tentativa, tipo)
      if (emitidas.has(uf + ie)) continue
      emitidas.add(uf + ie)
      return ie
    }
  }
}

/** How a taxpayer stands before ICMS. */
export type Enquadramento = 'normal' | 'simples' | 'mei' | 'substituto' | 'produtor'

/** What the states call the ordinary regime in their own registers; `NORMAL` where nothing else is listed. */
const NORMAL: Partial<Record<Uf, string>> = {
  BA: 'CONTA CORRENTE FISCAL',
  MG: 'DÉBITO E CRÉDITO',
  RS: 'GERAL',
  SP: 'NORMAL - REGIME PERIÓDICO DE APURAÇÃO',
}

function regimeDeApuracao(uf: Uf, enquadramento: Enquadramento): string {
  if (enquadramento === 'normal') return NORMAL[uf] ?? 'NORMAL'
  return {
    simples: 'SIMPLES NACIONAL',
    mei: 'SIMPLES NACIONAL - MEI',
    substituto: 'SUBSTITUTO TRIBUTÁRIO',
    produtor: 'PRODUTOR RURAL',
  }[enquadramento]
}

const regimeDePagamento = (enquadramento: Enquadramento): string =>
  ({
    normal: 'NORMAL',
    simples: 'SIMPLES NACIONAL',
    mei: 'SIMPLES NACIONAL',
    substituto: 'SUBSTITUIÇÃO TRIBUTÁRIA',
    produtor: 'DISPENSADO',
  })[enquadramento]

export type Pedido = {
  uf: Uf
  ie: string
  tipo: Inscricao['tipo']
  enquadramento: Enquadramento
  cnae: string
  situacao: Situacao
  inicio: string
  /** When the situation changed, for one that is not in force; drawn when it is not given. */
  mudanca?: string
  endereco: Endereco
  semente: number
  /** The newer number that this one gave way to. */
  ieAtual?: string
}

/** The last day that the world knows of: the extraction date of its vintage, 2026-10. */
export const HOJE = '2026-10-10'

export function register(pedido: Pedido): Inscricao {
  const { uf, ie, tipo, enquadramento, cnae, situacao, inicio, endereco, semente, ieAtual } = pedido
  const historico = makeHistorico(pedido)
  const ultimaSituacao = historico.at(-1)?.data ?? inicio
  const habilitado = situacao === 'habilitado'
  const transporte = /^(49|5[01])/.test(cnae)
  return {
    uf,
    ie,
    situacao,
    inicio,
    ultimaSituacao,
    baixa: situacao === 'baixado' ? ultimaSituacao : '',
    cnae,
    cnaeDescricao: descricaoDoCnae(cnae),
    regimeApuracao: regimeDeApuracao(uf, enquadramento),
    regimePagamento: regimeDePagamento(enquadramento),
    credenciamentoNfe: habilitado ? credenciamento(enquadramento, semente) : 0,
    credenciamentoCte: habilitado && transporte ? 2 : 0,
    tipo,
    ...(hasInscricaoUnica(cnae) && habilitado ? { ieUnica: ie } : {}),
    ...(ieAtual ? { ieAtual } : {}),
    endereco,
    historico,
  }
}

function credenciamento(enquadramento: Enquadramento, semente: number): Inscricao['credenciamentoNfe'] {
  const sorte = mix(semente, 11) % 10
  if (enquadramento === 'mei') return sorte < 6 ? 0 : 1
  if (enquadramento === 'produtor') return sorte < 3 ? 0 : sorte < 9 ? 1 : 4
  return sorte < 7 ? 2 : sorte < 8 ? 3 : 1
}

/** Start, sometimes a suspension that ended, and the change to today's situation where it is not in force. */
function makeHistorico({ situacao, inicio, mudanca, semente }: Pedido): Inscricao['historico'] {
  const historico: { data: string; situacao: Situacao }[] = [{ data: inicio, situacao: 'habilitado' }]
  const fim = situacao === 'habilitado' ? HOJE : (mudanca ?? entre(inicio, HOJE, mix(semente, 12)))
  if (mix(semente, 13) % 7 === 0) {
    const suspensao = entre(inicio, fim, mix(semente, 14))
    historico.push({ data: suspensao, situacao: 'suspenso' })
    historico.push({ data: entre(suspensao, fim, mix(semente, 15)), situacao: 'habilitado' })
  }
  if (situacao !== 'habilitado') historico.push({ data: fim < inicio ? inicio : fim, situacao })
  return historico
}

/** A day from `inicio` to `fim`, both YYYY-MM-DD; `inicio` when it is the later one. `sorte`: 32 bits. */
export function entre(inicio: string, fim: string, sorte: number): string {
  const de = Date.parse(inicio)
  const dias = Math.max(0, Date.parse(fim) - de) / 86_400_000
  const passados = Math.floor((sorte / 0x100000000) * (dias + 1))
  return new Date(de + passados * 86_400_000).toISOString().slice(0, 10)
}

/** The size of a company in words, by its code in Empresas (01, 03, 05; empty when not told). */
export const porteDe = (codigo: string): string =>
  ({ '01': 'MICRO EMPRESA', '03': 'EMPRESA DE PEQUENO PORTE', '05': 'DEMAIS' })[codigo] ?? ''

/** How a company stands before ICMS, by its row in Simples. */
export function enquadramentoDe(plano: Plano, dona: Empresa): Enquadramento {
  if (!hasSimples(plano, dona)) return 'normal'
  const [, simples, , , mei] = camposDeSimples(plano, dona)
  return mei === 'S' ? 'mei' : simples === 'S' ? 'simples' : 'normal'
}

/** 01 void, 02 active, 03 suspended, 04 unfit, 08 closed. States suspend or cancel the unfit. */
function situacaoDe(codigo: string, sorte: number): Situacao {
  switch (codigo.padStart(2, '0')) {
    case '02':
      return sorte % 40 === 0 ? 'suspenso' : 'habilitado'
    case '03':
      return 'suspenso'
    case '04':
      return sorte % 3 === 0 ? 'suspenso' : 'cancelado'
    case '08':
      return 'baixado'
    default:
      return 'cancelado'
  }
}

/** AAAAMMDD as YYYY-MM-DD; empty when it is no day between 1900 and the world's today. */
export function dataDe(texto: string): string {
  const [, ano, mes, dia] = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(\d\d)$/.exec(texto) ?? []
  const data = `${ano}-${mes}-${dia}`
  return ano && data <= HOJE && !Number.isNaN(Date.parse(data)) ? data : ''
}

export type Estabelecimento = {
  documento: string
  naturezaJuridica: string
  enquadramento: Enquadramento
  cnae: string
  endereco: Endereco
  situacaoCnpj: string
  inicio: string
  mudanca: string
}

/**
 * One in its own state, for one in 25 a second there, for one in 3 that sell elsewhere 1 to 5 as a
 * substitute.
 */
export function enroll(dono: Estabelecimento, issue: Emissor): Inscricao[] {
  // Associations, condominiums and the like (legal natures 3xxx) trade in nothing.
  if (!pagaIcms(dono.cnae) || dono.naturezaJuridica.startsWith('3')) return []
  const semente = sementeDe(dono.documento)
  const situacao = situacaoDe(dono.situacaoCnpj, mix(semente, 1))
  const suspensaPeloEstado = situacao === 'suspenso' && /^0?2$/.test(dono.situacaoCnpj)
  const base = {
    ...dono,
    uf: dono.endereco.uf,
    tipo: 'NORMAL',
    situacao,
    ...(dono.mudanca && !suspensaPeloEstado
      ? { mudanca: dono.mudanca }
      : { mudanca: mudancaAte(dono, semente) }),
    semente,
  } as const
  const principal = register({ ...base, ie: issue(base.uf, semente) })
  const lista = [principal]
  if (mix(semente, 2) % 25 === 0) lista.push(segunda(base, principal, issue))
  const vende = sellsToOutrosEstados(dono.cnae) && dono.enquadramento !== 'mei'
  if (situacao === 'habilitado' && vende && mix(semente, 3) % 3 === 0)
    lista.push(...substituta(dono, semente, issue))
  return lista
}

const mudancaAte = ({ inicio }: Estabelecimento, semente: number): string =>
  entre(inicio, HOJE, mix(semente, 16))

/** A second number in the same state: an old one that gave way, or another in force at the same place. */
function segunda(
  base: Omit<Parameters<typeof register>[0], 'ie'>,
  principal: Inscricao,
  issue: Emissor,
): Inscricao {
  const semente = mix(base.semente, 21)
  const ie = issue(base.uf, semente)
  if (semente % 2 === 0) return register({ ...base, ie, semente })
  const mudanca = entre(base.inicio, principal.ultimaSituacao, mix(semente, 22))
  return register({ ...base, ie, semente, situacao: 'baixado', mudanca, ieAtual: principal.ie })
}

function substituta(dono: Estabelecimento, semente: number, issue: Emissor): Inscricao[] {
  const outros = ufs.filter((uf) => uf !== dono.endereco.uf)
  const quantas = 1 + (mix(semente, 4) % 5)
  const passo = 1 + (mix(semente, 5) % 5)
  return Array.from({ length: quantas }, (_, i) => {
    const uf = outros[(mix(semente, 6) + i * passo) % outros.length] ?? dono.endereco.uf
    const propria = mix(semente, 30 + i)
    return register({
      ...dono,
      uf,
      ie: issue(uf, propria),
      tipo: 'SUBSTITUTO',
      enquadramento: 'substituto',
      situacao: propria % 8 === 0 ? 'baixado' : 'habilitado',
      inicio: entre(dono.inicio, HOJE, mix(propria, 7)),
      mudanca: HOJE,
      semente: propria,
    })
  })
}
