import { ParseOption, XmlDocument, XmlParseError } from 'libxml2-wasm'

/** An XML that is not well formed: where it breaks, from 1. */
export type Malformado = { linha: number; coluna: number }

/** A text is UTF-8 already, whatever it declares. */
const opcoes = { option: ParseOption.XML_PARSE_IGNORE_ENC | ParseOption.XML_PARSE_NO_XXE }

/** Parses a text, whatever encoding it declares. The document belongs to the caller. */
export function lerDocumento(texto: string): XmlDocument | Malformado {
  try {
    // The library writes a text into its memory sign by sign, which takes half as long as to parse it.
    return texto.isWellFormed()
      ? XmlDocument.fromBuffer(Buffer.from(texto), opcoes)
      : XmlDocument.fromString(texto, opcoes)
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error
    const [primeiro] = error.details
    return { linha: primeiro?.line ?? 1, coluna: primeiro?.col ?? 1 }
  }
}
