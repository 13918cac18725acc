import { createPathReader } from '../platform/wire/xml.ts'
import { openDocZip } from './doc-zip.ts'
import type { RespostaDaDistribuicao } from './nfe.ts'
import { readNfeProc } from './source.ts'

/** What a document of the distribution tells of a note. */
export type DocumentoDistribuido =
  | Extract<RespostaDaDistribuicao, { tipo: 'xml' | 'resumo' }>
  | {
      tipo: 'defeituoso'
      /** A Portuguese clause: what is wrong. */
      defeito: string
    }

/** `cSitNFe` of a summary (resNFe_v1.01.xsd). */
const situacoes = new Map<string, 'autorizada' | 'denegada' | 'cancelada'>([
  ['1', 'autorizada'],
  ['2', 'denegada'],
  ['3', 'cancelada'],
])

const readResNfe = createPathReader(['resNFe', 'resNFe/chNFe', 'resNFe/cSitNFe', 'resNFe/dhRecbto'])

/**
 * Reads a `docZip` by its content; its `schema` attribute is not used. A document that is neither a note nor
 * a summary is a defect.
 */
export function readDocumento(docZip: string, chave: string): DocumentoDistribuido {
  const opened = openDocZip(docZip)
  if (!opened.ok) return { tipo: 'defeituoso', defeito: `o documento ${opened.defeito}` }
  const { xml } = opened
  // The note comes first, because it may be large.
  const nota = readNfeProc(xml, chave)
  if (nota.ok) return { tipo: 'xml', xml }
  const resumo = readResNfe(xml)
  if (!resumo?.has('resNFe')) return { tipo: 'defeituoso', defeito: nota.defeito }
  return readResumo((nome) => resumo.get(`resNFe/${nome}`)?.[0] ?? '', chave)
}

function readResumo(text: (nome: string) => string, chave: string): DocumentoDistribuido {
  if (text('chNFe') !== chave) return { tipo: 'defeituoso', defeito: 'o resumo é de outra chave' }
  const autorizacao = parseInstante(text('dhRecbto'))
  if (!autorizacao)
    return { tipo: 'defeituoso', defeito: 'o resumo não diz quando a nota foi autorizada (dhRecbto)' }
  const situacao = situacoes.get(text('cSitNFe'))
  if (!situacao) return { tipo: 'defeituoso', defeito: 'o resumo não diz a situação da nota (cSitNFe)' }
  return { tipo: 'resumo', situacao, autorizacao }
}

/** `2026-11-14T12:00:00-03:00`: TDateTimeUTC, tiposDistDFe_v1.01.xsd. */
const INSTANTE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})[+-](?:0\d|1[0-4]):[0-5]\d$/

/**
 * Parses an instant of the NF-e. Undefined for any other text, also for a day that its month does not have.
 */
export function parseInstante(text: string): Date | undefined {
  const [, local] = INSTANTE.exec(text) ?? []
  if (local === undefined) return undefined
  // A Date reads the 30th of February as the 2nd of March.
  const asUtc = new Date(`${local}Z`)
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 19) !== local) return undefined
  return new Date(text)
}
