import type { TipoDocumento } from '../documento/documento.ts'
import { ApiError } from '../platform/errors.ts'
import { quoteOf } from '../platform/texto.ts'
import type { CodigoDaFalha, Source } from '../platform/wire/fonte.ts'
import {
  BLOCKED_S,
  CLOSED_S,
  OUTAGE_S,
  type RetryS,
  RotaNaoAtende,
  SourceError,
  type SourceErrorKind,
} from '../platform/wire/fonte.ts'

/** What a page, a paper or a service says in the place of what was asked for. */
export type Desfecho =
  /** Nobody was found. This is an answer, so it has no failure. */
  | 'nao-encontrado'
  /** This page does not serve such a document; another does. */
  | 'nao-atende'
  | 'documento-invalido'
  /** The state wants the registration in the place of the document. */
  | 'pede-ie'
  /** A firewall, or the portal's own guard against robots. */
  | 'bloqueado'
  /** A captcha is wanted that the page does not always have. */
  | 'captcha'
  | 'captcha-errado'
  /** Outside its hours. */
  | 'fechado'
  | 'indisponivel'
  | 'sessao-expirada'
  /** The certificate is being made: ask again. */
  | 'processando'
  /** The page says that the certificate was issued, and does not bring it. */
  | 'emitida'
  /** MG: the taxpayer first registers an address in SIARE. */
  | 'sem-endereco'
  /** RN: the certificate of a large group is sent by e-mail alone. */
  | 'por-email'
  /** Our form was filled in wrongly: the page changed. */
  | 'formulario-errado'
  /** Nothing decides, or title and body of a certificate contradict each other. */
  | 'nao-entendido'
  /** The page ends in the middle. */
  | 'cortada'
  /** The answer is about somebody else. */
  | 'outro-documento'

/** The outcomes that are an ApiError or a RotaNaoAtende: the authority did not fail. */
type Recusado = 'nao-atende' | 'documento-invalido' | 'pede-ie'

/** A failure of the authority. `{frase}` in the text is the place of its own words, where it said any. */
type Falha = {
  kind: SourceErrorKind
  /** Follows the authority's name: "bloqueou a consulta". */
  texto: string
  codigo?: CodigoDaFalha
  /** Seconds until the same question may be answered; null where repeating never helps. */
  retryS: RetryS
  /** Whether the source as a whole is out of reach. SourceError decides by the kind where it is left out. */
  unavailable?: boolean
}

/** What each outcome means: the one table of the failures that a page tells. */
const falhas: Readonly<Record<Exclude<Desfecho, Recusado | 'nao-encontrado'>, Falha>> = {
  bloqueado: { kind: 'blocked', retryS: BLOCKED_S, codigo: 'bloqueado', texto: 'bloqueou a consulta{frase}' },
  captcha: {
    kind: 'blocked',
    retryS: BLOCKED_S,
    codigo: 'captcha',
    texto: 'pediu desta vez um captcha, que não costuma pedir{frase}',
  },
  'captcha-errado': {
    kind: 'blocked',
    retryS: OUTAGE_S,
    codigo: 'captcha-errado',
    texto: 'não aceitou a resposta ao captcha{frase}',
  },
  fechado: {
    kind: 'blocked',
    retryS: CLOSED_S,
    codigo: 'fechado',
    texto: 'está fora do horário de atendimento{frase}',
  },
  indisponivel: {
    kind: 'http',
    retryS: OUTAGE_S,
    codigo: 'indisponivel',
    unavailable: true,
    texto: 'diz que está fora do ar{frase}',
  },
  'sessao-expirada': {
    kind: 'http',
    retryS: OUTAGE_S,
    codigo: 'sessao-expirada',
    unavailable: true,
    texto: 'disse que a sessão expirou{frase}',
  },
  processando: {
    kind: 'timeout',
    retryS: OUTAGE_S,
    codigo: 'em-processamento',
    unavailable: false,
    texto: 'ainda está emitindo a certidão{frase}',
  },
  emitida: {
    kind: 'parse',
    retryS: null,
    codigo: 'emitida',
    texto: 'diz que a certidão foi emitida, e não a enviou{frase}',
  },
  'sem-endereco': {
    kind: 'http',
    retryS: null,
    codigo: 'sem-endereco',
    unavailable: false,
    texto:
      'só emite a certidão depois que o contribuinte informa seu endereço{frase}. Ele o informa uma vez, na página da certidão (SIARE); depois disso, ela é emitida',
  },
  'por-email': {
    kind: 'http',
    retryS: null,
    codigo: 'por-email',
    unavailable: false,
    texto:
      'só envia por e-mail a certidão de um contribuinte com tantos CNPJs{frase}. Peça-a na página da secretaria da fazenda',
  },
  'formulario-errado': {
    kind: 'parse',
    retryS: null,
    codigo: 'formulario-errado',
    texto: 'mudou de página: não aceitou o formulário como foi preenchido{frase}',
  },
  'nao-entendido': {
    kind: 'parse',
    retryS: null,
    texto: 'respondeu o que não se entende como certidão nem como recusa dela{frase}',
  },
  cortada: { kind: 'parse', retryS: OUTAGE_S, texto: 'enviou uma página que termina no meio{frase}' },
  'outro-documento': { kind: 'parse', retryS: null, texto: 'respondeu sobre outro documento{frase}' },
}

/** What was asked of whom, and the authority's words. */
export type Dito = {
  source: Source
  /** Milliseconds since it was asked. */
  elapsedMs: number
  /** The kind of the document that was asked about. */
  tipo: TipoDocumento
  /** The authority's words, to be quoted in the message. */
  frase?: string
  /** Its words at length, for `status_raw`; `frase` if left out. */
  dizeres?: string
}

/**
 * Makes the failure that an outcome means: ApiError DOCUMENTO_INVALIDO, RotaNaoAtende, or a SourceError by
 * the table.
 */
export function failureOf(desfecho: Exclude<Desfecho, 'nao-encontrado'>, dito: Dito): Error {
  const { source, elapsedMs, tipo, frase = '', dizeres = frase } = dito
  const quote = frase && ` ("${quoteOf(frase)}")`
  if (desfecho === 'documento-invalido') return documentoRecusado(source, tipo, quote)
  if (desfecho === 'nao-atende')
    return new RotaNaoAtende(`${source.nome} não responde por este documento nesta página.`)
  if (desfecho === 'pede-ie')
    return new RotaNaoAtende(
      `${source.nome} só emite a certidão deste documento pela inscrição estadual${quote}.`,
      { pedeInscricao: true },
    )
  const { kind, texto, ...row } = falhas[desfecho]
  const why = texto.replace('{frase}', () => quote)
  return new SourceError(kind, `${source.nome} ${why}.`, {
    source: source.id,
    elapsedMs,
    dizeres,
    ...row,
  })
}

/** The state takes the document for invalid. `detalhe` follows the words, with a space before it. */
export const documentoRecusado = ({ nome }: Source, tipo: TipoDocumento, detalhe: string): ApiError =>
  new ApiError('DOCUMENTO_INVALIDO', `${nome} não aceitou o documento${detalhe}. Nada foi cobrado.`, {
    errors: [{ parameter: tipo, reason: 'a secretaria da fazenda o considera inválido' }],
  })
