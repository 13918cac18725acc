import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { children } from '../kit/children.ts'
import { openServidor, publish, type Servidor } from '../kit/cnpj.ts'
import type { Said } from '../kit/processes.ts'
import { hear } from '../kit/processes.ts'

const raiz = mkdtempSync(join(tmpdir(), 'cnpj-baixar-'))
const script = fileURLToPath(new URL('../kit/children.ts', import.meta.url))
let servidor: Servidor

before(async () => {
  servidor = await openServidor()
  await publish(servidor, raiz, '2026-10')
})
after(async () => {
  await servidor.close()
  rmSync(raiz, { recursive: true })
})

/** Runs the command in a process of its own. */
function fiscalAlone(typed: string[], token = servidor.token): Promise<Said> {
  const argv = [script, 'cnpj-baixar', servidor.url, token, raiz, ...typed]
  return new Promise((resolve) => {
    execFile(process.execPath, argv, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

async function fiscalCnpj(
  typed: string[],
  token = servidor.token,
): Promise<{ code: unknown; out: string; err: string }> {
  const { code, stdout, stderr } = await hear(async () =>
    children['cnpj-baixar']?.(servidor.url, token, raiz, ...typed),
  )
  return { code, out: stdout, err: stderr }
}

test('"baixar" fills the data folder and says what to run next', async () => {
  const pasta = join(raiz, 'cnpj', 'zips', '2026-10')
  const { code, out, err } = await fiscalCnpj(['baixar'])
  assert.deepEqual(
    { code, out },
    {
      code: 0,
      out: `Competência 2026-10: 36 de 36 arquivos baixados em ${pasta}.\nPróximo passo: fiscal cnpj importar ${pasta}\n`,
    },
  )
  assert.match(err, /^Consultando 127\.0\.0\.1:\d+…\nCompetência 2026-10: .* GB em arquivos zip\n/)
  assert.equal(readdirSync(pasta).length, 36)
  assert.match((await fiscalCnpj(['baixar'])).out, /já estava completa/)
})

test('"baixar --json" answers with the vintage, its extraction and what was fetched', async () => {
  const pasta = join(raiz, 'outra')
  const { code, out, err } = await fiscalCnpj(['baixar', '--json', '--com-simples', '--pasta', pasta])
  const { bytes, ...resto } = JSON.parse(out)
  assert.ok(bytes > 100_000)
  assert.deepEqual(
    { code, err, resto },
    {
      code: 0,
      err: '',
      resto: {
        versao: '2026-10',
        extracao: 'D61010',
        pasta,
        zips: 37,
        baixados: 37,
        proximo: `fiscal cnpj importar ${pasta}`,
      },
    },
  )
})

test('the program itself says what is complete, and ends with code 1 after a failure', async () => {
  assert.match((await fiscalAlone(['baixar'])).stdout, /já estava completa/)
  assert.equal((await fiscalAlone(['baixar'], 'velho')).code, 1)
})

test('a failure of "baixar" ends with code 1 and says what to do, in JSON too', async () => {
  const { code, out, err } = await fiscalCnpj(['baixar'], 'velho')
  assert.deepEqual({ code, out }, { code: 1, out: '' })
  assert.match(err, /recusou o token.*CNPJ_WEBDAV_TOKEN/)
  const { tipo, erro } = JSON.parse((await fiscalCnpj(['baixar', '--json'], 'velho')).out)
  assert.equal(tipo, 'http')
  assert.match(erro, /CNPJ_WEBDAV_TOKEN/)
})
