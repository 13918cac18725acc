import type { TipoDocumento } from '../documento/documento.ts'
import { ApiError } from '../platform/errors.ts'
import { quoteOf } from '../platform/texto.ts'
import {
  BLOCKED_S,
  CLOSED_S,
  type CodigoDaFalha,
  OUTAGE_S,
  type RetryS,
  RotaNaoAtende,
  type Source,
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
  | 'pede-ie'
  /** A firewall, or the portal's own guard against robots. */
  | 'bloqueado'
  /** A captcha is wanted that the page does not always have. */
  | 'captcha'
  | 'captcha-errado'
  | 'fechado'
  | 'indisponivel'
  | 'sessao-expirada'
  | 'processando'
  /** The page says that the certificate was issued, and does not bring it. */
  | 'emitida'
  /** MG: the taxpayer first registers an address in SIARE. */
  | 'sem-endereco'
  /** RN: the certificate of a large group is sent by e-mail alone. */
  | 'por-email'
  | 'formulario-errado'
  | 'nao-entendido'
  | 'cortada'
  | 'outro-documento'

/** The outcomes that are an ApiError or a RotaNaoAtende: the authority did not fail. */
type Recusado = 'nao-atende' | 'documento-invalido' | 'pede-ie'

/** A failure of the authority. `{frase}` in the text is the place of its own words, where it said any. */
type Falha = {
  kind: SourceErrorKind
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

export type Dito = {
  source: Source
  elapsedMs: number
  tipo: TipoDocumento
  frase?: string
  /** Its words at length, for `status_raw`; `frase` if left out. */
  dizeres?: string
}

/** Makes ApiError DOCUMENTO_INVALIDO, RotaNaoAtende, or a SourceError by the table. */
export function failureOf(desfecho: Exclude<Desfecho, 'nao-encontrado'>, dito: Dito): Error {
  const { source, elapsedMs, tipo, frase = '', dizeres = frase } = dito
  const quote = frase && ` ("${quoteOf(frase)}")`
  if (desfecho === 'documento-invalido') return documentoRecusado(source, tipo, quote)
  if (desfecho === 'nao-atende')
    return new RotaNaoAtende(`${source.nome} não responde por este documento nesta página.`)
  if (desfecho === 'pede-ie')
    return new RotaNaoAtende(
      `${source.nome} só emite a certidão deste documento pela inscrição estadual${quote}.`,
      { needsInscricao: true },
    )
  const { kind, texto, ...row } = falhas[desfecho]
  const why = texto.replace('{frase}', () => quote)
  return new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs, dizeres, ...row })
}

export const documentoRecusado = ({ nome }: Source, tipo: TipoDocumento, detalhe: string): ApiError =>
  new ApiError('DOCUMENTO_INVALIDO', `${nome} não aceitou o documento${detalhe}. Nada foi cobrado.`, {
    errors: [{ parameter: tipo, reason: 'a secretaria da fazenda o considera inválido' }],
  })

type Firewall = {
  codigo: CodigoDaFalha
  texto: string
  /** Words that stand on no other page: a page that carries them is the firewall's. */
  palavras: RegExp
  /** It sends a page of its own, on which nobody's document stands; a firm may be called as it speaks. */
  propria?: true
}

/** The firewalls of all states. Any page may be theirs, whatever its HTTP status. */
export const firewalls: readonly Firewall[] = [
  {
    codigo: 'waf',
    texto: 'bloqueou a consulta no seu firewall',
    // The F5 and Imperva pages of GO and MT, seen with status 200. F5's own page is in English.
    palavras: /ACESSO NEGADO.{0,500}POLITICA DE SEGURANCA|REQUISICAO FOI BLOQUEADA/,
  },
  {
    codigo: 'waf',
    texto: 'bloqueou a consulta no seu firewall',
    palavras:
      /REQUEST REJECTED(?! (?:[A-Z&]{1,20} ){0,5}(?:LTDA|EIRELI|S\/?A|ME|MEI|EPP)\b)|REQUESTED URL WAS REJECTED|INCAPSULA INCIDENT/,
    propria: true,
  },
  {
    codigo: 'waf',
    texto: 'quer ver um navegador (F5)',
    // F5's challenge, which SP's CADESP has since 2026-09: a script, and a text for clients that run none.
    palavras: /ENABLE JAVASCRIPT TO VIEW THE PAGE CONTENT|YOUR SUPPORT ID IS ?:? ?\d/,
    propria: true,
  },
  {
    codigo: 'cloudflare',
    texto: 'quer ver um navegador (Cloudflare)',
    palavras: /JUST A MOMENT ?(?:\.\.\.|…)|CHECKING YOUR BROWSER|ATTENTION REQUIRED! \| CLOUDFLARE/,
    propria: true,
  },
  {
    codigo: 'automatizada',
    texto: 'recusou a consulta como automatizada',
    palavras: /SEU COMPUTADOR OU REDE PODE ESTAR ENVIANDO CONSULTAS AUTOMATIZADAS/,
  },
]

const DOCUMENTO =
  /(?<![\d.-])(?:[\dA-Z*]{2}\.[\dA-Z*]{3}\.[\dA-Z*]{3}\/[\dA-Z*]{4}-[\d*]{2}|[\d*]{3}\.[\d*]{3}\.[\d*]{3}-[\d*]{2}|\d{14})(?![\d.-])/

/** By what a reader sees, or by its title and what it says to those without scripts. */
export function findFirewall(vistas: string, ocultas = ''): Firewall | undefined {
  const hasDocumento = DOCUMENTO.test(vistas)
  return firewalls.find(
    ({ palavras, propria }) =>
      palavras.test(ocultas) || (!(propria && hasDocumento) && palavras.test(vistas)),
  )
}

/** A foot may have them too, so they block only where they are the answer to a question. */
const naResposta =
  /ACESSO NEGADO|POLITICAS? DE SEGURANCA|NAO PODEMOS PROCESSAR (?:A )?SUA SOLICITACAO|REQUISICAO (?:FOI )?BLOQUEADA|CONSULTAS AUTOMATIZADAS|ACCESS DENIED|ATTENTION REQUIRED/

export const bloqueio = new RegExp(
  [naResposta, ...firewalls.map(({ palavras }) => palavras)].map(({ source }) => source).join('|'),
)
