import { diaDe } from '../documento/dia.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import type { CertidaoFederal, EspecieFederal } from './certidao.ts'
import { decodePdf } from './pdf-base64.ts'
import { type LeituraFederal, lerCertidaoFederal } from './source-certidao.ts'

/**
 * A certificate as JSON brings it: the paper in base64, and what is said beside it. A member that is
 * undefined, null or empty says nothing; any other value must agree with the paper.
 */
export type Entregue = {
  pdf: unknown
  /** Undefined where nothing is said; `outra` for a kind that nobody knows. */
  especie?: EspecieFederal | 'outra' | undefined
  contribuinte?: unknown
  codigo?: unknown
  emissao?: unknown
  validade?: unknown
}

/**
 * Reads the paper, and compares what the JSON says of it. Throws SourceError `parse`: code `contradicao` if
 * they differ, and what `lerCertidaoFederal` throws.
 */
export async function lerEntregue(entregue: Entregue, leitura: LeituraFederal): Promise<CertidaoFederal> {
  const pdf = typeof entregue.pdf === 'string' ? decodePdf(entregue.pdf) : undefined
  if (!pdf) throw broken(leitura, 'enviou uma certidão que não é um PDF em base64')
  const certidao = await lerCertidaoFederal(pdf, leitura)
  const contrario = contrarioEm(entregue, certidao, leitura.cnpj)
  if (contrario === undefined) return certidao
  const { source, elapsedMs } = leitura
  throw new SourceError('parse', `${source.nome} diz uma coisa e sua certidão outra (${contrario}).`, {
    source: source.id,
    elapsedMs,
    codigo: 'contradicao',
    dizeres: certidao.status_raw,
  })
}

/** Names the first point on which the JSON and the paper differ. Undefined if there is none. */
function contrarioEm(entregue: Entregue, certidao: CertidaoFederal, cnpj: string): string | undefined {
  const { especie, contribuinte, codigo, emissao, validade } = entregue
  const plain = (value: unknown): string =>
    textOf(value)
      .replace(/[^0-9A-Za-z]/g, '')
      .toUpperCase()
  if (especie !== undefined && especie !== certidao.status) return 'espécie'
  // The root alone stands for all establishments.
  if (isSaid(contribuinte) && ![cnpj, cnpj.slice(0, 8)].includes(plain(contribuinte))) return 'CNPJ'
  if (isSaid(codigo) && plain(codigo) !== plain(certidao.protocolo)) return 'código de controle'
  if (isSaid(emissao) && !diasDe(textOf(emissao)).includes(certidao.emissao)) return 'data de emissão'
  if (isSaid(validade) && !diasDe(textOf(validade)).includes(certidao.validade)) return 'validade'
  return undefined
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
const BRASILEIRA = /^(\d\d)\/(\d\d)\/(\d{4})(?: .{0,20})?$/

/**
 * The days (AAAA-MM-DD) that a date of the JSON may mean: as written and, if it names a zone, in Brasília;
 * none if it is no date. No client says which zone the dates have.
 */
export function diasDe(text: string): string[] {
  const [, dia = '', mes = '', ano = ''] = BRASILEIRA.exec(text) ?? []
  if (ano) return [`${ano}-${mes}-${dia}`]
  const [, written, zone] = ISO.exec(text) ?? []
  if (written === undefined) return []
  const instant = zone === undefined ? Number.NaN : Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(instant) ? [written] : [written, diaDe(instant)]
}

/** Whether a certificate of this day was issued since our issuance began; false where `desde` is empty. */
export const isDesde = (emissao: string, desde: string): boolean =>
  desde !== '' && emissao >= diaDe(Date.parse(desde))

export const broken = (
  { source, elapsedMs }: Pick<LeituraFederal, 'source' | 'elapsedMs'>,
  why: string,
): SourceError => new SourceError('parse', `${source.nome} ${why}.`, { source: source.id, elapsedMs })
