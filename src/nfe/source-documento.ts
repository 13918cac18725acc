import { gunzipSync } from 'node:zlib'
import { codeOf } from '../platform/wire/fonte.ts'
import { type Achados, createPathReader } from '../platform/wire/xml.ts'
import type { RespostaDaDistribuicao } from './rules.ts'

/** The largest document that is unpacked. An NF-e has up to 500 kB (MOC 7.0, rule of 214). */
const MAX_BYTES = 4 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export type DocZip = { ok: true; xml: string } | { ok: false; defeito: string }

/** Unpacks a `docZip` (retDistDFeInt_v1.01.xsd: gzip in base64), byte for byte, in UTF-8. */
export function openDocZip(text: string): DocZip {
  const base64 = text.replace(/\s+/g, '')
  if (base64 === '') return { ok: false, defeito: 'veio vazio' }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    return { ok: false, defeito: 'não está em base64' }
  try {
    return unpack(Buffer.from(base64, 'base64'))
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return { ok: false, defeito: 'é grande demais' }
    return { ok: false, defeito: 'veio com a compactação (gzip) cortada ou corrompida' }
  }
}

function unpack(gzip: Buffer): DocZip {
  const bytes = gunzipSync(gzip, { maxOutputLength: MAX_BYTES })
  try {
    return { ok: true, xml: utf8.decode(bytes) }
  } catch {
    return { ok: false, defeito: 'não está em UTF-8' }
  }
}

type DocumentoDistribuido =
  | Extract<RespostaDaDistribuicao, { tipo: 'xml' | 'resumo' }>
  | { tipo: 'defeituoso'; defeito: string }

/** `cSitNFe` of a summary (resNFe_v1.01.xsd). */
const situacoes = new Map<string, 'autorizada' | 'denegada' | 'cancelada'>([
  ['1', 'autorizada'],
  ['2', 'denegada'],
  ['3', 'cancelada'],
])

const readResNfe = createPathReader(['resNFe', 'resNFe/chNFe', 'resNFe/cSitNFe', 'resNFe/dhRecbto'])

/** A document's `schema` attribute is not used. */
export function readDocumento(docZip: string, chave: string): DocumentoDistribuido {
  const opened = openDocZip(docZip)
  if (!opened.ok) return { tipo: 'defeituoso', defeito: `o documento ${opened.defeito}` }
  const { xml } = opened
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

export function parseInstante(text: string): Date | undefined {
  const [, local] = INSTANTE.exec(text) ?? []
  if (local === undefined) return undefined
  // A Date reads the 30th of February as the 2nd of March.
  const asUtc = new Date(`${local}Z`)
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 19) !== local) return undefined
  return new Date(text)
}

export type NfeProc =
  | {
      ok: true
      /** The CNPJ or CPF of the issuer, the recipient, the carrier and those in autXML. */
      participantes: string[]
      cStat: string
    }
  | {
      ok: false
      /** The defect, as a Portuguese clause: `o XML é de outra chave`. */
      defeito: string
    }

const INF_NFE = 'nfeProc/NFe/infNFe'

const INF_PROT = 'nfeProc/protNFe/infProt'

const DIGEST = 'nfeProc/NFe/Signature/SignedInfo/Reference/DigestValue'

const PARTICIPANTES = ['emit', 'dest', 'transp/transporta', 'autXML'].flatMap((parte) => [
  `${INF_NFE}/${parte}/CNPJ`,
  `${INF_NFE}/${parte}/CPF`,
])

const read = createPathReader([
  'nfeProc',
  INF_NFE,
  `${INF_NFE}/@Id`,
  DIGEST,
  `${INF_PROT}/chNFe`,
  `${INF_PROT}/digVal`,
  `${INF_PROT}/cStat`,
  ...PARTICIPANTES,
])

/** procNFe_v4.00.xsd. The authority verified the signature when it authorized the note. */
export function readNfeProc(xml: string, chave: string): NfeProc {
  const found = read(xml)
  if (!found) return { ok: false, defeito: 'o XML está malformado' }
  const defeito = defeitoOf(found, chave)
  if (defeito !== undefined) return { ok: false, defeito }
  const participantes = PARTICIPANTES.flatMap((path) => found.get(path) ?? []).filter(Boolean)
  return {
    ok: true,
    participantes: [...new Set(participantes)],
    cStat: only(found, `${INF_PROT}/cStat`) ?? '',
  }
}

function defeitoOf(found: Achados, chave: string): string | undefined {
  if (!found.has('nfeProc')) return 'a raiz do XML não é nfeProc'
  if (!found.has(INF_NFE)) return 'o XML não tem a nota (infNFe)'
  if (only(found, `${INF_NFE}/@Id`) !== `NFe${chave}`) return 'o XML é de outra chave'
  if (!only(found, `${INF_PROT}/cStat`)) return 'o XML não tem o protocolo de autorização (protNFe)'
  if (only(found, `${INF_PROT}/chNFe`) !== chave) return 'o protocolo de autorização é de outra chave'
  const assinado = only(found, DIGEST)
  if (!assinado) return 'o XML não tem a assinatura do emitente'
  // The schema makes the digest of a protocol optional.
  if (found.get(`${INF_PROT}/digVal`)?.some((digest) => digest !== assinado))
    return 'o protocolo de autorização é de outra versão da nota'
  return undefined
}

function only(found: Achados, path: string): string | undefined {
  const texts = found.get(path)
  return texts?.length === 1 ? texts[0] : undefined
}
