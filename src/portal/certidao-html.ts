import { collapse, fold } from '../platform/texto.ts'
import { type CamposDaCertidao, readCampos } from './certidao-campos.ts'
import { alheiosDe, type LeituraCertidao, readTexto } from './certidao-pdf.ts'
import type { Certidao } from './cnd-certidao.ts'
import { type Carimbo, printTexto } from './impressao.ts'
import { titleOf } from './titulo.ts'

/** A certificate has one or two pages. A longer page is something else, and its print would fill a book. */
const MOST_CHARACTERS = 20_000
const MOST_LINES = 300

/**
 * Reads a page of HTML as a certificate, with our print and no PDF; undefined without a title, a number or
 * code, or a last day. Throws as readCertidaoPdf does.
 */
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
