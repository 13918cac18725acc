import type { Ambito } from '../documento/uf.ts'
import { collapse, fold, onOneLine, tidyText } from '../platform/texto.ts'
import { formatInstante } from '../platform/wire/certificado.ts'
import { nomeNaFrase, type Source, SourceError } from '../platform/wire/fonte.ts'
import { PdfError, readPdfText } from '../platform/wire/pdf.ts'
import { type CamposDaCertidao, isDeDebitos, type LayoutCertidao, readCampos } from './certidao-campos.ts'
import { failureOf } from './desfecho.ts'
import type { Relato } from './estado.ts'
import { normalize, parseHtml, textosOf } from './pagina.ts'
import {
  type Certidao,
  classifyCertidao,
  type NaoResultado,
  type SituacaoCertidao,
  semCertidao,
} from './rules-certidao.ts'
import { lineOf, titleOf, withoutDuvida, withoutNome } from './rules-palavras.ts'

export type LeituraPagina = { source: Source; documento: string; elapsedMs: number }

const LONGEST_RAW_DA_PAGINA = 500

/** No answer of a page to one question was longer. A front page or a help page is. */
const LONGEST_ANSWER = 2_000

/** The outcomes of a certificate. A page that only has its words has not delivered it. */
const issued: readonly SituacaoCertidao[] = ['negativa', 'positiva_com_efeitos_de_negativa']

/** Gives `positiva`, `nao_contribuinte` or `sem_certidao`; throws failureOf of any other outcome. */
export function readCertidaoPage(texto: string, leitura: LeituraPagina): Certidao {
  const { situacao, frase } = classifyCertidao(texto, 'pagina')
  const plain = collapse(texto)
  const raw = rawOfPagina(plain, frase)
  const quote = frase && sentenceOf(plain, frase)
  if (!isResult(situacao)) throw failureOfTexto(situacao, quote, leitura, frase && raw)
  if (issued.includes(situacao)) throw failureOfTexto('emitida', quote, leitura, raw)
  return semCertidao(situacao, raw)
}

/** A message alone is believed; a whole page may be a general one about certificates. */
export function saysNothing(texto: string): boolean {
  const { situacao, frase } = classifyCertidao(texto, 'pagina')
  if (isResult(situacao) && texto.length > LONGEST_ANSWER) return true
  return situacao === 'nao-entendido' || (situacao === 'sem_certidao' && isWhole(frase, texto))
}

const isWhole = (frase: string, texto: string): boolean =>
  frase.replace(/\s/g, '') === collapse(texto).replace(/\s/g, '')

function readHtml(body: Buffer, leitura: LeituraPagina): Certidao {
  const texto = textosOf(parseHtml(decode(body)).root()).join(' ')
  if (saysNothing(texto)) throw failureOfTexto('nao-entendido', '', leitura)
  return readCertidaoPage(texto, leitura)
}

/** `frase` is quoted in the message; `dizeres`, the words at length, go to `status_raw`. */
const failureOfTexto = (
  situacao: NaoResultado,
  frase: string,
  { source, documento, elapsedMs }: LeituraPagina,
  dizeres = frase,
): Error => {
  const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
  return failureOf(situacao, { source, elapsedMs, tipo, frase, dizeres })
}

const results: readonly string[] = [
  'negativa',
  'positiva',
  'positiva_com_efeitos_de_negativa',
  'nao_contribuinte',
  'sem_certidao',
] satisfies SituacaoCertidao[]

const isResult = <S extends string>(situacao: S): situacao is Exclude<S, NaoResultado> =>
  results.includes(situacao)

/** A form that is shown again may draw a label after the last sentence (RJ's, of the other document). */
const LAST_LABEL = /(?<=[.!?])\s[^.!?:]{1,40}:$/

/** For `status_raw`: a message to its last sentence, or the deciding sentence of a whole page. */
function rawOfPagina(plain: string, frase: string): string {
  if (plain.length > LONGEST_RAW_DA_PAGINA) return sentenceOf(plain, frase)
  const said = plain.replace(LAST_LABEL, '')
  return said.includes(frase) ? said : plain
}

function sentenceOf(plain: string, frase: string): string {
  const at = Math.max(0, plain.indexOf(frase))
  const before = plain.slice(Math.max(0, at - LONGEST_RAW_DA_PAGINA / 2), at)
  const begin =
    at - before.length + (/^.*[.!?]\s/s.exec(before)?.[0].length ?? (before.length < at ? before.length : 0))
  const after = plain.slice(at + frase.length, begin + LONGEST_RAW_DA_PAGINA)
  const end = /[.!?](?=\s|$)/.exec(after)?.index
  const ends = /[.!?]$/.test(frase) ? 0 : end === undefined ? after.length : end + 1
  return plain
    .slice(begin, at + frase.length + ends)
    .trim()
    .slice(0, LONGEST_RAW_DA_PAGINA)
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}

/** A CPF may have its ends hidden (`***.456.789-**`); a branch may stand under its head office (PR, GO). */
function namesDocumento(folded: string, documento: string, inscricoes: readonly string[] = []): boolean {
  const text = onOneLine(folded)
  if (isNamed(text, folded, documento)) return true
  if (inscricoes.some((inscricao) => holdsInscricao(text, inscricao))) return !isOfAnother(text, documento)
  return (
    documento.length === 14 &&
    forAllBranches.test(text) &&
    holds(text, [...documento.slice(0, 8), '0', '0', '0', '1'], { after: '' })
  )
}

/** A MEI has a CPF in its name. In a name, a document counts only if the paper declares no other. */
function isNamed(text: string, folded: string, documento: string): boolean {
  const digits = [...documento]
  const forms =
    digits.length === 11 ? [digits, [...hidden, ...digits.slice(3, 9), ...hidden.slice(1)]] : [digits]
  const sure = onOneLine(withoutDuvida(folded))
  return forms.some(
    (form) =>
      holds(text, form, { before: LABEL }) ||
      holds(sure, form) ||
      (holds(text, form) && declaredIn(text).every((one) => one === documento)),
  )
}

function isOfAnother(text: string, documento: string): boolean {
  const declared = declaredIn(text)
  const ours = documento.length === 14 ? documento.slice(0, 8) : documento
  return declared.length > 0 && !declared.some((one) => one.startsWith(ours))
}

const LABEL = '(?:CNPJ|CPF)[/A-Z ]{0,12}:? ?'
const declared = new RegExp(
  `${LABEL}((?:[\\dA-Z]{2}\\.[\\dA-Z]{3}\\.[\\dA-Z]{3}/[\\dA-Z]{4}-|[\\dA-Z]{12}|\\d{3}\\.\\d{3}\\.\\d{3}-|\\d{9})\\d\\d)(?!\\d)`,
  'g',
)

const declaredIn = (text: string): string[] =>
  [...text.matchAll(declared)].map(([, value = '']) => value.replace(/[./-]/g, ''))

const forAllBranches = /\bMATRIZ E (?:SUAS |AS )?FILIAIS\b/

const hidden = ['[*X]', '[*X]', '[*X]']

/** MT prints the last 9 of 11 digits, and other states leave zeros out. */
function holdsInscricao(text: string, inscricao: string): boolean {
  const digits = inscricao.replace(/^0+/, '')
  return digits.length >= 6 && holds(text, ['0*', ...digits])
}

function holds(
  text: string,
  characters: readonly string[],
  { before = '(?<!\\d)', after = '(?!\\d)' } = {},
): boolean {
  return new RegExp(`${before}${characters.join('[./ -]{0,2}')}${after}`).test(text)
}

export type LeituraCertidao = LeituraPagina & {
  uf: Ambito
  /** The registrations of the taxpayer. A certificate may name one in the place of the document. */
  inscricoes?: readonly string[]
  layout: LayoutCertidao
  relato?: Pick<Relato, 'papel'>
}

const LONGEST_RAW_DO_PAPEL = 300
const LONGEST_NAME = 120

/** Throws SourceError `parse`, and gives nothing, for an unreadable certificate or somebody else's. */
export async function readCertidaoPdf(pdf: Buffer, leitura: LeituraCertidao): Promise<Certidao> {
  if (!isPdf(pdf)) return readInstead(pdf, leitura)
  return { ...readTexto(await textOf(pdf, leitura), leitura), pdf_base64: pdf.toString('base64') }
}

export function readTexto(texto: string, leitura: LeituraCertidao): Certidao {
  const folded = fold(tidyText(texto))
  const { documento, inscricoes, layout, relato } = leitura
  relato?.papel(() => normalize(texto))
  if (!namesDocumento(folded, documento, inscricoes))
    throw broken(leitura, 'enviou uma certidão que é de outro documento')
  if (!isDeDebitos(lineOf(texto).folded, layout))
    throw broken(
      leitura,
      `enviou outro papel ("${titleOf(texto).slice(0, LONGEST_NAME)}"), e não a certidão pedida`,
    )
  const { situacao, frase } = classifyCertidao(texto, 'pdf', layout)
  const dizeres = rawOfPapel(titleOf(texto, layout.titulo), frase)
  if (!isResult(situacao)) throw failureOfTexto(situacao, frase, leitura, dizeres)
  const { numero, codigo, emissao, validade } = readFora(folded, leitura)
  if (emissao && validade && validade < emissao)
    throw broken(leitura, 'enviou uma certidão cujas datas não se entendem')
  return {
    status: situacao,
    status_raw: dizeres,
    validade,
    emissao,
    protocolo: numero,
    pdf_base64: '',
    url_verificacao: layout.verificacao ?? '',
    codigo_autenticacao: leitura.uf === 'MT' ? codigo : '',
  }
}

/** What may be of the holder's name is read only for a value that stands nowhere else. */
function readFora(folded: string, leitura: LeituraCertidao): CamposDaCertidao {
  const { layout } = leitura
  const sure = readCampos(onOneLine(withoutDuvida(folded)), layout, alheiosDe(leitura))
  const other = readCampos(onOneLine(withoutNome(folded)), layout, alheiosDe(leitura))
  const either = (campo: keyof CamposDaCertidao): string => {
    const [one, two] = [sure[campo], other[campo]]
    return one && two && one !== two ? '' : one || two
  }
  return {
    numero: either('numero'),
    codigo: either('codigo'),
    emissao: either('emissao'),
    validade: either('validade'),
  }
}

/** The numbers of the holder, in digits. The name of an MEI begins with the root of its CNPJ. */
const alheiosDe = ({ documento, inscricoes = [] }: LeituraCertidao): string[] =>
  [documento, documento.slice(0, 8), ...inscricoes].map((numero) => numero.replace(/\D/g, ''))

/** Whether the bytes are a PDF. Its mark may come late: some servers send blank lines before it. */
const isPdf = (body: Buffer): boolean => body.subarray(0, 1024).includes('%PDF-')

function readInstead(body: Buffer, leitura: LeituraCertidao): Certidao {
  if (body.length === 0) throw broken(leitura, 'enviou um PDF vazio')
  if (body.subarray(0, 1024).includes(0)) throw broken(leitura, 'enviou o que não é um PDF')
  return readHtml(body, leitura)
}

async function textOf(pdf: Buffer, leitura: LeituraCertidao): Promise<string> {
  try {
    return await readPdfText(pdf)
  } catch (error) {
    if (error instanceof PdfError) throw broken(leitura, `enviou ${error.message}`)
    throw error
  }
}

function rawOfPapel(title: string, frase: string): string {
  const whole = title.includes(frase) ? title : [title, frase].filter(Boolean).join(': ')
  return whole.slice(0, LONGEST_RAW_DO_PAPEL)
}

const broken = ({ source, elapsedMs }: LeituraPagina, why: string): SourceError =>
  new SourceError('parse', `${source.nome} ${why}.`, { source: source.id, elapsedMs })

type Carimbo = { source: Source; url: string; now: Date }

const MARGIN = 56
const TOP = 84
const BODY_SIZE = 9
const MARK_SIZE = 7

/** Prints a text as a PDF (base64). Each page says that we made it, from which address and when. */
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

/** The standard fonts have only windows-1252 (ISO 32000-1, annex D): other letters lose their marks. */
export const toWinAnsi = (text: string): string =>
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

/** Reads a page as a certificate. Undefined without a title, a number or code, or a last day. */
export async function readCertidaoHtml(
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
