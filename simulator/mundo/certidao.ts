import type { Uf } from './molde.ts'

/**
 * What comes of asking for a certificate. `nao-inscrito`: not registered in the state, said only by the states that check; the others
 * certify anybody, as `negativa` without the taxpayer's details. `irregular`: no certificate, for a reason that is not a debt.
 */
export type Desfecho = 'negativa' | 'positiva' | 'efeitos' | 'nao-inscrito' | 'irregular'

/** A clearance certificate, or why there is none, as the state's register has it. */
export type Certidao = {
  uf: Uf
  /** CPF or CNPJ, bare; the IE's owner's when it was asked for by IE. */
  documento: string
  tipoDocumento: 'cpf' | 'cnpj'
  desfecho: Desfecho
  /** Empty for those whom the state does not know. */
  nome: string
  /** IE, bare; empty likewise. */
  inscricao: string
  /** As the state prints them; equal for the same document on the same day. */
  numero: string
  codigo: string
  /** YYYY-MM-DD and hh:mm:ss, in Brasília's time. */
  emissao: string
  hora: string
  /** YYYY-MM-DD. */
  validade: string
  /** How long it holds, as the state counts: `60 (sessenta) dias`, `6 (seis) meses`. */
  prazo: string
  /** What stands against it, in a generic wording: empty for `negativa`. States have their own phrases. */
  motivo: string
  /** What is served for the PDF: itself, an HTML page, somebody else's, or a broken file. */
  papel: 'certo' | 'html' | 'outro' | 'corrompido'
}
