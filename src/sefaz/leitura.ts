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

/** Below it a code tells how the service stands; from it on the question itself is refused. */
const PRIMEIRA_RECUSA = 200
/** An error that the authority has no code for: its own failure. */
const NAO_CATALOGADO = 999

/**
 * Whether the authority refused our question: our certificate, our message, or that we ask at all. That says
 * nothing of its service to others (MOC 7.0, Anexo I, table of codes).
 */
export const isRecusada = ({ cStat }: Pick<LeituraSefaz, 'cStat'>): boolean =>
  cStat !== null && cStat >= PRIMEIRA_RECUSA && cStat !== NAO_CATALOGADO
