import { type Certidao, semCertidao } from '../domain/certidao.ts'
import type { Uf } from '../domain/uf.ts'
import type { LeituraPagina } from './certidao-pagina.ts'

/**
 * How a state prints its certificates, where the usual labels do not do. The expressions meet the text in capitals,
 * without accents, with single spaces, `º` for every ordinal sign and `-` for every dash.
 */
export type LayoutCertidao = {
  /** Its first group is the number. */
  numero?: RegExp
  /** Its first group is the authenticity code; MT alone has a field for it. */
  codigo?: RegExp
  /** The label that the date of issue follows, in any form of date. */
  emissao?: RegExp
  /** The label that the last day of validity follows, in any form of date. */
  validade?: RegExp
  /** Used where the certificate tells neither a last day nor a number of days. */
  validadeDias?: number
  /** Everything it matches is the title; nothing else then decides the outcome, nor is told as the state's words. */
  titulo?: RegExp
  /** Where people check the certificate. */
  verificacao?: string
}

/** What a certificate is read for. */
export type LeituraCertidao = LeituraPagina & {
  uf: Uf
  /** The registrations of the taxpayer: a certificate may name one in the place of the document. */
  inscricoes?: readonly string[]
  layout: LayoutCertidao
}

/**
 * Reads a certificate of the document asked about. A page served in its place is read as a page. Throws SourceError
 * `parse` for what is no readable certificate of this document, and what readCertidaoPage throws.
 */
export async function readCertidaoPdf(_pdf: Buffer, _leitura: LeituraCertidao): Promise<Certidao> {
  return semCertidao('sem_certidao', '')
}
