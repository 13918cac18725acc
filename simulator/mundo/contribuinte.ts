import type { Uf } from '../documento/uf.ts'

export type Situacao = 'habilitado' | 'suspenso' | 'baixado' | 'cancelado'

/** Where an establishment is; the municipality by IBGE's seven digits, the CEP by eight or empty. */
export type Endereco = {
  logradouro: string
  numero: string
  complemento: string
  bairro: string
  codigoMunicipio: string
  municipio: string
  uf: Uf
  cep: string
}

/** One state registration, with all that any authority shows of it. Dates are YYYY-MM-DD. */
export type Inscricao = {
  uf: Uf
  ie: string
  situacao: Situacao
  inicio: string
  ultimaSituacao: string
  baixa: string
  cnae: string
  cnaeDescricao: string
  /** How ICMS is worked out, in the state's own words. */
  regimeApuracao: string
  regimePagamento: string
  /** 0 not accredited, 1 accredited, 2 accredited and obliged, 3 obliged in part, 4 not told. */
  credenciamentoNfe: 0 | 1 | 2 | 3 | 4
  credenciamentoCte: 0 | 1 | 2 | 3 | 4
  tipo: 'NORMAL' | 'PRODUTOR RURAL' | 'SUBSTITUTO'
  /** The one registration of all the company's places in the state. */
  ieUnica?: string
  /** The number that took the place of this old one. */
  ieAtual?: string
  /** In another state than `uf` for a substitute. */
  endereco: Endereco
  /** In order; the first entry is the start, the last the situation today. */
  historico: readonly { data: string; situacao: Situacao }[]
}

/** A taxpayer that at least one authority knows: a company's establishment (CNPJ) or a person (CPF). */
export type Contribuinte = {
  documento: string
  tipoDocumento: 'cnpj' | 'cpf'
  nome: string
  fantasia: string
  naturezaJuridica: string
  porte: string
  inscricoes: readonly Inscricao[]
}

export type Ocorrencia = { contribuinte: Contribuinte; inscricao: Inscricao }

/** A question to a state: a document of any kind, with or without punctuation. */
export type Pergunta = { tipo: 'cpf' | 'cnpj' | 'ie'; documento: string }
