/**
 * What became of a captcha that was not solved. The failure is the operator's to mend, not the authority's.
 */
export type CodigoDoCaptcha =
  /** Nobody solves captchas here, or not for this state. */
  | 'captcha'
  /** The operator's service did not solve it. */
  | 'captcha-sem-resposta'
  /** The answer was too old to be sent. */
  | 'captcha-vencido'

/**
 * Why a source failed, where the kind of the failure does not tell. The log has it, and
 * `ultimo_erro.codigo` of `/api/v1/fontes`.
 */
export type CodigoDaFalha =
  // Not sent, by our own limits.
  /** The source failed several times in a row, so it rests. */
  | 'circuito-aberto'
  /** Too many queries wait for the source. */
  | 'fila'
  // Turned away.
  /** A firewall's page. */
  | 'waf'
  /** Cloudflare wants to see a browser. */
  | 'cloudflare'
  /** The page takes us for a robot. */
  | 'automatizada'
  /** The page says that it blocks us, in words of no known firewall. */
  | 'bloqueado'
  /** A captcha came up that the page does not always have. */
  | 'captcha'
  /** The page refused the answer to its captcha. A new visit may pass. */
  | 'captcha-errado'
  /** Outside its hours. */
  | 'fechado'
  /** TLS refused the client's certificate; OpenSSL's name of the refusal. */
  | `ERR_${string}`
  /** The authority refuses the operator's key of the contract. */
  | 'credencial'
  /** The operator's contract does not have the product. */
  | 'sem-produto'
  // Out of order.
  | 'indisponivel'
  | 'sessao-expirada'
  /** The site's own page of errors (CCC). */
  | 'erro'
  /** The national portal's page of errors. */
  | 'erro.aspx'
  // It answered, and gave nothing.
  /** The certificate is being made. The client is told to ask again. */
  | 'em-processamento'
  /** The page says that the certificate was issued, and did not bring it. */
  | 'emitida'
  /** The paper is not the federal certificate of this CNPJ, or contradicts itself. */
  | 'certidao-invalida'
  /** MG: the taxpayer must first register an address. */
  | 'sem-endereco'
  /** RN: the certificate of a large group comes by e-mail alone. */
  | 'por-email'
  /** The page did not accept the form as we filled it in. */
  | 'formulario-errado'
  /** The national register and the state contradict each other. */
  | 'contradicao'
  /** The web service does not know the action of the call. The other name is tried. */
  | 'soap-action'
  /** The authority's own code. */
  | `cStat ${string}`
