import { type Certidao, type SituacaoCertidao, semCertidao } from '../domain/certidao.ts'
import { classifyCertidao, type NaoResultado } from '../domain/cnd.ts'
import { ApiError } from '../domain/errors.ts'
import { RotaNaoAtende } from '../domain/rota-nao-atende.ts'
import { SourceError } from '../domain/source-error.ts'
import { collapse } from '../domain/texto-plano.ts'
import { parseHtml } from './portal/html.ts'
import { textosOf } from './portal/textos.ts'
import { quoteOf } from './soap.ts'
import type { Source } from './transport.ts'

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
  if (isResult(situacao) && issued.includes(situacao))
    throw new SourceError('parse', `${leitura.source.nome} diz que a certidão foi emitida, e não a enviou.`, {
      source: leitura.source.id,
      elapsedMs: leitura.elapsedMs,
    })
  if (isResult(situacao)) return semCertidao(situacao, rawOf(collapse(texto), frase))
  throw failureOf(situacao, frase, leitura)
}

/**
 * Whether a whole page says nothing that is known of the question. A message by itself is believed whatever its words; a
 * page that has no place for one may be another page altogether, that tells in general what certificates there are.
 */
export function saysNothing(texto: string): boolean {
  const { situacao, frase } = classifyCertidao(texto, 'pagina')
  if (isResult(situacao) && texto.length > LONGEST_ANSWER) return true
  return situacao === 'nao-entendido' || (situacao === 'sem_certidao' && frase === collapse(texto))
}

/** A page that came in the place of a PDF. */
export function readHtml(body: Buffer, leitura: LeituraPagina): Certidao {
  const texto = textosOf(parseHtml(decode(body)).root()).join(' ')
  if (saysNothing(texto)) throw failureOf('nao-entendido', '', leitura)
  return readCertidaoPage(texto, leitura)
}

/** What a text that is no answer about the taxpayer means to who asked. */
export function failureOf(
  situacao: NaoResultado,
  frase: string,
  { source, documento, elapsedMs }: LeituraPagina,
): Error {
  const quote = frase && ` ("${quoteOf(frase)}")`
  const parameter = documento.length === 11 ? 'cpf' : 'cnpj'
  const away = (kind: 'blocked' | 'http', why: string, codigo: string): SourceError =>
    new SourceError(kind, `${source.nome} ${why}${quote}.`, {
      source: source.id,
      elapsedMs,
      unavailable: true,
      codigo,
    })
  const blocked = (why: string, codigo: string): SourceError => away('blocked', why, codigo)
  const down = (why: string, codigo: string): SourceError => away('http', why, codigo)
  switch (situacao) {
    case 'documento-invalido':
      return new ApiError(
        'DOCUMENTO_INVALIDO',
        `${source.nome} não aceitou o documento${quote}. Nada foi cobrado.`,
        {
          errors: [{ parameter, reason: 'a secretaria da fazenda o considera inválido' }],
        },
      )
    case 'pede-ie':
      return new RotaNaoAtende(
        `${source.nome} só emite a certidão deste documento pela inscrição estadual${quote}.`,
      )
    case 'processando':
      return new SourceError(
        'timeout',
        `${source.nome} ainda está emitindo a certidão${quote}; consulte de novo em alguns minutos.`,
        {
          source: source.id,
          elapsedMs,
          codigo: 'em-processamento',
          unavailable: false,
        },
      )
    case 'captcha':
      return blocked('pediu um captcha', situacao)
    case 'captcha-errado':
      return blocked('não aceitou a resposta ao captcha', situacao)
    case 'fechado':
      return blocked('está fora do horário de atendimento', situacao)
    case 'indisponivel':
      return down('diz que está fora do ar', situacao)
    case 'sessao-expirada':
      return down('disse que a sessão expirou', situacao)
    case 'bloqueado':
      return blocked('bloqueou a consulta', situacao)
    case 'nao-entendido':
      return new SourceError(
        'parse',
        `${source.nome} respondeu o que não se entende como certidão nem como recusa dela.`,
        {
          source: source.id,
          elapsedMs,
        },
      )
  }
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

/** The whole message; of a whole page, the sentence that decided. */
function rawOf(plain: string, frase: string): string {
  if (plain.length <= LONGEST_RAW) return plain
  const at = Math.max(0, plain.indexOf(frase))
  const begin = plain.lastIndexOf('. ', at) + 1 || at
  const end = plain.indexOf('. ', at + frase.length)
  return plain
    .slice(Math.max(begin, at - LONGEST_RAW / 2), end < 0 ? undefined : end + 1)
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
