import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'

/**
 * Plays `xmllint --noout --schema XSD FILE` for node-sped-nfe, which checks its messages with that program
 * before it sends them. It uses the same libxml2, from npm.
 */
const [, , , , schema = '', file = ''] = process.argv
xmlRegisterFsInputProviders()
const source = XmlDocument.fromString(readFileSync(schema, 'utf8'), { url: pathToFileURL(schema).href })
try {
  XsdValidator.fromDoc(source).validate(XmlDocument.fromString(readFileSync(file, 'utf8')))
  process.stderr.write(`${file} validates\n`)
} catch (error) {
  process.stderr.write(`${error}\n`)
  process.exitCode = 3
}
