import type { Ambito, Uf } from '../documento/uf.ts'
import { fold } from '../platform/texto.ts'

/** A state registration (specification, "IE result item"). Unknown texts are empty. */
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

/** One that only the national register (CCC) tells: number, name and status (docs/decisions/0020). */
export type InscricaoParcial = Inscricao & { uf_ie: Uf; parcial: true }

/** Whether it is in force. Words that only begin so are others: `ATIVIDADES ENCERRADAS`. */
export const isAtiva = ({ situacao_ie }: Pick<Inscricao, 'situacao_ie'>): boolean => situacao_ie === 'ATIVA'

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

const situacoes: readonly [RegExp, string][] = [
  [/^NAO HABILITAD/, 'NÃO HABILITADA'],
  [/^(?:HABILITAD|ATIV)[OA]\b/, 'ATIVA'],
  // AL says BAIXA.
  [/^BAIXA/, 'BAIXADA'],
  [/^SUSPENS/, 'SUSPENSA'],
  [/^CANCELAD/, 'CANCELADA'],
  [/^INAPT/, 'INAPTA'],
  [/^PARALISAD/, 'PARALISADA'],
  [/^(?:NUL[OA]|ANULAD)/, 'NULA'],
]

/** Other statuses, in the words of some states. They stay as they are. */
const outras =
  /^(?:ATIVIDADES? )?(?:NAO (?:ATIV|APT|INSCRIT|CADASTRAD|REGULAR|CREDENCIAD)|(?:RE|DES|IN)?(?:ATIV|HABILIT|DEFER)[A-Z]{1,5}\b|(?:PRE|EM|PEDIDO|PROCESSO|AGUARDANDO|SOLICITA)\b|(?:CASSAD|BLOQUEAD|IMPEDID|ENCERRAD|EXTINT|EXCLUID|CONCEDID|PENDENTE|PROVISORI|IRREGULAR|REGULAR|INTERROMPID|TRANSFERID|REVOGAD|CADASTRAD|INSCRIT|LIBERAD|RESTRIT|FALID|LIQUIDAD|DESLIGAD|DESENQUADRAD|DESENQUADRAMENT|INCORPORAD|FUSIONAD|CINDID|APT|VIGENTE|INEXISTENTE)[A-Z]{0,2}\b)/

/** A longer text is a sentence, or somebody's name. */
const LONGEST = 60

/** In the specification's words, else the state's own. Undefined for a text that is no status. */
export function situacaoIe(said: string): string | undefined {
  const words = fold(said).replace(/^\d{1,3} ?[-.)] ?/, '')
  const known = situacoes.find(([pattern]) => pattern.test(words))?.[1]
  if (said.length > LONGEST) return undefined
  return known ?? (outras.test(words) ? said : undefined)
}

/** Whether a text is exactly a status, so that it cannot be a name or a place. */
export const isSituacao = (text: string): boolean =>
  /^(?:NAO )?\S+$/.test(fold(text)) && situacaoIe(text) !== undefined

/** The CNAE has 7 digits. Both are empty if unknown. */
type Titular = { documento: string; cnae: string; uf: Ambito }

/** Rural: a person with CNAE 01 to 03, and in PR every person (CAD/PRO, Decreto 1.668/2007). */
export function tipoInscricao({ documento, cnae, uf }: Titular): string {
  const isPerson = documento.replace(/\D/g, '').length === 11
  const isRural = /^0[123]/.test(cnae)
  return isPerson && (isRural || uf === 'PR') ? 'PRODUTOR RURAL' : ''
}
