import { diaDepois, diaProblem } from '../../src/documento/dia.ts'
import type { Periodo, Vigencia } from '../../src/rejeicoes/rules.ts'
import { lerTabela } from './tabelas.ts'

/** A day from which authorities apply something new; `…_talvez` where another source names an earlier one. */
export type Marco = {
  marco: string
  producao: string
  producao_talvez: string
  homologacao: string
  homologacao_talvez: string
  /** The day after which somebody has to look again; empty for what is settled. */
  reler: string
}

const COLUNAS = [
  'marco',
  'producao',
  'producao_talvez',
  'homologacao',
  'homologacao_talvez',
  'reler',
  'origem',
] as const

/** The milestones by their names. Throws for a day that does not exist, or a doubt that is no earlier day. */
export function lerMarcos(): Map<string, Marco> {
  const linhas = lerTabela('marcos.csv', COLUNAS)
  for (const linha of linhas) {
    for (const dia of [linha.producao, linha.producao_talvez, linha.homologacao, linha.homologacao_talvez])
      exigirDia(dia, linha.marco)
    exigirDia(linha.reler, linha.marco)
    if (linha.producao === '' || linha.origem === '')
      throw new Error(`${linha.marco} has no day or no origin`)
    if (
      linha.producao_talvez >= linha.producao ||
      (linha.homologacao_talvez && linha.homologacao_talvez >= linha.homologacao)
    )
      throw new Error(`${linha.marco}: the doubt is no earlier day`)
  }
  return new Map(linhas.map((linha) => [linha.marco, linha]))
}

function exigirDia(dia: string, marco: string): void {
  if (dia !== '' && diaProblem(dia) !== undefined) throw new Error(`${marco}: ${dia} is no day`)
}

/** The names of the milestones between which a check is in force, as people write them. */
export type VigenciaEscrita = { de?: string; ate?: string }

/**
 * Makes the days of a check. A rule whose start was not published has the day of the text that carries it.
 */
export type ResolverVigencia = (escrita: VigenciaEscrita, documento: string) => Vigencia

/** Opens the tables of milestones and documents. What it gives throws for a name that none of them has. */
export function abrirVigencias(): ResolverVigencia {
  const marcos = lerMarcos()
  const textos = new Map(
    lerTabela('documentos.csv', ['documento', 'data', 'origem']).map(({ documento, data }) => [
      documento,
      data,
    ]),
  )
  const achar = <V>(tabela: ReadonlyMap<string, V>, nome: string): V => {
    const achado = tabela.get(nome)
    if (achado !== undefined) return achado
    throw new Error(`marcos.csv and documentos.csv have no ${nome}`)
  }
  return ({ de, ate }, documento) =>
    vigenciaDe(
      de === undefined ? undefined : achar(marcos, de),
      ate === undefined ? undefined : achar(marcos, ate),
      achar(textos, documento),
    )
}

function vigenciaDe(inicio: Marco | undefined, fim: Marco | undefined, texto: string): Vigencia {
  const producao = periodo(
    { dia: inicio?.producao, talvez: inicio?.producao_talvez },
    { dia: fim?.producao, talvez: fim?.producao_talvez },
  )
  const homologacao = periodo(
    { dia: inicio?.homologacao || inicio?.producao, talvez: inicio?.homologacao_talvez },
    { dia: fim?.homologacao || fim?.producao, talvez: fim?.homologacao_talvez },
  )
  return {
    ...producao,
    ...(JSON.stringify(homologacao) !== JSON.stringify(producao) && { homologacao }),
    ...(!inicio && { texto }),
  }
}

type Virada = { dia: string | undefined; talvez: string | undefined }

/** A rule ends on the day before what takes its place begins. */
const periodo = (de: Virada, ate: Virada): Periodo => ({
  ...(de.dia && { de: de.dia }),
  ...(de.talvez && { de_talvez: de.talvez }),
  ...(ate.dia && { ate: diaDepois(ate.dia, -1) }),
  ...(ate.talvez && { ate_talvez: diaDepois(ate.talvez, -1) }),
})
