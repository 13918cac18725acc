import { fold } from '../platform/texto.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import { failureOf } from '../portal/desfecho.ts'
import type { RecusaFederal } from './certidao.ts'
import { nomeiaOutro, recusaOf } from './recusa.ts'
import type { RespostaCnd } from './resposta.ts'
import { broken } from './source.ts'
import type { LeituraFederal } from './source-certidao.ts'

/**
 * What a `Status` of the product means (its documentation, "tipos retornados", as six open clients quote it
 * in 2026).
 */
export type SentidoCnd =
  | { tipo: 'certidao'; emitida: boolean }
  | { tipo: 'recusa'; status: RecusaFederal['status'] }
  | { tipo: 'processando' }
  /** The key is not known any more: the request starts again without it. */
  | { tipo: 'recomecar' }
  /** `anulaChave`: the next question goes without the key. */
  | { tipo: 'falha'; why: string; unavailable: boolean; anulaChave: boolean }

const recusa = (status: RecusaFederal['status']): SentidoCnd => ({ tipo: 'recusa', status })

/** A parameter that the product did not take. The operator reads its words in `status_raw`. */
const parametro = recusa('erro')

const sentidos: Readonly<Record<number, SentidoCnd>> = {
  1: { tipo: 'certidao', emitida: false },
  2: { tipo: 'certidao', emitida: true },
  3: recusa('positiva'),
  // The status of the registration prevents it.
  4: recusa('positiva'),
  5: {
    tipo: 'falha',
    why: 'mudou de dados durante a análise, e pede que se pergunte de novo',
    unavailable: false,
    anulaChave: true,
  },
  6: { tipo: 'falha', why: 'está com a base de apoio fora do ar', unavailable: true, anulaChave: false },
  7: { tipo: 'processando' },
  8: recusa('nao_contribuinte'),
  9: parametro,
  10: parametro,
  11: parametro,
  12: parametro,
  13: parametro,
  14: { tipo: 'recomecar' },
  15: parametro,
  99: {
    tipo: 'falha',
    why: 'respondeu com erro do servidor (Status 99)',
    unavailable: true,
    anulaChave: false,
  },
}

/** Whether HTTP says otherwise: 201 is in processing, 202 asks to try again, 400 and 404 refuse. */
function isContrary({ tipo }: SentidoCnd, http: number): boolean {
  if (tipo === 'certidao') return http !== 200
  if (tipo === 'recusa') return http === 201 || http === 202
  return tipo === 'processando' && http >= 400
}

/**
 * Gives the meaning of an answer. Throws SourceError `parse` for an unknown `Status`, code `contradicao` if
 * the status of HTTP says otherwise.
 */
export function sentidoOf(http: number, { status }: RespostaCnd, leitura: LeituraFederal): SentidoCnd {
  const sentido = sentidos[status]
  const { source, elapsedMs } = leitura
  if (!sentido) throw broken(leitura, `respondeu com um Status que não se conhece (HTTP ${http})`)
  if (!isContrary(sentido, http)) return sentido
  throw new SourceError('parse', `${source.nome} se contradiz: HTTP ${http} com Status ${status}.`, {
    source: source.id,
    elapsedMs,
    status: http,
    codigo: 'contradicao',
  })
}

/**
 * Makes the refusal of a `Status`. A sentence of the portal's own in `Mensagem` decides what it is, be it a
 * failure, and words about another CNPJ alone make it `erro`: a branch is not its head office.
 */
export function recusaDoStatus(
  status: RecusaFederal['status'],
  mensagem: string,
  { cnpj, source, elapsedMs }: LeituraFederal,
): RecusaFederal {
  const dita = recusaOf(mensagem, cnpj)
  if (dita === 'em-processamento' || dita === 'falha')
    throw failureOf('indisponivel', { source, elapsedMs, tipo: 'cnpj', frase: mensagem })
  if (dita) return dita
  const found = nomeiaOutro(mensagem, cnpj) ? 'erro' : status
  const words = mensagem.trim().slice(0, LONGEST_RAW)
  const isTold = found !== 'erro' || (words !== '' && !TITULO.test(fold(words)))
  return { status: found, dizeres: isTold ? words : `${source.nome} recusou o pedido sem dizer por quê.` }
}

/** A title in the place of a message: whoever reads it takes the refusal for a certificate. */
const TITULO = /^CERTIDAO (?:NEGATIVA|POSITIVA)/

/** The most characters of its words that a client gets. */
const LONGEST_RAW = 500
