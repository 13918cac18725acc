/** One thing to try with the service, and its result. */
export type Linha = {
  /** Path of the endpoint, asked with GET, or with POST where there is something to send. */
  endpoint: string
  parametros: Record<string, string>
  envio?: Envio
  espera: Espera
  /** The heading that the page has it under; left out, that of its kind of answer. */
  grupo?: string
  /** In Portuguese, for the list's readers. */
  nota: string
}

/** What goes in the body of a POST: `corpo`, the A1 file in base64 as `certificado`, and `senha`. */
export type Envio = {
  /** The name of the scenario. */
  cenario: string
  /** The name of the A1 file, without `.pfx`. */
  certificado: string
  senha: string
  corpo: { chave: string; cnpj?: string; manifestar?: boolean; simular?: boolean }
}

export type Espera = {
  http: number
  /** The error's code, where there is one. */
  error_code?: string
  /** `error_code` of `source_status`, where HTTP 200 tells a failure of the source. */
  source_error?: string
  /** `status` of the source or of the result, on endpoints that answer failures with HTTP 200. */
  status?: string
  /**
   * `manifestacao` and `cstat` of the result, on the endpoint of the NF-e; null and empty where there is
   * none.
   */
  manifestacao?: string | null
  cstat?: string
  /** The credits charged. */
  creditos: number
}

/** An answer that is charged as one. */
export const certo: Espera = { http: 200, creditos: 1 }

/** The authority is out of reach, or does not take the question. */
export const indisponivel: Espera = { http: 503, error_code: 'SITE_INDISPONIVEL', creditos: 0 }

/** The authority answered with what cannot be understood. */
export const falhou: Espera = { http: 502, error_code: 'PROCESSAMENTO_FALHOU', creditos: 0 }

/** Somebody asked wrongly. */
export function recusado(error_code: string): Espera {
  return { http: 400, error_code, creditos: 0 }
}

/** A row without its endpoint: question, result and note. */
export type Tentativa = readonly [parametros: Record<string, string>, espera: Espera, nota: string]

/** The rows of one endpoint. */
export function linhasDe(endpoint: string, tentativas: readonly Tentativa[]): Linha[] {
  return tentativas.map(([parametros, espera, nota]) => ({ endpoint, parametros, espera, nota }))
}

/** The parameter of a CPF or a CNPJ. */
export function porDocumento(documento: string): Record<string, string> {
  return { [documento.length === 11 ? 'cpf' : 'cnpj']: documento }
}
