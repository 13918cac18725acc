/** The outcome of a certificate, or of its refusal (specification, "CND status"). */
export const situacoesCertidao = [
  'negativa',
  'positiva',
  'positiva_com_efeitos_de_negativa',
  'nao_contribuinte',
  'sem_certidao',
  'erro',
] as const

export type SituacaoCertidao = (typeof situacoesCertidao)[number]

/**
 * A state's clearance certificate in the service's answer (specification, "State CND result"). Every field is
 * a text, empty if the source does not tell it.
 */
export type Certidao = {
  status: SituacaoCertidao
  /** The authority's own words. */
  status_raw: string
  /** AAAA-MM-DD. */
  validade: string
  /** AAAA-MM-DD. */
  emissao: string
  protocolo: string
  pdf_base64: string
  url_verificacao: string
  /** Only MT has one. */
  codigo_autenticacao: string
  /** Our own print (PDF, base64) of a certificate that the authority shows as HTML (docs/decisions/0022). */
  impressao_base64?: string
}

/** Makes an answer without a certificate. */
export const semCertidao = (status: SituacaoCertidao, status_raw: string): Certidao => ({
  status,
  status_raw,
  validade: '',
  emissao: '',
  protocolo: '',
  pdf_base64: '',
  url_verificacao: '',
  codigo_autenticacao: '',
})
