import type { Http } from '../transport/http.ts'

export type AmbienteNfe = 'producao' | 'homologacao'

/** What an NF-e call is made with. */
export type MeiosNfe = {
  /** A door of the call's own, each of whose requests presents the client's certificate. */
  http: Http
  ambiente: AmbienteNfe
  now: () => Date
  /** Milliseconds for this one step. */
  deadlineMs: number
}

/** `tpAmb` (TAmb, tiposBasico_v4.00.xsd). */
export const tpAmbOf = (ambiente: AmbienteNfe): '1' | '2' => (ambiente === 'producao' ? '1' : '2')
