import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { children } from '../kit/children.ts'
import { empresa, estabelecimento, tempFolder, writePasta } from '../kit/cnpj.ts'
import { hear } from '../kit/processes.ts'

type Output = { code: number | null; out: string; err: string }

const program = fileURLToPath(new URL('../kit/children.ts', import.meta.url))

/** Runs `fiscal cnpj ...` on a base, as a process. `onText` hears what it writes, and may signal it. */
function fiscalAlone(raiz: string, args: string[], onText?: (kill: () => void) => void): Promise<Output> {
  const child = spawn(process.execPath, [program, 'cnpj', raiz, 'cnpj', ...args])
  const saida: Output = { code: null, out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    saida.out += text
    onText?.(() => child.kill('SIGINT'))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    saida.err += text
  })
  return new Promise((done) => child.once('close', (code) => done({ ...saida, code })))
}

/** Runs `fiscal cnpj ...` on a base. */
async function fiscal(raiz: string, args: string[]): Promise<Output> {
  const { code, stdout, stderr } = await hear(async () => children.cnpj?.(raiz, 'cnpj', ...args))
  return { code, out: stdout, err: stderr }
}

const zips = (t: TestContext, token: string) =>
  writePasta(tempFolder(t), {
    token,
    empresas: [empresa('11222333')],
    estabelecimentos: [estabelecimento('112223330001')],
  })

test('importar publishes and says what, versoes lists, ativar goes back', async (t) => {
  const raiz = tempFolder(t)
  const first = await fiscal(raiz, ['importar', await zips(t, 'D60912'), '--amostra'])
  assert.equal(first.code, 0, first.err)
  assert.match(first.out, /Versão 2026-09 no ar: 1 estabelecimentos, 1 empresas, 0 sócios/)
  assert.match(first.err, /Lendo os zips[\s\S]*Publicando[\s\S]*Conferências dispensadas/)
  await fiscal(raiz, ['importar', await zips(t, 'D61010'), '--amostra'])
  assert.match((await fiscal(raiz, ['versoes'])).out, /^\* +2026-10 +21\/11\/2026[\s\S]*^ +2026-09 /m)
  assert.match((await fiscal(raiz, ['ativar', '2026-09'])).out, /Versão 2026-09 ativada/)
  const missing = await fiscal(raiz, ['ativar', '2020-01'])
  assert.deepEqual([missing.code, /Não há versão 2020-01/.test(missing.err)], [1, true])
  const listed = (await fiscal(raiz, ['versoes', '--json'])).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    listed.map((one) => [one.pasta, one.ativa]),
    [
      ['2026-10', false],
      ['2026-09', true],
    ],
  )
})

test('with --json every line is an object, the last one the result or the error', async (t) => {
  const raiz = tempFolder(t)
  const pasta = await zips(t, 'D61010')
  const events = ({ out }: Output) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const done = events(await fiscal(raiz, ['importar', pasta, '--amostra', '--json']))
  assert.equal(done[0].evento, 'andamento')
  assert.equal(done.at(-1).evento, 'resultado')
  assert.equal(done.at(-1).manifesto.versao, '2026-10')
  const refused = await fiscal(raiz, ['importar', pasta, '--json'])
  assert.equal(refused.code, 1)
  assert.deepEqual(
    events(refused)
      .at(-1)
      .portoes.map((portao: { nome: string }) => portao.nome),
    ['arquivos', 'estabelecimentos', 'conhecidos'],
  )
})

test('a failed gate is told with what was seen and expected, and how to waive it', async (t) => {
  const { code, err } = await fiscal(tempFolder(t), ['importar', await zips(t, 'D61010')])
  assert.equal(code, 1)
  assert.match(
    err,
    /a anterior continua no ar[\s\S]*60\.000\.000 ou mais[\s\S]*--aceitar arquivos estabelecimentos conhecidos/,
  )
})

test('Ctrl-C stops an import cleanly, and the same command goes on', async (t) => {
  const raiz = tempFolder(t)
  const pasta = join(import.meta.dirname, '../../data/cnpj-amostra')
  const args = ['importar', pasta, '--amostra', '--json']
  const stopped = await fiscalAlone(raiz, args, (kill) => kill())
  assert.equal(stopped.code, 130)
  assert.match(stopped.err, /continuar de onde parou/)
  assert.equal((await fiscalAlone(raiz, args)).code, 0)
})
