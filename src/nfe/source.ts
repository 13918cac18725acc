import { type Achados, createPathReader } from '../platform/wire/xml.ts'

/** A document that was read as the note of a key. */
export type NfeProc =
  | {
      ok: true
      /** The CNPJ or CPF of the issuer, the recipient, the carrier and those in autXML. */
      participantes: string[]
      /** The code of the authorization: 100, 150 and others. */
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

/**
 * Reads and checks the file of an authorized note (procNFe_v4.00.xsd): one `infNFe` and one protocol, both of
 * this key and of the same content. The authority verified the signature when it authorized the note.
 */
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

/** The text at a path that occurs once. Undefined if it occurs never, or several times. */
function only(found: Achados, path: string): string | undefined {
  const texts = found.get(path)
  return texts?.length === 1 ? texts[0] : undefined
}
