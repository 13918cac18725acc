import { gunzipSync } from 'node:zlib'
import { codeOf } from '../platform/wire/fonte.ts'

/** The largest document that is unpacked. An NF-e has up to 500 kB (MOC 7.0, rule of 214). */
const MAX_BYTES = 4 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A document, or its defect as a Portuguese clause. */
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
