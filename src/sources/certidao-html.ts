import type { Certidao } from '../domain/certidao.ts'
import { titleOf } from '../domain/cnd/titulo.ts'
import { BRASILIA_OFFSET_MS } from '../domain/periodo.ts'
import { collapse, fold } from '../domain/texto-plano.ts'
import { type Campos, readCampos } from './certidao-campo.ts'
import { type Leitura, printTexto } from './certidao-impressao.ts'
import { broken, type LeituraCertidao, readTexto } from './certidao-pdf.ts'

/** A certificate has one or two pages; what is longer is another page, and would be a book on paper. */
const MOST_CHARACTERS = 20_000
const MOST_LINES = 300

/**
 * The certificate that a page of HTML is, from the lines that a reader sees: with our print of it, and no
 * PDF. Undefined where the page is none: without a title, a number or code, or a last day. A certificate is
 * then read as a paper is, and throws the same; besides, SourceError `parse` for one that has ended.
 */
export async function readCertidaoHtml(
  linhas: readonly string[],
  leitura: LeituraCertidao & Leitura,
): Promise<Certidao | undefined> {
  const texto = linhas.join('\n')
  if (texto.length > MOST_CHARACTERS || linhas.length > MOST_LINES) return undefined
  const { layout } = leitura
  const campos = readCampos(fold(collapse(texto)), layout)
  const isCertidao = titleOf(texto, layout.titulo) !== '' && campos.validade !== '' && isNumbered(campos)
  if (!isCertidao) return undefined
  const certidao = readTexto(texto, leitura)
  if (hasEnded(certidao, leitura.now)) throw broken(leitura, 'mostrou uma certidão que não vale mais')
  return { ...certidao, impressao_base64: await printTexto(linhas, leitura) }
}

const isNumbered = ({ numero, codigo }: Campos): boolean => `${numero}${codigo}` !== ''

/** A help page shows one of years ago. Days in Brasília. */
const hasEnded = ({ validade }: Certidao, now: Date): boolean =>
  validade < new Date(now.getTime() + BRASILIA_OFFSET_MS).toISOString().slice(0, 10)
