import type { Inscricao } from '../domain/inscricao.ts'
import type { Uf } from '../domain/uf.ts'
import type { ClientCertificate } from './transport/dial.ts'
import type { Http, Source } from './transport.ts'

/** What is asked of a state: a document, already checked; an `ie` in the form that `normalizeInscricao` gives. */
export type Pergunta = { tipo: 'cpf' | 'cnpj' | 'ie'; documento: string }

/** What a query is made with. */
export type Meios = {
  http: Http
  /** The operator's certificate. */
  certificado: ClientCertificate | undefined
  ambiente: 'producao' | 'homologacao'
  /** Milliseconds for the whole query. */
  deadlineMs: number
}

/** How sure we are of what a state's file says: seen in a current source, in an old one, remembered, or unknown. */
export type Certeza = 'verificado' | 'antigo' | 'memoria' | 'desconhecido'

/** A way to ask a state for registrations. */
export type RotaIe = {
  familia: 'cadastro'
  /** Whom it asks, for the log, the circuit breaker and the messages. */
  source: Source
  certeza: Certeza
  /** Where its address was found, and when (AAAA-MM-DD). */
  origem: string
  em: string
  /**
   * The registrations of the document in this state; none is an answer too. Throws SourceError, or ApiError when the
   * state refuses the document itself or does not take its kind.
   */
  consultar: (pergunta: Pergunta, meios: Meios) => Promise<Inscricao[]>
}

/** One state: a file of `estados/`, closed by `satisfies Estado`. */
export type Estado = { uf: Uf; ie: RotaIe }
