/** The text of a file, and what its reader should know of how it was read. */
export type TextoLido = { xml: string; avisos: readonly string[] }

const utf8 = new TextDecoder('utf-8', { fatal: true })
const latin1 = new TextDecoder('windows-1252')

const NAO_E_UTF8 =
  'O arquivo não está em UTF-8, como a SEFAZ exige (rejeição 402). Nós o lemos como Windows-1252; grave-o em UTF-8 antes de transmitir.'

/** Reads the bytes of a file: UTF-8, or else the encoding of old programs for Windows. */
export function textoDosBytes(bytes: Uint8Array): TextoLido {
  return textoUtf8(bytes) ?? textoLatin1(bytes)
}

/** Undefined where the bytes are no UTF-8. A mark of the byte order is no part of the text. */
export function textoUtf8(bytes: Uint8Array): TextoLido | undefined {
  try {
    return { xml: utf8.decode(bytes), avisos: [] }
  } catch {
    return undefined
  }
}

/** Windows-1252, of which ISO-8859-1 is a part. What has no accent is the same in UTF-8. */
export const textoLatin1 = (bytes: Uint8Array): TextoLido => ({
  xml: latin1.decode(bytes),
  avisos: bytes.some((byte) => byte > 0x7f) ? [NAO_E_UTF8] : [],
})
