import type { Papel } from './papel-papel.ts'

/**
 * How a request for a certificate ends: with one of three papers, of which the counter alone gives the
 * positive one, or with a refusal.
 */
export type Desfecho = 'negativa' | 'efeitos' | 'positiva' | 'insuficiente' | 'inapta' | 'nao-inscrito'

/**
 * The certificates that a company has when it is first asked about: none, one, one with two days left, or one
 * issued that many days ago.
 */
export type Anterior = 'nenhuma' | 'valida' | 'vencendo' | { dias: number }

/** An issuance is done after so many questions, or so many seconds after the first. */
export type Demora = { vezes: number } | { segundos: number }

/** A certificate in the book. */
export type CertidaoFederal = {
  /** The portal's number of it. */
  id: string
  /** The head office's, 14 characters. */
  cnpj: string
  nome: string
  tipo: 'negativa' | 'efeitos' | 'positiva'
  /** `XXXX.XXXX.XXXX.XXXX` */
  codigo: string
  /** YYYY-MM-DD and hh:mm:ss, in Brasília's time. */
  emissao: string
  hora: string
  /** YYYY-MM-DD, the last day. */
  validade: string
  anulada: boolean
  papel: Papel
}

/** Days that a certificate holds (Portaria Conjunta RFB/PGFN 1.751/2014, art. 10). */
const PRAZO = 180

/** Day and hour in Brasília, three hours behind UTC since 2019. */
export function emBrasilia(instante: number): { dia: string; hora: string } {
  const [dia = '', hora = ''] = new Date(instante - 3 * 3_600_000).toISOString().split(/[TZ.]/)
  return { dia, hora }
}

/** The last day of a certificate issued on that day. */
export function vencer(emissao: string): string {
  const dia = new Date(`${emissao}T12:00:00Z`)
  dia.setUTCDate(dia.getUTCDate() + PRAZO)
  return dia.toISOString().slice(0, 10)
}
