import { dataBrasileira, diaDoInstante } from '../documento/dia.ts'
import { cnpjProblem, cpfProblem, type Documento } from '../documento/documento.ts'
import { findUf, type Uf } from '../documento/uf.ts'
import { type Vigencia, vigorEm } from './rules.ts'
import type { CampoLido, ResultadoDaVerificacao } from './rules-laudo.ts'

/** Whether a rule is in force on a day; `talvez` where two official dates disagree. */
export type EmVigor = 'nao' | 'talvez' | 'sim'

export type AmbienteDaNota = 'producao' | 'homologacao'

/**
 * First days of the rules of NT 2026.007 v1.10: as its text of 2026-10-01 has them (`de_talvez`), and as the
 * notice of 2026-10-05 moved them, which two projects tell and no official page that could be read.
 */
export const VIGENCIA_DA_LISTA = {
  de: '2026-11-16',
  de_talvez: '2026-11-03',
  homologacao: { de: '2026-10-26', de_talvez: '2026-10-05' },
} as const satisfies Vigencia

export function emVigorNoDia(dia: string, ambiente: AmbienteDaNota): EmVigor {
  const vigor = vigorEm(VIGENCIA_DA_LISTA, { dia, ambiente: ambiente === 'producao' ? '1' : '2' })
  if (vigor === true) return 'sim'
  return vigor === false ? 'nao' : 'talvez'
}

export function whyNotInForce(dia: string, ambiente: AmbienteDaNota): string {
  const { homologacao, ...producao } = VIGENCIA_DA_LISTA
  const { de_talvez: texto, de: aviso } = ambiente === 'producao' ? producao : homologacao
  const onde = ambiente === 'producao' ? 'produção' : 'homologação'
  const datas = `em ${dataBrasileira(texto)} segundo a NT 2026.007 v1.10, em ${dataBrasileira(aviso)} segundo o aviso de 05/10/2026`
  return emVigorNoDia(dia, ambiente) === 'nao'
    ? `A regra só vale em ${onde} depois do dia desta nota, ${dataBrasileira(dia)}: começa ${datas}.`
    : `Não se sabe se a regra já valia em ${onde} no dia desta nota, ${dataBrasileira(dia)}: começa ${datas}.`
}

export type GrupoDaParte = 'emit' | 'dest' | 'retirada' | 'entrega'

/** A field that the note lacks is empty. */
export type ParteDaNota = {
  grupo: GrupoDaParte
  /** A CNPJ or CPF with valid check digits. */
  documento: Documento | undefined
  /** The field `CNPJ`, valid or not. */
  cnpj: string
  /** As the note has it. */
  ie: string
  uf: Uf | undefined
  /** 7 digits of IBGE. */
  municipio: string
  crt: string
}

export const hasIe = ({ ie }: ParteDaNota): boolean => ie !== '' && !/^isento$/i.test(ie)

export type PartesDaNota = {
  modelo: string
  tpEmis: string
  /** AAAA-MM-DD: of the protocol, or of the issue where there is none; empty if the note does not tell it. */
  dia: string
  ambiente: AmbienteDaNota
  emitente: ParteDaNota
  /** Undefined if the note has none, or one abroad. */
  destinatario: ParteDaNota | undefined
  retirada: ParteDaNota | undefined
  entrega: ParteDaNota | undefined
}

const LONGEST = 16_384

/** The text of a group's first occurrence; empty if the note has none, or one that is too long. */
function groupOf(xml: string, name: string): string {
  const begin = new RegExp(`<${name}[\\s>]`).exec(xml)?.index ?? -1
  const end = xml.indexOf(`</${name}>`, begin)
  return begin >= 0 && end > begin && end - begin <= LONGEST ? xml.slice(begin, end) : ''
}

/** No field that is read here is as long; messages quote them. */
const LONGEST_FIELD = 60

const fieldOf = (group: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(group)?.[1]?.trim().slice(0, LONGEST_FIELD) ?? ''

/** Reads the parties of a well-formed note. All but the protocol stands before the items. */
export function partesDaNota(xml: string): PartesDaNota {
  const ide = groupOf(xml, 'ide')
  const protocolo = groupOf(xml, 'infProt')
  return {
    modelo: fieldOf(ide, 'mod'),
    tpEmis: fieldOf(ide, 'tpEmis'),
    dia: diaDoInstante(fieldOf(protocolo, 'dhRecbto')) ?? diaDoInstante(fieldOf(ide, 'dhEmi')) ?? '',
    ambiente: fieldOf(ide, 'tpAmb') === '2' ? 'homologacao' : 'producao',
    emitente: parteOf('emit', groupOf(xml, 'emit')),
    destinatario: parteIn(xml, 'dest'),
    retirada: parteIn(xml, 'retirada'),
    entrega: parteIn(xml, 'entrega'),
  }
}

function parteIn(xml: string, grupo: Exclude<GrupoDaParte, 'emit'>): ParteDaNota | undefined {
  const group = groupOf(xml, grupo)
  return group === '' || fieldOf(group, 'UF') === 'EX' ? undefined : parteOf(grupo, group)
}

const parteOf = (grupo: GrupoDaParte, group: string): ParteDaNota => ({
  grupo,
  documento: documentoIn(group),
  cnpj: fieldOf(group, 'CNPJ'),
  ie: fieldOf(group, 'IE'),
  uf: findUf(fieldOf(group, 'UF')),
  municipio: fieldOf(group, 'cMun'),
  crt: fieldOf(group, 'CRT'),
})

function documentoIn(group: string): Documento | undefined {
  const cnpj = fieldOf(group, 'CNPJ')
  if (cnpj !== '' && cnpjProblem(cnpj) === undefined) return { tipo: 'cnpj', documento: cnpj }
  const cpf = fieldOf(group, 'CPF')
  return cpf !== '' && cpfProblem(cpf) === undefined ? { tipo: 'cpf', documento: cpf } : undefined
}

/** The fields of a party that a rule reads; a document of the other kind is left out. */
export const camposDaParte = (parte: ParteDaNota, caminhos: readonly string[]): CampoLido[] =>
  caminhos
    .map((caminho) => ({ caminho, valor: valorDe(parte, caminho) }))
    .filter(({ caminho, valor }) => valor !== null || !/\/C(?:NPJ|PF)$/.test(caminho))

function valorDe({ documento, cnpj, ie, uf, municipio, crt }: ParteDaNota, caminho: string): string | null {
  const valores: Record<string, string | undefined> = {
    IE: ie,
    UF: uf,
    cMun: municipio,
    CRT: crt,
    CNPJ: cnpj,
    CPF: documento?.tipo === 'cpf' ? documento.documento : '',
  }
  return valores[caminho.split('/').at(-1) ?? ''] || null
}

/** How sure a decision is: the register says it itself, or what it says makes it likely. */
export type CertezaDaDecisao = 'certa' | 'provavel'

export type DecisaoDoCadastro = {
  codigo: number
  resultado: ResultadoDaVerificacao
  /** Null where nothing was decided. */
  certeza: CertezaDaDecisao | null
  campos: CampoLido[]
  mensagem: string
  /** The instant of the register's answer, ISO 8601 UTC; empty where none decided. */
  consultado_em: string
}

/** One function decides rules of several codes. */
export type DecisaoSemRegra = Pick<DecisaoDoCadastro, 'resultado' | 'certeza' | 'mensagem' | 'consultado_em'>

export const doesNotApply = (mensagem: string): DecisaoSemRegra => ({
  resultado: 'nao_aplicavel',
  certeza: null,
  mensagem,
  consultado_em: '',
})

export const indeterminado = (mensagem: string, consultado_em = ''): DecisaoSemRegra => ({
  resultado: 'indeterminado',
  certeza: null,
  mensagem,
  consultado_em,
})

export const achado = (
  resultado: 'ok' | 'falha',
  certeza: CertezaDaDecisao,
  mensagem: string,
  consultado_em: string,
): DecisaoSemRegra => ({ resultado, certeza, mensagem, consultado_em })
