import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { globalAgent } from 'node:https'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Tools } from 'node-sped-nfe'
import type { Stage } from './gateway.ts'

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
  const command = [process.execPath, fileURLToPath(import.meta.resolve('./xmllint.ts'))]
  const check = isChecked ? `exec '${command.join("' '")}' "$@"` : 'echo " .xml validates" >&2'
  await writeFile(xmllint, `#!/bin/sh\n${check}\n`, { mode: 0o755 })
  // Its types want a CPF as well. It would then send the CPF in the place of the CNPJ.
  return Reflect.construct(Tools, [
    { ...settings, versao: '4.00', xmllint },
    { pfx, senha: a1.item.senha },
  ])
}
