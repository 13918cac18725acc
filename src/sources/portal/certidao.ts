import type { Certidao } from '../../domain/certidao.ts'
import type { Inscricao } from '../../domain/inscricao.ts'
import type { LayoutCertidao } from '../certidao-campo.ts'
import { readCertidaoPage, saysNothing } from '../certidao-pagina.ts'
import { readCertidaoPdf } from '../certidao-pdf.ts'
import type { PerguntaCnd } from '../estado.ts'
import type { Portal } from '../portal.ts'
import { unknownPage } from './desconhecida.ts'
import { type Frase, findFrase, throwFrase } from './frase.ts'
import { isCutShort, isPdf, type Pagina } from './pagina.ts'
import { textosOf } from './textos.ts'

/** How a state tells what came of the question. */
export type Entrega = {
  layout: LayoutCertidao
  /** The element (CSS) that holds the state's word, where it is known; else the whole page is read. */
  mensagem?: string
}

/**
 * The certificate that came, or what came in its place says; of a whole page, only words that are known. Throws what
 * readCertidaoPdf and readCertidaoPage throw, and SourceError `parse` for a page that says nothing that is known.
 */
export async function readEntrega(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  { layout, mensagem }: Entrega,
): Promise<Certidao> {
  if (isPdf(pagina)) return readPdf(portal, pergunta, pagina.body, layout, pagina.elapsedMs)
  if (isCutShort(pagina)) throw portal.failure('parse', 'enviou uma página que termina no meio')
  const { elapsedMs } = pagina
  const leitura = { source: portal.source, documento: pergunta.documento, elapsedMs }
  const said = mensagem && wordsIn(pagina, mensagem)
  if (said) return readCertidaoPage(said, leitura)
  const words = wordsOf(pagina)
  if (saysNothing(words)) throw unknownPage(portal, pagina, 'faltam a certidão e o motivo')
  return readCertidaoPage(words, leitura)
}

/** A certificate from its bytes. */
export const readPdf = (
  { source, uf }: Portal,
  { documento, inscricoes }: PerguntaCnd,
  pdf: Buffer,
  layout: LayoutCertidao,
  elapsedMs: number,
): Promise<Certidao> => {
  const numeros = inscricoes?.map(({ inscricao_estadual }) => inscricao_estadual)
  return readCertidaoPdf(pdf, {
    source,
    uf,
    documento,
    elapsedMs,
    layout,
    ...(numeros && { inscricoes: numeros }),
  })
}

/** What a page says in an element (CSS); empty where it has none. */
const wordsIn = (pagina: Pagina, seletor: string): string => textosOf(pagina.html()(seletor)).join(' ')

/** All that a page says. */
const wordsOf = (pagina: Pagina): string => textosOf(pagina.html().root()).join(' ')

/** How a state's last page is read, where it has marks of its own (`frases`) that no other state says in these words. */
export type LeituraDaResposta = { layout?: LayoutCertidao; frases?: readonly Frase[] }

/** What readEntrega reads, after the state's own marks, which are thrown as what they mean. */
export async function readResposta(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  { layout = {}, frases = [] }: LeituraDaResposta,
): Promise<Certidao> {
  const frase = isPdf(pagina) || frases.length === 0 ? undefined : findFrase(pagina, frases)
  if (frase) throwFrase(frase, portal, pergunta)
  return readEntrega(portal, pergunta, pagina, { layout })
}

/** The registration that a certificate is asked for by, where a state wants one: the first in force, else the first. */
export const inscricaoDe = ({ inscricoes = [] }: PerguntaCnd): Inscricao | undefined =>
  inscricoes.find(({ situacao_ie }) => situacao_ie === 'ATIVA') ?? inscricoes[0]
