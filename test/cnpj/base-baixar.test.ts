import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { type Baixa, downloadRemessa, findRemessa } from '../../src/cnpj/base/remessa.ts'
import { openShare, type ShareOptions } from '../../src/cnpj/base/webdav.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { type Falha, openServidor, publish, type Servidor } from '../kit/cnpj.ts'

const raiz = mkdtempSync(join(tmpdir(), 'baixar-'))
const GRANDE = 'Estabelecimentos0.zip'
let servidor: Servidor
let zips: Map<string, Buffer>
let grande: Buffer
let pasta: string
let esperas: number[]

before(async () => {
  servidor = await openServidor()
  await publish(servidor, raiz, '2026-09')
  zips = await publish(servidor, raiz, '2026-10')
  grande = zips.get(GRANDE) ?? Buffer.alloc(0)
})
after(async () => {
  await servidor.close()
  rmSync(raiz, { recursive: true })
})
beforeEach(() => {
  pasta = mkdtempSync(join(raiz, 'zips-'))
  servidor.falhas.clear()
  servidor.propfind = undefined
  servidor.pedidos = []
  for (const [nome, conteudo] of zips) servidor.arquivos.set(`2026-10/${nome}`, conteudo)
  esperas = []
})

type Extras = Partial<ShareOptions> & {
  versao?: string
  simples?: boolean
  freeBytes?: () => Promise<number>
}

async function baixar({ versao, simples = false, freeBytes, ...options }: Extras = {}): Promise<Baixa> {
  const { signal } = new AbortController()
  const wait = async (ms: number): Promise<void> => void esperas.push(ms)
  const http = openTransport({ mode: 'live', ca: [], hosts: {} })
  const share = openShare(http, { url: servidor.url, token: servidor.token, signal, wait, ...options })
  try {
    const remessa = await findRemessa(share, { ...(versao ? { versao } : {}), simples })
    return await downloadRemessa(share, remessa, { pasta, ...(freeBytes ? { freeBytes } : {}) })
  } finally {
    await http.close()
  }
}

function falhar(...falhas: Falha[]): void {
  servidor.falhas.set(`2026-10/${GRANDE}`, falhas)
}

function ranges(): string[] {
  const inicio = `GET 2026-10/${GRANDE} bytes=`
  return servidor.pedidos.flatMap((p) =>
    p.startsWith(inicio) && p.endsWith('-') ? [p.slice(inicio.length)] : [],
  )
}

function assertBaixados(esperados = 36): void {
  assert.equal(readdirSync(pasta).length, esperados)
  for (const nome of readdirSync(pasta))
    assert.ok(readFileSync(join(pasta, nome)).equals(zips.get(nome) ?? Buffer.alloc(0)), nome)
}

const kind = (expected: string, message: RegExp) => (error: unknown) =>
  error instanceof SourceError && error.kind === expected && message.test(error.message)

test('the newest vintage is fetched whole, without Simples unless asked', async () => {
  assert.deepEqual({ ...(await baixar()), bytes: 0 }, { pasta, bytes: 0, zips: 36, baixados: 36 })
  assertBaixados()
  assert.equal((await baixar({ simples: true })).baixados, 1)
  assertBaixados(37)
})

test('a vintage that is complete is not fetched again', async () => {
  await baixar()
  servidor.pedidos = []
  assert.equal((await baixar()).baixados, 0)
  assert.deepEqual(ranges(), [])
})

test('an older vintage is fetched when asked for, and a missing one is refused with what there is', async () => {
  await baixar({ versao: '2026-09' })
  assert.ok(!readFileSync(join(pasta, GRANDE)).equals(grande))
  await assert.rejects(baixar({ versao: '2026-01' }), kind('parse', /2026-01.*Disponíveis: 2026-09, 2026-10/))
})

test('a zip left in part goes on from its last byte', async () => {
  writeFileSync(join(pasta, `${GRANDE}.part`), grande.subarray(0, 1000))
  await baixar()
  assert.deepEqual(ranges(), ['1000-'])
  assertBaixados()
})

test('a connection cut midway goes on from the last byte that came', async () => {
  falhar({ tipo: 'corta', depois: 3000 }, { tipo: 'corta', depois: 2000 })
  await baixar()
  assert.equal(ranges()[0], '0-')
  assert.equal(ranges().length, 3)
  assertBaixados()
})

test('a body shorter than the zip, ended as if whole, is completed', async () => {
  falhar({ tipo: 'encurta', depois: 2500 })
  await baixar()
  assert.deepEqual(ranges(), ['0-', '2500-'])
  assertBaixados()
})

test('a connection that goes silent is given up and resumed', async () => {
  falhar({ tipo: 'para', depois: 4096 })
  await baixar({ idleMs: 300 })
  assert.deepEqual(ranges(), ['0-', '4096-'])
  assertBaixados()
})

test('a server error is tried again, waiting longer each time', async () => {
  falhar({ tipo: 'status', status: 500 }, { tipo: 'status', status: 503 }, { tipo: 'status', status: 500 })
  await baixar()
  assert.deepEqual(esperas, [1000, 2000, 5000])
  assertBaixados()
})

test('a server that keeps failing is given up after the attempts, and what came stays', async () => {
  const status: Falha = { tipo: 'status', status: 500 }
  falhar({ tipo: 'corta', depois: 500 }, status, status, status)
  await assert.rejects(baixar({ attempts: 3 }), kind('http', /HTTP 500/))
  assert.ok(existsSync(join(pasta, `${GRANDE}.part`)))
  assert.ok(!existsSync(join(pasta, GRANDE)))
  servidor.falhas.clear()
  await baixar()
  assertBaixados()
})

test('a server that ignores the range makes the zip start over, never mixed', async () => {
  writeFileSync(join(pasta, `${GRANDE}.part`), Buffer.alloc(1000, 7))
  falhar({ tipo: 'ignora-range' })
  await baixar()
  assertBaixados()
})

test('a zip with a corrupt end is fetched again, and refused the second time', async () => {
  falhar({ tipo: 'corrompe' })
  await baixar()
  assertBaixados()
  rmSync(join(pasta, GRANDE))
  falhar({ tipo: 'corrompe' }, { tipo: 'corrompe' })
  await assert.rejects(baixar(), kind('parse', /corrompido duas vezes/))
  assert.ok(!existsSync(join(pasta, GRANDE)))
})

test('a folder with zips of two extractions is refused before anything is fetched', async () => {
  servidor.arquivos.set(
    '2026-10/Socios3.zip',
    servidor.arquivos.get('2026-09/Socios3.zip') ?? Buffer.alloc(0),
  )
  await assert.rejects(baixar(), kind('parse', /D60912 \(Socios3\.zip\).*Nada foi baixado/))
  assert.deepEqual(readdirSync(pasta), [])
})

test('an incomplete folder is refused with the name of what is missing', async () => {
  servidor.arquivos.delete('2026-10/Motivos.zip')
  await assert.rejects(baixar(), kind('parse', /falta Motivos\.zip/))
})

test('a wrong token and a moved address say which setting to change', async () => {
  await assert.rejects(baixar({ token: 'velho' }), kind('http', /CNPJ_WEBDAV_TOKEN/))
  servidor.propfind = { status: 404 }
  await assert.rejects(baixar(), kind('http', /CNPJ_WEBDAV_URL/))
  servidor.propfind = { status: 200 }
  await assert.rejects(baixar(), kind('parse', /CNPJ_WEBDAV_URL/))
})

test('a disk without room is refused before anything is fetched', async () => {
  await assert.rejects(baixar({ freeBytes: async () => 1000 }), /Falta espaço/)
  assert.deepEqual(readdirSync(pasta), [])
})

test('a download killed at once goes on in the next run', async () => {
  falhar({ tipo: 'para', depois: 5000 })
  const argv = ['download', servidor.url, servidor.token, pasta]
  const child = fork(new URL('../kit/children.ts', import.meta.url), argv, { execArgv: [] })
  const morto = new AbortController()
  child.once('exit', () => morto.abort())
  for await (const [aviso] of on(child, 'message', { signal: morto.signal }))
    if (aviso.nome === GRANDE && aviso.have >= 5000) break
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.ok(!existsSync(join(pasta, GRANDE)))
  servidor.pedidos = []
  await baixar()
  assert.deepEqual(ranges(), ['5000-'])
  assertBaixados()
})
