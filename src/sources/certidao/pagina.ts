import { type Certidao, type SituacaoCertidao, semCertidao } from '../../domain/cnd/certidao.ts'
import { classifyCertidao, type NaoResultado } from '../../domain/cnd/cnd.ts'
import { ApiError } from '../../domain/errors.ts'
import { RotaNaoAtende } from '../../domain/fonte/rota-nao-atende.ts'
import { SourceError, type SourceErrorKind } from '../../domain/fonte/source-error.ts'
import { collapse } from '../../domain/texto/texto-plano.ts'
import { parseHtml } from '../pagina/html.ts'
import { textosOf } from '../pagina/textos.ts'
import { quoteOf } from '../soap/soap.ts'
import type { Source } from '../transport/transport.ts'

/** What a page is read for. */
export type LeituraPagina = {
  source: Source
  /** The CPF or CNPJ that was asked about. */
  documento: string
  elapsedMs: number
}

const LONGEST_RAW = 500

/** What a page says of one question was never longer; a portal's front page, or a help page, is. */
const LONGEST_ANSWER = 2_000

/** The outcomes that are a certificate: a page that tells of one, or has its words on it, has not delivered it. */
const issued: readonly SituacaoCertidao[] = ['negativa', 'positiva_com_efeitos_de_negativa']

/**
 * What a page that brings no certificate says: `positiva`, `nao_contribuinte` or `sem_certidao`, with its words. `texto` is
 * the message, best by itself, or the text of the whole page; without tags. Throws ApiError DOCUMENTO_INVALIDO;
 * RotaNaoAtende where the state wants the registration; SourceError `blocked` (codigo `bloqueado`, `captcha`,
 * `captcha-errado`, `fechado`), `http` (`indisponivel`, `sessao-expirada`), `timeout` (`em-processamento`) or `parse`.
 */
export function readCertidaoPage(texto: string, leitura: LeituraPagina): Certidao {
  const { situacao, frase } = classifyCertidao(texto, 'pagina')
  const plain = collapse(texto)
  const raw = rawOf(plain, frase)
  const quote = frase && sentenceOf(plain, frase)
  if (!isResult(situacao)) throw failureOf(situacao, quote, leitura, frase && raw)
  if (issued.includes(situacao)) throw failureOf('emitida', quote, leitura, raw)
  return semCertidao(situacao, raw)
}

/**
 * Whether a whole page says nothing that is known of the question. A message by itself is believed whatever its words; a
 * page that has no place for one may be another page altogether, that tells in general what certificates there are.
 */
export function saysNothing(texto: string): boolean {
  const { situacao, frase } = classifyCertidao(texto, 'pagina')
  if (isResult(situacao) && texto.length > LONGEST_ANSWER) return true
  return situacao === 'nao-entendido' || (situacao === 'sem_certidao' && isWhole(frase, texto))
}

const isWhole = (frase: string, texto: string): boolean =>
  frase.replace(/\s/g, '') === collapse(texto).replace(/\s/g, '')

/** A page that came in the place of a PDF. */
export function readHtml(body: Buffer, leitura: LeituraPagina): Certidao {
  const texto = textosOf(parseHtml(decode(body)).root()).join(' ')
  if (saysNothing(texto)) throw failureOf('nao-entendido', '', leitura)
  return readCertidaoPage(texto, leitura)
}

/**
 * The failure that a text means, when it is no answer about the taxpayer. The message quotes `frase`;
 * `dizeres`, the authority's words at length, go to `status_raw`.
 */
export function failureOf(
  situacao: NaoResultado,
  frase: string,
  { source, documento, elapsedMs }: LeituraPagina,
  dizeres = frase,
): Error {
  const quote = frase && ` ("${quoteOf(frase)}")`
  const parameter = documento.length === 11 ? 'cpf' : 'cnpj'
  const codigo = codigos[situacao] ?? situacao
  const failure = (kind: SourceErrorKind, why: string, unavailable: boolean) =>
    new SourceError(kind, `${source.nome} ${why}.`, {
      source: source.id,
      elapsedMs,
      unavailable,
      dizeres,
      ...(codigo && { codigo }),
    })
  const blocked = (why: string): SourceError => failure('blocked', why + quote, true)
  const down = (why: string): SourceError => failure('http', why + quote, true)
  /** The portal works, and its answer is not what was asked for. */
  const answered = (kind: SourceErrorKind, why: string): SourceError => failure(kind, why, false)
  switch (situacao) {
    case 'documento-invalido': {
      const message = `${source.nome} não aceitou o documento${quote}. Nada foi cobrado.`
      const errors = [{ parameter, reason: 'a secretaria da fazenda o considera inválido' }]
      return new ApiError('DOCUMENTO_INVALIDO', message, { errors })
    }
    case 'pede-ie':
      return new RotaNaoAtende(
        `${source.nome} só emite a certidão deste documento pela inscrição estadual${quote}.`,
      )
    case 'sem-endereco':
      return answered(
        'http',
        `só emite a certidão depois que o contribuinte informa seu endereço${quote}. Ele o informa uma vez, na página da certidão (SIARE); depois, consulte de novo`,
      )
    case 'por-email':
      return answered(
        'http',
        `só envia por e-mail a certidão de um contribuinte com tantos CNPJs${quote}. Peça-a na página da secretaria da fazenda`,
      )
    case 'processando':
      return failure(
        'timeout',
        `ainda está emitindo a certidão${quote}; consulte de novo em alguns minutos`,
        false,
      )
    case 'captcha':
      return blocked('pediu um captcha')
    case 'captcha-errado':
      return blocked('não aceitou a resposta ao captcha')
    case 'fechado':
      return blocked('está fora do horário de atendimento')
    case 'indisponivel':
      return down('diz que está fora do ar')
    case 'sessao-expirada':
      return down('disse que a sessão expirou')
    case 'bloqueado':
      return blocked('bloqueou a consulta')
    case 'formulario-errado':
      return answered('parse', `mudou de página: não aceitou o formulário como foi preenchido${quote}`)
    case 'emitida':
      return answered('parse', `diz que a certidão foi emitida, e não a enviou${quote}`)
    case 'nao-entendido':
      return answered('parse', `respondeu o que não se entende como certidão nem como recusa dela${quote}`)
  }
}

/** The code for the log, if the outcome's own name does not do. Nothing if `parse` says all. */
const codigos: Partial<Record<NaoResultado, string>> = {
  processando: 'em-processamento',
  'nao-entendido': '',
}

const results: readonly string[] = [
  'negativa',
  'positiva',
  'positiva_com_efeitos_de_negativa',
  'nao_contribuinte',
  'sem_certidao',
] satisfies SituacaoCertidao[]

export const isResult = <S extends string>(situacao: S): situacao is Exclude<S, NaoResultado> =>
  results.includes(situacao)

/**
 * A field's label after the last sentence: a form that is shown again may draw it anew (RJ's, of the other
 * document).
 */
const LAST_LABEL = /(?<=[.!?])\s[^.!?:]{1,40}:$/

/** The whole message, to the end of its last sentence; of a whole page, the sentence that decided. */
function rawOf(plain: string, frase: string): string {
  if (plain.length > LONGEST_RAW) return sentenceOf(plain, frase)
  const said = plain.replace(LAST_LABEL, '')
  return said.includes(frase) ? said : plain
}

/** The whole sentence around some words of a page. Without a sentence, the words near them. */
function sentenceOf(plain: string, frase: string): string {
  const at = Math.max(0, plain.indexOf(frase))
  const before = plain.slice(Math.max(0, at - LONGEST_RAW / 2), at)
  const begin =
    at - before.length + (/^.*[.!?]\s/s.exec(before)?.[0].length ?? (before.length < at ? before.length : 0))
  const after = plain.slice(at + frase.length, begin + LONGEST_RAW)
  const end = /[.!?](?=\s|$)/.exec(after)?.index
  const ends = /[.!?]$/.test(frase) ? 0 : end === undefined ? after.length : end + 1
  return plain
    .slice(begin, at + frase.length + ends)
    .trim()
    .slice(0, LONGEST_RAW)
}

/** Nobody told the charset of what should have been a PDF. */
function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}
