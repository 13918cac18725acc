import type { LayoutCertidao } from './certidao-campos.ts'
import { readCertidaoHtml } from './certidao-html.ts'
import { readCertidaoPage, saysNothing } from './certidao-pagina.ts'
import { type LeituraCertidao, readCertidaoPdf } from './certidao-pdf.ts'
import type { Certidao } from './cnd-certidao.ts'
import { failUnknown } from './desconhecida.ts'
import type { PerguntaCnd } from './estado.ts'
import { type Frase, findFrase } from './frase.ts'
import { linhasOf } from './html.ts'
import { isCutShort, isPdf, type Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'
import type { Inscricao } from './rules-inscricao.ts'
import { alertasOf } from './script.ts'
import { TEXTO } from './tela.ts'

/** How a state answers the question for a certificate. */
export type Entrega = {
  layout: LayoutCertidao
  /**
   * The element (CSS) with the state's message, if known. Otherwise a dialog is read, else the whole page.
   */
  mensagem?: string
}

/**
 * Reads the certificate, from a PDF or, in some states, a page; else the message in its place. Throws as
 * readCertidaoPdf and readCertidaoPage do, and SourceError `parse` for a page without known words.
 */
export async function readEntrega(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  { layout, mensagem }: Entrega,
): Promise<Certidao> {
  if (isPdf(pagina)) return readPdf(portal, pergunta, pagina.body, layout, pagina.elapsedMs)
  if (isCutShort(pagina)) throw portal.fail('cortada')
  const shown = portal.emHtml && (await readHtml(portal, pergunta, pagina, layout))
  if (shown) return shown
  const { elapsedMs } = pagina
  const leitura = { source: portal.source, documento: pergunta.documento, elapsedMs }
  const element = mensagem && portal.novidades(pagina, mensagem).join(' ')
  const said = element || alertasOf(portal, pagina).join(' ')
  if (said) return readCertidaoPage(said, leitura)
  const words = portal.novidades(pagina).join(' ')
  if (saysNothing(words)) failUnknown(portal, pagina, 'faltam a certidão e o motivo', pergunta.tipo)
  return readCertidaoPage(words, leitura)
}

/** Reads a certificate from its bytes. */
export const readPdf = (
  portal: Portal,
  pergunta: PerguntaCnd,
  pdf: Buffer,
  layout: LayoutCertidao,
  elapsedMs: number,
): Promise<Certidao> => readCertidaoPdf(pdf, leituraOf(portal, pergunta, layout, elapsedMs))

/**
 * Reads a page as the certificate itself. Undefined if it is none: a certificate has no fields to fill in.
 */
async function readHtml(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  layout: LayoutCertidao,
): Promise<Certidao | undefined> {
  const $ = pagina.html()
  if ($(`${TEXTO}:not([readonly], [disabled])`).length > 0) return undefined
  const { url, elapsedMs } = pagina
  const leitura = { ...leituraOf(portal, pergunta, layout, elapsedMs), url, now: portal.meios.now() }
  return readCertidaoHtml(linhasOf($.root()), leitura)
}

function leituraOf(
  { source, uf, meios }: Portal,
  { documento, inscricoes }: PerguntaCnd,
  layout: LayoutCertidao,
  elapsedMs: number,
): LeituraCertidao {
  const numeros = inscricoes?.map(({ inscricao_estadual }) => inscricao_estadual)
  return {
    source,
    uf,
    documento,
    elapsedMs,
    layout,
    ...(meios.relato && { relato: meios.relato }),
    ...(numeros && { inscricoes: numeros }),
  }
}

/** How a state's last page is read. `frases` are marks of its own, in words that no other state uses. */
export type LeituraDaResposta = { layout?: LayoutCertidao; frases?: readonly Frase[] }

/**
 * Reads the answer as readEntrega does. If it carries one of the state's own marks, throws what the mark
 * means.
 */
export async function readResposta(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  { layout = {}, frases = [] }: LeituraDaResposta,
): Promise<Certidao> {
  const frase = isPdf(pagina) || frases.length === 0 ? undefined : findFrase(portal, pagina, frases)
  if (frase && frase.desfecho !== 'nao-encontrado') throw portal.fail(frase.desfecho, pergunta.tipo)
  return readEntrega(portal, pergunta, pagina, { layout })
}

/** The registration by which a state is asked for a certificate: the first active one, else the first. */
export const inscricaoDe = ({ inscricoes = [] }: PerguntaCnd): Inscricao | undefined =>
  inscricoes.find(({ situacao_ie }) => situacao_ie === 'ATIVA') ?? inscricoes[0]
