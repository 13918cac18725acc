import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { XmlDocument } from 'libxml2-wasm'
import { openNoDia, pacotesDoDia } from '../../src/rejeicoes/esquema/calendario.ts'
import type { Regencia } from '../../src/rejeicoes/rules.ts'

/** The catalogue that comes with the service: `catalogo.test.ts` holds it to what people write. */
export const CATALOGO = fileURLToPath(new URL('../../data/rejeicoes.json', import.meta.url))

const folder = new URL('../../data/rejeicoes/notas/', import.meta.url)

/** The base notes of the pairs, by name. They are not signed. */
export const notas: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).map((file) => [
    file.replace(/\.xml$/, ''),
    readFileSync(new URL(file, folder), 'utf8'),
  ]),
)

/** A minute after the base notes were issued. */
export const NA_EMISSAO = new Date('2026-11-10T10:16:00-03:00')

/**
 * What the packages of schemas have against a note on a day; undefined where one of them takes it. In
 * production at the moment of the base notes unless told.
 */
export function problemaDoEsquema(
  xml: string,
  regencia: Regencia = { dia: '2026-11-10', ambiente: '1' },
): string | undefined {
  const documento = XmlDocument.fromString(xml)
  try {
    const problemas = pacotesDoDia(regencia, []).map((pacote) => {
      try {
        openNoDia(pacote).aberto.validador.validate(documento)
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    })
    return problemas.includes(undefined) ? undefined : problemas[0]
  } finally {
    documento.dispose()
  }
}

/** The base note of that name. Throws if there is none. */
export function notaBase(nome: string): string {
  const xml = notas.get(nome)
  if (xml === undefined) throw new Error(`no base note ${nome}`)
  return xml
}

/** A note with a signature of the right shape that signs nothing, as the schema wants one. */
export function comAssinatura(xml: string): string {
  const id = /\bId="(\w*)"/.exec(xml)?.[1] ?? ''
  return xml.replace('</NFe>', `${assinatura(id)}</NFe>`)
}

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const c14n = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

const assinatura = (id: string): string =>
  `<Signature xmlns="${dsig}"><SignedInfo><CanonicalizationMethod Algorithm="${c14n}"/>` +
  `<SignatureMethod Algorithm="${dsig}rsa-sha1"/><Reference URI="#${id}"><Transforms>` +
  `<Transform Algorithm="${dsig}enveloped-signature"/><Transform Algorithm="${c14n}"/></Transforms>` +
  `<DigestMethod Algorithm="${dsig}sha1"/><DigestValue>AAAAAAAAAAAAAAAAAAAAAAAAAAA=</DigestValue>` +
  '</Reference></SignedInfo><SignatureValue>AAAA</SignatureValue>' +
  '<KeyInfo><X509Data><X509Certificate>AAAA</X509Certificate></X509Data></KeyInfo></Signature>'
