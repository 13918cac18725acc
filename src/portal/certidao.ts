import { collapse, fold } from '../platform/texto.ts'
import { formatInstante } from '../platform/wire/certificado.ts'
import { nomeNaFrase, type Source } from '../platform/wire/fonte.ts'
import { type CamposDaCertidao, type LayoutCertidao, readCampos } from './certidao-campos.ts'
import { readCertidaoPage, saysNothing } from './certidao-pagina.ts'
import { alheiosDe, type LeituraCertidao, readCertidaoPdf, readTexto } from './certidao-papel.ts'
import type { PerguntaCnd } from './estado.ts'
import { alertasOf, TEXTO } from './form.ts'
import { isCutShort, isPdf, linhasOf, type Pagina } from './pagina.ts'
import type { Certidao } from './rules-certidao.ts'
import type { Inscricao } from './rules-inscricao.ts'
import { titleOf } from './rules-palavras.ts'
import { type Frase, failUnknown, findFrase, type Portal } from './visita.ts'

/** The place and the instant at which a text was read. */
type Carimbo = { source: Source; url: string; now: Date }

const MARGIN = 56
/** From the page's edge to its first line. The mark stands above it. */
const TOP = 84
const BODY_SIZE = 9
const MARK_SIZE = 7

/**
 * Prints a text as a PDF (base64); equal input gives an equal file. Each page says that we made it, from
 * which address and when.
 */
async function printTexto(linhas: readonly string[], leitura: Carimbo): Promise<string> {
  // Loading takes 70 ms, and most processes never print.
  const { default: PDFDocument } = await import('pdfkit')
  const info = { Title: 'Impressão', Producer: 'Consulta Fiscal', CreationDate: leitura.now }
  const margins = { top: TOP, bottom: MARGIN, left: MARGIN, right: MARGIN }
  const paper = new PDFDocument({ size: 'A4', margins, bufferPages: true, info })
  const chunks: Buffer[] = []
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  paper.on('data', (chunk: Buffer) => chunks.push(chunk))
  paper.on('end', () => resolve(Buffer.concat(chunks).toString('base64')))
  paper.on('error', reject)
  paper.font('Helvetica').fontSize(BODY_SIZE)
  for (const linha of linhas) paper.text(toWinAnsi(linha), { paragraphGap: 2 })
  const { start, count } = paper.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    paper.switchToPage(page)
    paper.fontSize(MARK_SIZE).text(toWinAnsi(markOf(leitura)), MARGIN, MARGIN / 2)
  }
  paper.end()
  return promise
}

/** The mark of a page. It gives the address up to its path, because a session or the document may follow. */
function markOf({ source, url, now }: Carimbo): string {
  const { origin, pathname } = new URL(url)
  const address = `${origin}${pathname.replace(/;.*/, '')}`
  return `Impressão feita por este serviço do texto que ${nomeNaFrase(source)} mostrou em ${address} em ${formatInstante(now)}; não é o documento original.`
}

/**
 * The standard fonts of PDF have only the letters of windows-1252 (ISO 32000-1, annex D). Other letters lose
 * their marks, or become `?`.
 */
const toWinAnsi = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\u00ad/g, '')
    .replace(/[^\x20-\x7e\xa1-\xff–—‘’“”•…€]/gu, (letter) => {
      const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '')
      return /^[\x20-\x7e]+$/.test(plain) ? plain : '?'
    })

/** A certificate has one or two pages. A longer page is something else, and its print would fill a book. */
const MOST_CHARACTERS = 20_000
const MOST_LINES = 300

/**
 * Reads a page of HTML as a certificate, with our print and no PDF; undefined without a title, a number or
 * code, or a last day. Throws as readCertidaoPdf does.
 */
async function readCertidaoHtml(
  linhas: readonly string[],
  leitura: LeituraCertidao & Carimbo,
): Promise<Certidao | undefined> {
  const texto = linhas.join('\n')
  if (texto.length > MOST_CHARACTERS || linhas.length > MOST_LINES) return undefined
  const { layout } = leitura
  const campos = readCampos(fold(collapse(texto)), layout, alheiosDe(leitura))
  const isCertidao = titleOf(texto, layout.titulo) !== '' && campos.validade !== '' && isNumbered(campos)
  if (!isCertidao) return undefined
  return { ...readTexto(texto, leitura), impressao_base64: await printTexto(linhas, leitura) }
}

const isNumbered = ({ numero, codigo }: CamposDaCertidao): boolean => `${numero}${codigo}` !== ''

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

/** Gives the words in the elements (CSS) in which an engine shows messages. Empty if there are none. */
export const mensagemDe = (portal: Portal, pagina: Pagina, seletor: string): string =>
  portal.novidades(pagina, seletor).join(' ')

/** Reads a message that came in the place of a certificate. Throws as readCertidaoPage does. */
export const readMensagem = (
  { source }: Portal,
  { documento }: PerguntaCnd,
  { elapsedMs }: Pagina,
  said: string,
): Certidao => readCertidaoPage(said, { source, documento, elapsedMs })

/**
 * Reads the certificate of a page, or its message, for an engine with a place for messages. Throws as
 * readEntrega does, and SourceError `parse` if a page without that message seems to say that there is no
 * certificate: it changed.
 */
export async function readCertificado(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  entrega: Required<Entrega>,
): Promise<Certidao> {
  const said = isPdf(pagina) ? '' : mensagemDe(portal, pagina, entrega.mensagem)
  if (said) return readMensagem(portal, pergunta, pagina, said)
  const certidao = await readEntrega(portal, pergunta, pagina, entrega)
  if (certidao.status === 'sem_certidao')
    throw portal.failure('parse', 'mudou de página: faltam a certidão e o motivo')
  return certidao
}
