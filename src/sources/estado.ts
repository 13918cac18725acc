import type { Certidao } from '../domain/cnd/certidao.ts'
import type { TipoDocumento } from '../domain/documento/documento.ts'
import type { Source } from '../domain/fonte/source.ts'
import type { Inscricao } from '../domain/inscricao/inscricao.ts'
import type { Uf } from '../domain/uf.ts'
import type { Captcha, CaptchaSolver } from './captcha/captcha.ts'
import type { ClientCertificate } from './transport/dial.ts'
import type { Http } from './transport/http.ts'

/** What is asked of a state: a document, already checked; an `ie` in the form that `normalizeInscricao` gives. */
export type Pergunta = { tipo: TipoDocumento; documento: string }

/** What a certificate is asked for, with the taxpayer's registrations in the state where they are known already. */
export type PerguntaCnd = Pergunta & { tipo: 'cpf' | 'cnpj'; inscricoes: readonly Inscricao[] | undefined }

/** What a query is made with. */
export type Meios = {
  http: Http
  /** The operator's certificate. */
  certificado: ClientCertificate | undefined
  /** Of the SEFAZ's web services; portals have one environment alone. */
  ambiente: 'producao' | 'homologacao'
  captcha: CaptchaSolver
  now: () => Date
  /** Milliseconds for the whole query. */
  deadlineMs: number
  /** Hears how the route came to its answer. */
  relato?: Relato
}

/** What a route tells of its answer, besides the answer. */
export type Relato = {
  /** The words of its last page, as `normalize` gives them. They are made at the first use. */
  pagina: (words: () => string) => void
  /** The words of the certificate's paper. */
  papel: (words: () => string) => void
  /** Unknown labels on its page, and how many known labels of fields it has for each registration. */
  rotulos: (novos: readonly string[], conhecidos: number) => void
}

/**
 * How sure we are of a state's file: a current source, an old one, memory, or nothing. A route whose requests
 * are `desconhecido` is never asked, nor played by the simulator (`families/desconhecida.ts`).
 */
export type Certeza = 'verificado' | 'antigo' | 'memoria' | 'desconhecido'

/**
 * What every good answer of a route holds. An answer with less is a page that changed: SourceError `parse`.
 */
export type Espera = {
  /**
   * Words that the page with the registrations, or the paper, always carries; compared as `normalize` gives
   * them.
   */
  marca: string
  /** The least number of characters of the text that a reader sees. */
  minimo: number
  /** Of registrations: the fields that are never empty. `situacao_ie` is always one of them. */
  campos?: readonly (keyof Inscricao)[]
  /**
   * How many labels of fields the page always has for each registration, with or without a value. A page with
   * fewer labels and an unknown one has renamed a label.
   */
  rotulos?: number
  /** Words of the page that says that there are none. Left out if only a message comes. */
  vazia?: string
}

/** What is known of a way to ask a state, whichever it is. */
export type Rota = {
  /** The protocol it speaks, as the folder `families/` names it. */
  familia: string
  /** Whom it asks, for the log, the circuit breaker and the messages. */
  source: Source
  /** The address of its first request. */
  url: string
  aceita: readonly TipoDocumento[]
  captcha: Captcha
  /**
   * Its protocol takes a CPF, but the service is believed to refuse all of them. It is asked all the same.
   */
  recusaCpf?: true
  /** It answers only who presents the operator's certificate. */
  certificado?: true
  /** The shortest time between two queries, in milliseconds, where the authority blocks who is faster. */
  paceMs?: number
  /** Every route that is asked has it: the types of the families want it. */
  espera?: Espera
  /** When it is open, in words, where it closes. */
  horario?: string
  certeza: Certeza
  /** Where its address and flow were found, and when (AAAA-MM-DD, or AAAA-MM or AAAA where no more is known). */
  origem: string
  em: string
  /** What an operator should know of it, in Portuguese. */
  nota?: string
}

/** A way to ask a state for registrations. */
export type RotaIe = Rota & {
  /**
   * The registrations of the document in this state; none is an answer too. Throws SourceError, or ApiError when the
   * state refuses the document itself, or RotaNaoAtende when this route does not take the question.
   */
  consultar: (pergunta: Pergunta, meios: Meios) => Promise<Inscricao[]>
}

/** The way to ask a state for a clearance certificate. */
export type RotaCnd = Rota & {
  /**
   * Who can tell that somebody is no taxpayer of the state: the page itself, or, where the page certifies anybody, the
   * lookup of registrations, which is then made first.
   */
  naoContribuinte: 'pagina' | 'ie'
  /** Its certificates may come as HTML, without a PDF: then we add our print (docs/decisions/0022). */
  emHtml?: true
  /** The certificate, or what the state said instead. Throws as a RotaIe does. */
  consultar: (pergunta: PerguntaCnd, meios: Meios) => Promise<Certidao>
}

/** One state: a file of `estados/`, closed by `satisfies Estado`. */
export type Estado = {
  uf: Uf
  /** A CNPJ that the simulator knows in this state: with one registration in force and a negative certificate. */
  exemplo: string
  /** In the order in which they are tried. */
  ie: readonly [RotaIe, ...RotaIe[]]
  /** In the order in which they are tried: the newest portal first. */
  cnd: readonly [RotaCnd, ...RotaCnd[]]
}
