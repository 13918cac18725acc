import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../docs/cnir-connector.mjs', import.meta.url))

/** The example of docs/cnir-connector.md as a process of its own. */
export type Example = { url: string; secret: string; stop: () => Promise<void> }

/** Starts it over answers by document. */
export async function startExample(records: Record<string, unknown>): Promise<Example> {
  const folder = mkdtempSync(join(tmpdir(), 'conector-'))
  const file = join(folder, 'registros.json')
  writeFileSync(file, JSON.stringify(records))
  const secret = 'um-segredo-de-exemplo-com-mais-de-32'
  const child = spawn(process.execPath, [PROGRAM, file], {
    env: { CNIR_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return {
    url: String(JSON.parse(String(line)).url),
    secret,
    stop: async () => {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
