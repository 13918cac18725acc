/** The kinds of the federal certificate. The Internet issues no `positiva`; the counter does. */
export type EspecieFederal = 'negativa' | 'positiva_com_efeitos_de_negativa' | 'positiva'

/** A federal certificate as its PDF says. */
export type CertidaoFederal = {
  status: EspecieFederal
  /** The title of the paper. */
  status_raw: string
  /** AAAA-MM-DD, Brasília time as printed. */
  emissao: string
  /** The last day, AAAA-MM-DD. It is read, never computed: a decree prolonged certificates in 2020. */
  validade: string
  /** The control code, XXXX.XXXX.XXXX.XXXX. */
  protocolo: string
  pdf_base64: string
}

/** What the authority said in the place of a certificate. Nothing is charged for it. */
export type RecusaFederal = {
  status: 'positiva' | 'nao_contribuinte' | 'erro'
  /** The authority's own words. Those of an `erro` are never empty: ours, where it gave none. */
  dizeres: string
}
