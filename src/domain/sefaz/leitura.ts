/**
 * What one probe of an authorizer met. `respostaMs` is the time from the request to the whole answer;
 * connection and TLS are apart, and null where a connection was reused.
 */
export type LeituraSefaz = {
  /** The id of the authorizer. */
  autorizador: string
  /** When the round began, in milliseconds since 1970: the same for all readings of a round. */
  em: number
  resultado: Resultado
  conexaoMs: number | null
  tlsMs: number | null
  respostaMs: number | null
  /** What the authority answered, if it did: 107 is the service in operation. */
  cStat: number | null
  /** Why it is an error, in Portuguese; empty for an answer. */
  motivo: string
  /**
   * Where the authority said that it works: whether a call of ours to it failed meanwhile. Null where it said
   * otherwise, or nobody called.
   */
  desmentida: boolean | null
}

/** `disponivel` and `indisponivel` come from the public pages, which tell no time. */
export type Resultado = 'resposta' | 'disponivel' | 'indisponivel' | 'erro' | 'timeout'

/** Whether a reading says that documents cannot be authorized. */
export const isFalha = ({ resultado }: Pick<LeituraSefaz, 'resultado'>): boolean =>
  resultado !== 'resposta' && resultado !== 'disponivel'
