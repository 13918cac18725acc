import { isCnpj, isCpf } from '../../documento/documento.ts'
import { findUf } from '../../documento/uf.ts'
import type { Titular } from './certificado.ts'
import { childAt, type Der, OID, octetsOf, oidOf, readDer, SEQUENCE, textOf } from './der.ts'

const SUBJECT_ALT_NAME = '2.5.29.17'
const COMMON_NAME = '2.5.4.3'
const STATE = '2.5.4.8'
const CNPJ = '2.16.76.1.3.3'
/** It holds the birth date (8), the CPF (11), and more. */
const PESSOA_FISICA = '2.16.76.1.3.1'

const OTHER_NAME = 0xa0
const EXTENSIONS = 0xa3
const VERSION = 0xa0

/**
 * Finds the holder of a certificate (DER): by the otherName entries of ICP-Brasil (DOC-ICP-04), else by the
 * end of its CN (`EMPRESA LTDA:11222333000181`); undefined if there is none. The entry 2.16.76.1.3.4 is not
 * read, because it names the company's representative.
 */
export function findTitular(certificado: Buffer): Titular | undefined {
  const cn = readNome(certificado)
  const { filhos } = childAt(readDer(certificado), 0, SEQUENCE)
  const names = otherNamesOf(filhos.find(({ tag }) => tag === EXTENSIONS))
  const inCn = /^(.*):([A-Z0-9]{12}\d{2}|\d{11})$/.exec(cn.trim())
  const nome = (inCn?.[1] ?? cn).trim()
  const uf = findUf(readAttribute(certificado, STATE).trim())
  const known = { nome, ...(uf && { uf }) }
  const candidates = [names.get(CNPJ)?.trim(), names.get(PESSOA_FISICA)?.slice(8, 19), inCn?.[2]]
  for (const documento of candidates) {
    if (documento === undefined) continue
    if (isCnpj(documento)) return { tipo: 'cnpj', documento, ...known }
    if (isCpf(documento)) return { tipo: 'cpf', documento, ...known }
  }
  return undefined
}

/** The CN of a certificate's (DER) subject: the last and most specific one. Empty if there is none. */
export const readNome = (certificado: Buffer): string => readAttribute(certificado, COMMON_NAME)

/** Reads an attribute of the subject: the last one of its type. Empty if there is none. */
function readAttribute(certificado: Buffer, wanted: string): string {
  const tbs = childAt(readDer(certificado), 0, SEQUENCE)
  // Version 1 leaves the version out.
  const subject = childAt(tbs, childAt(tbs, 0).tag === VERSION ? 5 : 4)
  const attributes = subject.filhos.flatMap(({ filhos }) => filhos)
  const found = attributes.findLast(({ filhos: [type] }) => type?.tag === OID && oidOf(type) === wanted)
  return found ? textOf(childAt(found, 1)) : ''
}

/** The otherName entries of the subjectAltName extension, by type. The first of each type counts. */
function otherNamesOf(extensions: Der | undefined): Map<string, string> {
  const found = new Map<string, string>()
  if (extensions === undefined) return found
  for (const extension of childAt(extensions, 0, SEQUENCE).filhos) {
    if (oidOf(childAt(extension, 0)) !== SUBJECT_ALT_NAME) continue
    const value = octetsOf(childAt(extension, extension.filhos.length - 1))
    for (const name of readDer(value).filhos) {
      if (name.tag !== OTHER_NAME) continue
      const type = oidOf(childAt(name, 0))
      // Authorities write the value as OCTET STRING, PrintableString or UTF8String, some padded with blanks.
      if (!found.has(type)) found.set(type, textOf(childAt(childAt(name, 1), 0)))
    }
  }
  return found
}
