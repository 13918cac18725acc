import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { publish } from '../base-cnpj/baixar/remessa.ts'
import { startServidor } from '../base-cnpj/baixar/webdav-server.ts'
import { root } from './dockerfile.ts'
import { fiscal } from './fiscal.ts'

type Fim = { code: number | null; said: string }

/** The Receita Federal's share with a month, and an empty data folder. */
async function setup(t: TestContext) {
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

test('the base of the month is downloaded and imported once, and the next one when it is published', async (t) => {
  const { pasta, servidor, zips, run, versoes } = await setup(t)
  await publish(servidor, pasta, '2026-10')
  const first = await run()
  assert.equal(first.code, 0, first.said)
  assert.deepEqual([await versoes(), readdirSync(zips)], [['2026-10 *'], []])
  const asked = servidor.pedidos.filter((one) => one.endsWith('bytes=0-')).length
  const second = await run()
  assert.deepEqual([second.code, second.said], [0, 'A base de 2026-10 já foi importada.\n'])
  assert.equal(
    servidor.pedidos.filter((one) => one.endsWith('bytes=0-')).length,
    asked,
    'nothing is downloaded',
  )
  await publish(servidor, pasta, '2026-11')
  const third = await run()
  assert.equal(third.code, 0, third.said)
  assert.deepEqual(await versoes(), ['2026-11 *', '2026-10'])
})

test('a share that refuses is told, with code 1, so that the timer shows it', async (t) => {
  const { servidor, run, versoes } = await setup(t)
  servidor.propfind = { status: 401 }
  const { code, said } = await run()
  assert.equal(code, 1)
  assert.match(said, /CNPJ_WEBDAV_TOKEN/)
  assert.deepEqual(await versoes(), [])
})

test('a download that is stopped by SIGTERM goes on at the next run', async (t) => {
  const { pasta, servidor, zips, run, versoes } = await setup(t)
  await publish(servidor, pasta, '2026-10')
  servidor.falhas.set('2026-10/Empresas5.zip', [{ tipo: 'para', depois: 20 }])
  const halted = await run((kill) => {
    const look = (): void => {
      if (servidor.pedidos.some((one) => one.endsWith('Empresas5.zip bytes=0-'))) kill()
      else setImmediate(look)
    }
    look()
  })
  assert.notEqual(halted.code, 0)
  assert.deepEqual(await versoes(), [])
  assert.ok(existsSync(join(zips, '2026-10')), 'what was downloaded stays')
  const again = await run()
  assert.equal(again.code, 0, again.said)
  assert.deepEqual(await versoes(), ['2026-10 *'])
})
