import { normalize } from './pagina.ts'
import type { Inscricao } from './rules-inscricao.ts'

/**
 * The meaning of a label: a field, several fields in one value (`atividade`: "4711-3/02 - COMÉRCIO ...",
 * `municipio_uf`: "CUIABÁ - MT"), or none (`ignorado`). Ignored labels are known too, because they may follow
 * a label without a value.
 */
export type Campo =
  | keyof Inscricao
  | 'atividade'
  | 'municipio_uf'
  /** The whole address: "RUA X, nº 10, SALA 2, CENTRO - GOIÂNIA GO, CEP: 74.000-000" (GO). */
  | 'endereco'
  /** It only tells the type of the registration. */
  | 'natureza_juridica'
  | 'ignorado'

/** Labels as a page writes them, without their colon. */
export type Rotulos = Readonly<Record<string, Campo>>

/** The first value of each field on a page. */
export type Lidos = Partial<Record<Campo, string>>

/** The labels of the standard page of all states (SINTEGRA/ICMS), which most states keep. */
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

/** The fields of an address, but for the municipality, which every answer has. */
export const camposDoEndereco = ['logradouro', 'numero', 'complemento', 'bairro', 'cep'] as const

/** Fields whose labels the pages of nearly all states show, filled or not. */
export const camposDoSintegra = [
  ...camposDoEndereco,
  'cnae_codigo',
  'cnae_descricao',
  'data_situacao',
] as const

/** Labels in the form in which they are compared. */
export type Legenda = ReadonlyMap<string, Campo>

/** Makes the labels of a page: the standard ones, then the state's own. Call it once for a state. */
export const legendaOf = (proprios: Rotulos = {}): Legenda =>
  new Map(Object.entries({ ...sintegra, ...proprios }).map(([label, campo]) => [labelOf(label), campo]))

/** A label in the form in which labels are compared: as `normalize` gives it, without its colon. */
export const labelOf = (text: string): string => normalize(text).replace(/\s*:$/, '')

/** The fields of a registration that the labels of a page fill. */
export const camposDe = (lidos: Lidos): (keyof Inscricao)[] =>
  (Object.keys(lidos) as Campo[]).flatMap((campo): (keyof Inscricao)[] => {
    if (campo === 'atividade') return ['cnae_codigo', 'cnae_descricao']
    if (campo === 'municipio_uf') return ['municipio']
    if (campo === 'endereco') return [...camposDoEndereco, 'municipio']
    return campo === 'natureza_juridica' || campo === 'ignorado' ? [] : [campo]
  })
