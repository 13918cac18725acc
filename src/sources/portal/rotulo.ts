import type { Inscricao } from '../../domain/inscricao.ts'
import { normalize } from './pagina.ts'

/**
 * What a label on a result page is the label of: a field, two fields in one value (`atividade`: "4711-3/02 - COMÉRCIO ...",
 * `municipio_uf`: "CUIABÁ - MT"), or nothing that we answer (`ignorado`), which is known all the same: where a value is
 * empty, the next label stands in its place.
 */
export type Campo =
  | keyof Inscricao
  | 'atividade'
  | 'municipio_uf'
  /** Tells the type of the registration alone. */
  | 'natureza_juridica'
  | 'ignorado'

/** Labels as a page has them, without their colon. */
export type Rotulos = Readonly<Record<string, Campo>>

/** More than any value has: what is longer is no value, and would take the expressions that read values too long. */
const LONGEST = 500

/** What was found on a page: the first value of each. */
export type Lidos = Partial<Record<Campo, string>>

/** The labels of the inter-state standard page (SINTEGRA/ICMS), as most states keep them. */
const sintegra: Rotulos = {
  CNPJ: 'cpf_cnpj',
  CPF: 'cpf_cnpj',
  'CPF/CNPJ': 'cpf_cnpj',
  'CNPJ/CPF': 'cpf_cnpj',
  'Inscrição Estadual': 'inscricao_estadual',
  'Inscrição Estadual/CCE': 'inscricao_estadual',
  IE: 'inscricao_estadual',
  'Razão Social': 'razao_social',
  'Razão Social/Nome': 'razao_social',
  'Nome/Razão Social': 'razao_social',
  'Nome Empresarial': 'razao_social',
  'Nome Fantasia': 'nome_fantasia',
  Logradouro: 'logradouro',
  Número: 'numero',
  Nº: 'numero',
  Complemento: 'complemento',
  Bairro: 'bairro',
  Município: 'municipio',
  'Município/UF': 'municipio_uf',
  UF: 'ignorado',
  CEP: 'cep',
  'Endereço Eletrônico': 'ignorado',
  'E-mail': 'ignorado',
  Telefone: 'ignorado',
  'Atividade Econômica': 'atividade',
  'Atividade Econômica Principal': 'atividade',
  'Atividade Principal': 'atividade',
  'Atividade Secundária': 'ignorado',
  'CNAE Fiscal': 'atividade',
  'CNAE Principal': 'atividade',
  'CNAE Secundário': 'ignorado',
  'Data da Inscrição Estadual': 'data_inicio_atividade',
  'Data de Início de Atividade': 'data_inicio_atividade',
  'Data de Início da Atividade': 'data_inicio_atividade',
  'Data de Inicio de Atividade': 'data_inicio_atividade',
  'Início das Atividades': 'data_inicio_atividade',
  'Situação Cadastral': 'situacao_cadastral',
  'Situação Cadastral Vigente': 'situacao_cadastral',
  'Situação Cadastral Atual': 'situacao_cadastral',
  'Data desta Situação Cadastral': 'data_situacao',
  'Data dessa Situação Cadastral': 'data_situacao',
  'Data da Situação Cadastral': 'data_situacao',
  'Regime de Apuração': 'regime_apuracao_icms',
  'Regime de Apuração de ICMS': 'regime_apuracao_icms',
  'Regime de Apuração do ICMS': 'regime_apuracao_icms',
  'Regime de Pagamento': 'regime_pagamento',
  'Emitente de NFe desde': 'situacao_nfe',
  'Obrigada à NF-e em': 'ignorado',
  'Obrigado à NF-e em': 'ignorado',
  // The headings of the blocks, and the foot.
  Identificação: 'ignorado',
  Endereço: 'ignorado',
  'Informações Complementares': 'ignorado',
  'Data da Consulta': 'ignorado',
  Observação: 'ignorado',
  Observações: 'ignorado',
}

/** Labels ready to be compared: the state's own, over the standard ones. */
export type Legenda = ReadonlyMap<string, Campo>

/** The labels of a page, ready to be compared; made once for a state. */
export const legendaOf = (proprios: Rotulos = {}): Legenda =>
  new Map(Object.entries({ ...sintegra, ...proprios }).map(([label, campo]) => [labelOf(label), campo]))

/** A label as labels are compared: as `normalize` gives it, without its colon. */
export const labelOf = (text: string): string => normalize(text).replace(/\s*:$/, '')

/** A label met on a page, with its value; empty where it has none. */
type Par = { label: string; campo: Campo; value: string }

/**
 * What a page says of each registration on it. A label right after a label means that the first one has no value. Where
 * the label of the number comes several times, the first label that comes as often begins each registration.
 */
export function readRegistros(textos: readonly string[], legenda: Legenda): Lidos[] {
  const pares = readPares(textos, legenda)
  const numero = pares.find(({ campo }) => campo === 'inscricao_estadual')
  if (!numero) return []
  const placesOf = (label: string): number[] => pares.flatMap((par, at) => (par.label === label ? [at] : []))
  const many = placesOf(numero.label).length
  const labels = [...new Set(pares.map(({ label }) => label))]
  const [first = 0, ...rest] =
    many === 1 ? [] : (labels.map(placesOf).find(({ length }) => length === many) ?? [])
  const ends = [...rest, pares.length]
  return dropEchoes(
    [many === 1 ? 0 : first, ...rest].map((begin, at) => lidosOf(pares.slice(begin, ends[at]))),
  )
}

/** The values that follow each label: the first of each field. */
export const readRotulos = (textos: readonly string[], legenda: Legenda): Lidos =>
  lidosOf(readPares(textos, legenda))

function lidosOf(pares: readonly Par[]): Lidos {
  const lidos: Lidos = {}
  for (const { campo, value } of pares) lidos[campo] ??= value.slice(0, LONGEST)
  return lidos
}

/** Without the labels of a search form, and without a number that stands in a heading of the page, too. */
function dropEchoes(all: readonly Lidos[]): Lidos[] {
  const numbers = new Set(
    all.filter(({ razao_social }) => razao_social).map((one) => one.inscricao_estadual ?? ''),
  )
  return all.filter(
    ({ inscricao_estadual, razao_social }) =>
      razao_social || (inscricao_estadual && !numbers.has(inscricao_estadual)),
  )
}

/** What follows is of somebody or somewhere else, until the page begins to tell of another registration. */
const ALHEIO =
  /^(?:ENDERECO (?:DE|PARA) CORRESPONDENCIA|(?:(?:DADOS|INFORMACOES|IDENTIFICACAO) D[AEO]S? )?(?:CONTADOR|CONTABILISTA|REPRESENTANTE|RESPONSAVE(?:L|IS)|SOCIOS?|ADMINISTRADORES)\b|QUADRO (?:DE |SOCI))/

/** The fields that an accountant, a partner or another address has, too. */
const DE_ALGUEM: ReadonlySet<Campo> = new Set([
  'cpf_cnpj',
  'razao_social',
  'nome_fantasia',
  'logradouro',
  'numero',
  'complemento',
  'bairro',
  'municipio',
  'municipio_uf',
  'cep',
] as const)

function readPares(textos: readonly string[], legenda: Legenda): Par[] {
  const pares: Par[] = []
  let alheio = false
  for (let at = 0; at < textos.length; at++) {
    const text = textos[at] ?? ''
    const par = readPar(text, textos[at + 1], legenda)
    if (!par) {
      alheio ||= ALHEIO.test(labelOf(text))
      continue
    }
    // The value is no label, whatever it says.
    if (par.value && par.label === labelOf(text)) at++
    if (par.campo === 'inscricao_estadual' || par.label === pares[0]?.label) alheio = false
    if (!alheio || !DE_ALGUEM.has(par.campo)) pares.push(par)
  }
  return pares
}

/** A label by itself, with the text after it, or a label and its value in one text. */
function readPar(text: string, next: string | undefined, legenda: Legenda): Par | undefined {
  const label = labelOf(text)
  const campo = legenda.get(label)
  if (campo) return { label, campo, value: next === undefined || isLabel(next, legenda) ? '' : next }
  return inlineOf(text, legenda)
}

/** A label that is not known is one all the same: by its colon. */
const isLabel = (text: string, legenda: Legenda): boolean =>
  text.endsWith(':') || legenda.has(labelOf(text)) || inlineOf(text, legenda) !== undefined

function inlineOf(text: string, legenda: Legenda): Par | undefined {
  const [, before = '', value = ''] = /^([^:]{2,60}):\s*(\S.*)$/.exec(text) ?? []
  const label = labelOf(before)
  const campo = legenda.get(label)
  return campo && { label, campo, value }
}
