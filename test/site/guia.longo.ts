import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { load } from 'cheerio'
import { pausa } from '../kit/basics.ts'
import { start } from '../kit/house.ts'
import { startChild } from '../kit/processes.ts'

const open = { key: null } as const

test('two nodes draw the same page, so that a copy of one is good at the other', async (t) => {
  const env = { PUBLIC_URL: 'https://exemplo.com.br' }
  const nodes = [await start(env), await start(env)]
  t.after(() => Promise.all(nodes.map((node) => node.close())))
  const pages = await Promise.all(nodes.map((node) => node.ask('/docs/consultar-nfe-xml/', open)))
  const [one, other] = pages.map(({ headers }) => headers.get('etag'))
  assert.ok(one)
  assert.equal(one, other)
})

test('with PUBLIC_URL, links have its prefix, and examples its address', async (t) => {
  const named = await start({ PUBLIC_URL: 'https://exemplo.com.br/fiscal/' })
  t.after(() => named.close())
  const page = load((await named.ask('/docs/', open)).text)
  for (const one of page('[href], [src], [action]').get()) {
    const to = page(one).attr('href') ?? page(one).attr('src') ?? page(one).attr('action') ?? ''
    assert.match(to, /^(#|(https:\/\/exemplo\.com\.br)?\/fiscal\/)/, to)
  }
  assert.equal(page('link[rel="canonical"]').attr('href'), 'https://exemplo.com.br/fiscal/docs/')
  assert.match(page('pre').text(), /https:\/\/exemplo\.com\.br\/fiscal\/api\/consultar/)
  assert.match(
    (await named.ask('/docs/erros.md', open)).text,
    /\(https:\/\/exemplo\.com\.br\/fiscal\/erros\)/,
  )
  assert.match(
    (await named.ask('/sitemap.xml', open)).text,
    /<loc>https:\/\/exemplo\.com\.br\/fiscal\/docs\/erros\//,
  )
  assert.equal((await named.ask('/docs', open)).headers.get('location'), '/fiscal/docs/')
})

describe('the guide is made', () => {
  /** The programs that this process starts until the test is over. */
  function listarProgramas(t: TestContext): ChildProcess[] {
    const programas: ChildProcess[] = []
    const guardar = (message: unknown): void => void programas.push(Object(message).process)
    channel('child_process').subscribe(guardar)
    t.after(() => channel('child_process').unsubscribe(guardar))
    return programas
  }

  test('at the start: the first reader finds it ready', async (t) => {
    const nova = await start()
    t.after(() => nova.close())
    const programas = listarProgramas(t)
    await nova.warm()
    assert.equal(programas.length, 1)
    assert.equal((await nova.ask('/docs/limites/', open)).status, 200)
    assert.equal((await nova.ask('/docs/busca/?q=limites', open)).status, 200)
    assert.equal(programas.length, 1)
  })

  test('once: a reader who comes earlier waits for what the start began', async (t) => {
    const nova = await start()
    t.after(() => nova.close())
    const programas = listarProgramas(t)
    const preparo = nova.warm()
    assert.equal((await nova.ask('/docs/limites/', open)).status, 200)
    await preparo
    assert.equal(programas.length, 1)
  })

  test('by the program itself, which listens before', async (t) => {
    const pasta = mkdtempSync(join(tmpdir(), 'guia-'))
    t.after(() => rmSync(pasta, { recursive: true, force: true }))
    const env = { DATA_DIR: pasta, PORT: '0', LOG_LEVEL: 'debug', SEFAZ_MONITOR: 'desligado' }
    const program = startChild('bin/servidor.js', [], pasta, env)
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/as páginas estão preparadas/)
    assert.match(program.said(), /http:\/\/127\.0\.0\.1:\d+[\s\S]*as páginas estão preparadas/)
    assert.equal(await program.stop(), 0)
  })

  test('no longer by a service that stops: the program that read it is gone with it', async (t) => {
    const nova = await start()
    const programas = listarProgramas(t)
    const preparo = nova.warm()
    while (programas.length === 0) await pausa()
    await nova.close()
    const [leitor] = programas
    assert.equal(leitor?.signalCode, 'SIGTERM')
    assert.throws(() => process.kill(Number(leitor?.pid), 0), { code: 'ESRCH' })
    await preparo
  })
})
