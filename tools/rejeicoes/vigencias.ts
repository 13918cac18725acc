import { diaDepois, diaProblem } from '../../src/domain/sefaz/dia.ts'
import type { Periodo, Vigencia } from '../../src/domain/verificacoes/vigencia.ts'
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

const NAO_PUBLICADO = '?'

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

/**
 * When each check is in force, by its id. A rule whose start was not published has the day of the text that
 * carries it. Throws for a milestone or a document that no table knows.
 */
export function lerVigencias(documentoDe: ReadonlyMap<string, string>): Map<string, Vigencia> {
  const marcos = lerMarcos()
  const textos = new Map(
    lerTabela('documentos.csv', ['documento', 'data', 'origem']).map(({ documento, data }) => [
      documento,
      data,
    ]),
  )
  const marco = (nome: string): Marco => {
    const achado = marcos.get(nome)
    if (achado) return achado
    throw new Error(`no milestone ${nome}`)
  }
  const vigencias = new Map<string, Vigencia>()
  for (const { verificacao, de, ate } of lerTabela('vigencias.csv', ['verificacao', 'de', 'ate', 'origem'])) {
    const documento = documentoDe.get(verificacao)
    if (documento === undefined) throw new Error(`vigencias.csv: no check ${verificacao}`)
    const inicio = de === NAO_PUBLICADO ? undefined : marco(de)
    const fim = ate === '' ? undefined : marco(ate)
    const texto = textos.get(documento)
    if (!inicio && texto === undefined) throw new Error(`documentos.csv: no ${documento}`)
    vigencias.set(verificacao, vigenciaDe(inicio, fim, texto))
  }
  for (const id of documentoDe.keys())
    if (!vigencias.has(id)) throw new Error(`vigencias.csv: ${id} is missing`)
  return vigencias
}

function vigenciaDe(inicio: Marco | undefined, fim: Marco | undefined, texto: string | undefined): Vigencia {
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
    ...(!inicio && texto && { texto }),
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
