/** What a state's certificate, or its refusal, says of a taxpayer (specification, "CND status"). */
export type SituacaoCertidao =
  | 'negativa'
  | 'positiva'
  | 'positiva_com_efeitos_de_negativa'
  | 'nao_contribuinte'
  | 'sem_certidao'
  | 'erro'

/** A state's clearance certificate as the service answers it: every field a text, empty when the source does not tell (specification, "State CND result"). */
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
  /** Of MT alone. */
  codigo_autenticacao: string
  /**
   * Our own print of a certificate that the authority shows as HTML: a PDF, in base64 (docs/decisions/0022).
   */
  impressao_base64?: string
}

/** An answer that came without a certificate. */
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
