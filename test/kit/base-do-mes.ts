import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startServidor } from './base-webdav-server.ts'
import { root } from './dockerfile.ts'
import { fiscal } from './fiscal.ts'

export type Fim = { code: number | null; said: string }

/** The Receita Federal's share with a month, and an empty data folder. */
export async function setup(t: TestContext) {
  const pasta = mkdtempSync(join(tmpdir(), 'base-do-mes-'))
  const servidor = await startServidor()
  t.after(async () => {
    await servidor.close()
    rmSync(pasta, { recursive: true, force: true })
  })
  const env = {
    DATA_DIR: join(pasta, 'dados'),
    CNPJ_WEBDAV_URL: servidor.url,
    CNPJ_WEBDAV_TOKEN: servidor.token,
  }
  /** Runs the script; `meanwhile` may stop it, as systemd does it. */
  const run = (meanwhile: (kill: () => void) => void = () => {}): Promise<Fim> =>
    new Promise((resolve) => {
      const child = spawn('sh', [join(root, 'deploy/base-do-mes.sh'), '--amostra'], {
        cwd: pasta,
        detached: true,
        env: { PATH: process.env.PATH, NODE: process.execPath, ...env },
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          said += chunk
        })
      child.once('close', (code) => resolve({ code, said }))
      meanwhile(() => process.kill(-(child.pid ?? 0), 'SIGTERM'))
    })
  const versoes = async () => {
    const { stdout } = await fiscal(env, 'cnpj', 'versoes', '--json')
    const lines = stdout.split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line)).map(({ pasta, ativa }) => `${pasta}${ativa ? ' *' : ''}`)
  }
  return { pasta, servidor, zips: join(env.DATA_DIR, 'cnpj/zips'), run, versoes }
}
