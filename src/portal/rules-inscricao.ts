import type { Uf } from '../documento/uf.ts'

/**
 * A state registration in the service's answer (specification, "IE result item"). Every field is a text,
 * empty if the source does not tell it.
 */
export type Inscricao = {
  inscricao_estadual: string
  razao_social: string
  nome_fantasia: string
  situacao_ie: string
  uf_ie: string
  tipo_ie: string
  logradouro: string
  complemento: string
  bairro: string
  numero: string
  municipio: string
  cep: string
  regime_pagamento: string
  data_situacao: string
  situacao_contribuinte: string
  data_inicio_atividade: string
  cnae_codigo: string
  cnae_descricao: string
  regime_apuracao_icms: string
  situacao_nfe: string
  cpf_cnpj: string
  situacao_cadastral: string
}

/**
 * A registration that only the national register (CCC) tells: number, name and status (docs/decisions/0020).
 */
export type InscricaoParcial = Inscricao & { uf_ie: Uf; parcial: true }

/** A registration with no field told. */
export const inscricaoVazia: Inscricao = {
  inscricao_estadual: '',
  razao_social: '',
  nome_fantasia: '',
  situacao_ie: '',
  uf_ie: '',
  tipo_ie: '',
  logradouro: '',
  complemento: '',
  bairro: '',
  numero: '',
  municipio: '',
  cep: '',
  regime_pagamento: '',
  data_situacao: '',
  situacao_contribuinte: '',
  data_inicio_atividade: '',
  cnae_codigo: '',
  cnae_descricao: '',
  regime_apuracao_icms: '',
  situacao_nfe: '',
  cpf_cnpj: '',
  situacao_cadastral: '',
}
