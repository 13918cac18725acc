import type { Http } from '../platform/wire/http.ts'

export type AmbienteNfe = 'producao' | 'homologacao'

/** The means of an NF-e call. */
export type MeiosNfe = {
  /** The call's own door, which presents the client's certificate in each request. */
  http: Http
  ambiente: AmbienteNfe
  now: () => Date
  /** Milliseconds for this one step. */
  deadlineMs: number
}

/** `tpAmb` (TAmb, tiposBasico_v4.00.xsd). */
export const tpAmbOf = (ambiente: AmbienteNfe): '1' | '2' => (ambiente === 'producao' ? '1' : '2')
