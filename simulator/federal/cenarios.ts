import { dvCnpj } from '../documento/documento.ts'
import { type Efeito, findComportamento } from '../mundo/comportamento.ts'
import { readTable } from '../platform/table.ts'
import type { ErroDoGateway } from './token.ts'

export type Papel =
  | 'certo'
  /** An HTML page, somebody else's certificate, or half a file in the place of the PDF. */
  | 'html'
  | 'outro'
  | 'corrompido'
  /** The title over three lines; words without spaces between them; no accents; two pages. */
  | 'quebrado'
  | 'colado'
  | 'sem-acentos'
  | 'duas-paginas'
  /** The first eight digits of the CNPJ alone, as public bodies may have it. */
  | 'raiz'
  /** The title of one kind with the body of another; an end before its issue; no control code. */
  | 'contradiz'
  | 'datas'
  | 'sem-codigo'

/** How a request ends: with a paper (the positive one at the counter alone), or with a refusal. */
export type Desfecho = 'negativa' | 'efeitos' | 'positiva' | 'insuficiente' | 'inapta' | 'nao-inscrito'

/**
 * The certificates when it is first asked about: none, one, one with two days left, or one so many days old.
 */
export type Anterior = 'nenhuma' | 'valida' | 'vencendo' | { dias: number }

/** An issuance is done after so many questions, or so many seconds after the first. */
export type Demora = { vezes: number } | { segundos: number }

export type CertidaoFederal = {
  id: string
  cnpj: string
  nome: string
  tipo: 'negativa' | 'efeitos' | 'positiva'
  codigo: string
  /** YYYY-MM-DD and hh:mm:ss, in Brasília's time. */
  emissao: string
  hora: string
  validade: string
  anulada: boolean
  papel: Papel
}

/** Days that a certificate holds (Portaria Conjunta RFB/PGFN 1.751/2014, art. 10). */
const PRAZO = 180

export function expire(emissao: string): string {
  const dia = new Date(`${emissao}T12:00:00Z`)
  dia.setUTCDate(dia.getUTCDate() + PRAZO)
  return dia.toISOString().slice(0, 10)
}

type Excecao = {
  /** The error with which the gateway keeps every product from answering. */
  erro?: ErroDoGateway
  /** What the registry leaves out of its answer, or that it takes the digits for wrong. */
  cnpj?: 'sem-simples' | 'sem-endereco' | 'invalido' | 'sem-socios' | 'empresario'
  desfecho?: Desfecho
  anterior?: Anterior
  demora?: Demora
  papel?: Papel
  contrato?: ManiaDoContrato
  portal?: ManiaDoPortal
}

export type ManiaDoContrato =
  /** Status 5, once or for ever; 6; 9; 99. */
  | 'analise-uma-vez'
  | 'analise'
  | 'base-fora'
  | 'parametro'
  | 'falha'
  /** The first key is lost: Status 14 when it comes back. */
  | 'chave-perdida'
  /** No `DocumentoPdf`; one with `data:` and line breaks; names with an accent and another spelling. */
  | 'sem-pdf'
  | 'data-uri'
  | 'nomes-trocados'
  /** The control code without its dots. */
  | 'codigo-corrido'
  /** TipoCertidao 3, 1 for another kind of paper, or none. */
  | 'tipo-3'
  | 'tipo-1'

type ManiaDoPortal =
  /** The banner with 033 at the issuance; the system or its base away; more than 300 certificates. */
  | '033'
  | 'sistema-fora'
  | 'base-fora'
  | 'mais-300'
  /** `NaoEmitida` before any issuance, with the message that tells why. */
  | 'nao-emitida'
  /** The session dies after the first "being processed". */
  | 'sessao-morre'
  /** No second copy of what was found. */
  | 'sem-segunda-via'
  /** A second issuance on the same day gives the first one's paper. */
  | 'mesma-no-dia'

export type CenarioFederal = { nome: string; documento: string; nota: string } & Excecao

/** Order is identity: the n-th row is the head office of root 98764000 + n, so new rows go to the end. */
const { linhas } = readTable<{
  linhas: readonly (readonly [nome: string, excecao: Excecao, nota: string])[]
}>('./cenarios.json', import.meta.url)

export const cenariosFederais: readonly CenarioFederal[] = linhas.map(([nome, excecao, nota], indice) => {
  const doze = `${98_764_001 + indice}0001`
  return { nome, documento: doze + dvCnpj(doze), ...excecao, nota }
})

const porDocumento = new Map(cenariosFederais.map((um) => [um.documento, um]))

/** What is out of the ordinary about a document; undefined for all but the series 98.764.0NN/0001. */
export const findCenarioFederal = (documento: string): CenarioFederal | undefined =>
  porDocumento.get(documento)

/** Troubles of the states alone do not touch the Receita Federal; `portal-fora` is also its portal's. */
export function efeitoFederal(documento: string, onde: 'contrato' | 'portal'): Efeito | undefined {
  const efeito = findComportamento(documento)?.efeito
  if (efeito?.tipo === 'por-uf') return undefined
  if (efeito?.tipo !== 'so-em') return efeito
  return efeito.onde === onde ? efeito.efeito : undefined
}
