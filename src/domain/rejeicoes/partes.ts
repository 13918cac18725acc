import { cnpjProblem, cpfProblem, type Documento } from '../documento/documento.ts'
import { findUf, type Uf } from '../uf.ts'

/** A party of a note, as far as a register of taxpayers knows it. A field that the note lacks is empty. */
export type ParteDaNota = {
  /** The group of the note. */
  grupo: 'emit' | 'dest'
  /** A CNPJ or CPF with valid check digits. */
  documento: Documento | undefined
  /** As the note has it. */
  ie: string
  uf: Uf | undefined
  /** 7 digits of IBGE. */
  municipio: string
  /** Of the issuer. */
  crt: string
}

/** Whether a party tells a registration. */
export const hasIe = ({ ie }: ParteDaNota): boolean => ie !== '' && !/^isento$/i.test(ie)

/** What decides which registers a note is checked against. */
export type PartesDaNota = {
  modelo: string
  tpEmis: string
  emitente: ParteDaNota
  /** Undefined if the note has none, or one abroad. */
  destinatario: ParteDaNota | undefined
}

/** No group of a note that is read here is longer. */
const LONGEST = 16_384

/** The text of a group's first occurrence; empty if the note has none, or one that is too long. */
function groupOf(xml: string, name: string): string {
  const begin = new RegExp(`<${name}[\\s>]`).exec(xml)?.index ?? -1
  const end = xml.indexOf(`</${name}>`, begin)
  return begin >= 0 && end > begin && end - begin <= LONGEST ? xml.slice(begin, end) : ''
}

/** No field that is read here is as long; messages quote them. */
const LONGEST_FIELD = 60

/** The beginning of a field without child elements; empty if the group has none. */
const fieldOf = (group: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(group)?.[1]?.trim().slice(0, LONGEST_FIELD) ?? ''

/** Reads the parties of a well-formed note. The groups that it reads stand before the items. */
export function partesDaNota(xml: string): PartesDaNota {
  const ide = groupOf(xml, 'ide')
  const dest = groupOf(xml, 'dest')
  return {
    modelo: fieldOf(ide, 'mod'),
    tpEmis: fieldOf(ide, 'tpEmis'),
    emitente: parteOf('emit', groupOf(xml, 'emit')),
    destinatario: dest === '' || fieldOf(dest, 'UF') === 'EX' ? undefined : parteOf('dest', dest),
  }
}

const parteOf = (grupo: 'emit' | 'dest', group: string): ParteDaNota => ({
  grupo,
  documento: documentoIn(group),
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
