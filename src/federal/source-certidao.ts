import { BRASILIA_OFFSET_MS } from '../documento/dia.ts'
import { fold, tidyText } from '../platform/texto.ts'
import { type Source, SourceError } from '../platform/wire/fonte.ts'
import { PdfError, readPdfText } from '../platform/wire/pdf.ts'
import { findData } from '../portal/datas.ts'
import { classifyCertidao } from '../portal/rules-certidao.ts'
import { withoutNome } from '../portal/rules-palavras.ts'
import type { CertidaoFederal, EspecieFederal } from './rules.ts'

type TituloFederal = { especie: EspecieFederal; titulo: string; fim: number }

const MATERIA = 'DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO'

/** A name of a certificate. The longest stands first, for the others are parts of it. */
const nomes: readonly [EspecieFederal, string][] = [
  ['positiva_com_efeitos_de_negativa', `CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA ${MATERIA}`],
  ['positiva', `CERTIDÃO POSITIVA ${MATERIA}`],
  ['negativa', `CERTIDÃO NEGATIVA ${MATERIA}`],
]

const titulos = nomes.map(([especie, titulo]) => ({ especie, titulo, se: new RegExp(rotulo(titulo)) }))

/** Extractors lose or change a letter with an accent. */
function rotulo(palavras: string): string {
  const letters = [...palavras.normalize('NFC').toUpperCase().replace(/\s/g, '')]
  return letters.map((letter) => (fold(letter) === letter ? letter : '\\S{0,2}')).join('')
}

/** Extractors lose or add spaces and lines, so they are no part of a title. */
function titulosOf(colado: string): TituloFederal[] {
  return titulos.flatMap(({ especie, titulo, se }) => {
    const found = se.exec(colado)
    return found ? [{ especie, titulo, fim: found.index + found[0].length }] : []
  })
}

type CamposFederais = {
  /** Fourteen characters, or the eight of the root. */
  cnpjs: readonly string[]
  emissoes: readonly string[]
  validades: readonly string[]
  codigos: readonly string[]
}

const DIA = String.raw`(\d{2}/\d{2}/\d{4})(?!\d)`

/** Letters occur since July 2026; a root with letters is read only with its dots. */
const CNPJ =
  /CNPJ:((?:[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}|[0-9A-Z]{12}\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}|\d{8})(?![\d/-]|\.\d))?/g

const EMISSAO = new RegExp(String.raw`${rotulo('Emitida às')}\d{1,2}:\d{2}(?::\d{2})?DODIA${DIA}`, 'g')
const VALIDADE = new RegExp(`${rotulo('Válida até')}${DIA}`, 'g')
const CODIGO = new RegExp(
  String.raw`${rotulo('Código de controle da certidão:')}([0-9A-F]{4}(?:\.[0-9A-F]{4}){3})(?!\.[0-9A-F])`,
  'g',
)

/** A `CNPJ:` without a number gives an empty one; a day that no calendar has is left out. */
const readCamposFederais = (depois: string): CamposFederais => ({
  cnpjs: unique(valuesOf(depois, CNPJ).map((cnpj) => cnpj.replace(/[./-]/g, ''))),
  emissoes: unique(valuesOf(depois, EMISSAO).flatMap(dayOf)),
  validades: unique(valuesOf(depois, VALIDADE).flatMap(dayOf)),
  codigos: unique(valuesOf(depois, CODIGO)),
})

const unique = (values: readonly string[]): string[] => [...new Set(values)]

const valuesOf = (text: string, field: RegExp): string[] =>
  [...text.matchAll(field)].map(([, value = '']) => value)

function dayOf(written: string): string[] {
  const found = findData(written)
  return found ? [found.data] : []
}

/** A paper with only the root (public bodies have it) is the head office's, order number 0001. */
const declares = (declarado: string, cnpj: string): boolean =>
  declarado === cnpj || (declarado.length === 8 && cnpj.startsWith(`${declarado}0001`))

export type LeituraFederal = { source: Source; cnpj: string; elapsedMs: number; now: Date }

const DIA_MS = 24 * 60 * 60 * 1000

/** The authority's clock may be ahead of ours. */
const MAX_ADIANTE_MS = DIA_MS

/** A certificate is valid for 180 days. Decrees of 2020 prolonged them to 300. */
const MAX_VALIDADE_MS = 366 * DIA_MS

/** Throws SourceError `parse`, code `certidao-invalida`, with the title in `dizeres` if one was read. */
export async function readCertidaoFederal(pdf: Buffer, leitura: LeituraFederal): Promise<CertidaoFederal> {
  if (!pdf.subarray(0, 1024).includes('%PDF-')) throw invalida(leitura, 'enviou o que não é um PDF')
  return { ...readTexto(await textOf(pdf, leitura), leitura), pdf_base64: pdf.toString('base64') }
}

async function textOf(pdf: Buffer, leitura: LeituraFederal): Promise<string> {
  try {
    return await readPdfText(pdf)
  } catch (error) {
    if (error instanceof PdfError) throw invalida(leitura, `enviou ${error.message}`)
    throw error
  }
}

export function readTexto(texto: string, leitura: LeituraFederal): Omit<CertidaoFederal, 'pdf_base64'> {
  const colado = withoutNome(fold(tidyText(texto))).replace(/\s/g, '')
  const titulos = titulosOf(colado)
  const [achado] = titulos
  if (!achado) throw invalida(leitura, 'enviou um papel sem o título da certidão federal')
  const { especie, titulo, fim } = achado
  const corpo = colado.slice(fim)
  const campos = readCamposFederais(corpo)
  const why =
    contradictionOf(texto, corpo, titulos) ??
    ownerProblemOf(campos, leitura.cnpj) ??
    problemOf(campos, leitura.now)
  const {
    emissoes: [emissao = ''],
    validades: [validade = ''],
    codigos: [protocolo = ''],
  } = campos
  if (why) throw invalida(leitura, why, titulos.map((one) => one.titulo).join(' / '))
  return { status: especie, status_raw: titulo, emissao, validade, protocolo }
}

/** The body of the negative certificate, and what the others say in its place. */
const NADA_CONSTA = /NAOCONSTAMPENDENCIASEMSEUNOME/
const CONSTA =
  /(?<!NAO)CONSTA(?:M|\(M\))?(?:[AO]S?|[AO]\(S\))?(?:SEGUINTES?|SEGUINTE\(S\))?(?:DEBITO|PENDENCIA|DIVIDA|INSCRIC|NOSSISTEMA)/

/** The kind is the title's. The words of the whole paper, read as a state's is, must not say another. */
function contradictionOf(
  texto: string,
  corpo: string,
  titulos: readonly TituloFederal[],
): string | undefined {
  const [achado, ...outros] = titulos
  const { situacao } = classifyCertidao(texto, 'pdf')
  const isClear = outros.length === 0 && situacao === achado?.especie
  const opposite = situacao === 'negativa' ? CONSTA : NADA_CONSTA
  return isClear && !opposite.test(corpo) ? undefined : 'enviou uma certidão que se contradiz'
}

function ownerProblemOf({ cnpjs }: CamposFederais, cnpj: string): string | undefined {
  const [declarado = '', ...outros] = cnpjs
  if (!declares(declarado, cnpj)) return 'enviou uma certidão que não é deste CNPJ'
  return outros.length > 0 ? 'enviou uma certidão que declara mais de um CNPJ' : undefined
}

function problemOf({ emissoes, validades, codigos }: CamposFederais, now: Date): string | undefined {
  const fields = { 'data de emissão': emissoes, validade: validades, 'código de controle': codigos }
  for (const [nome, { length }] of Object.entries(fields))
    if (length !== 1) return `enviou uma certidão ${length === 0 ? 'sem' : 'com dois valores de'} ${nome}`
  const [emissao = ''] = emissoes
  const [validade = ''] = validades
  const [issued, ends] = [Date.parse(emissao), Date.parse(validade)]
  const local = now.getTime() + BRASILIA_OFFSET_MS
  if (ends < issued || ends - issued > MAX_VALIDADE_MS || issued > local + MAX_ADIANTE_MS)
    return 'enviou uma certidão cujas datas não se entendem'
  return ends + DIA_MS <= local ? 'enviou uma certidão que não vale mais' : undefined
}

const invalida = ({ source, elapsedMs }: LeituraFederal, why: string, dizeres = ''): SourceError =>
  new SourceError('parse', `${source.nome} ${why}.`, {
    source: source.id,
    elapsedMs,
    codigo: 'certidao-invalida',
    dizeres,
  })
