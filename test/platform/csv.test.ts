import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import Fastify from 'fastify'
import { ApiError } from '../../src/platform/errors.ts'
import { type Celula, openDownloads, sendCsv } from '../../src/platform/pages/csv.ts'

type Lote = readonly (readonly Celula[])[]

/** Serves a file of these batches, and gives what a client gets. */
async function baixar(lotes: AsyncIterable<Lote>, cabecalho = ['Quando', 'Créditos']) {
  const app = Fastify()
  app.get('/', (_request, reply) => sendCsv(reply, { arquivo: 'extrato-2026-11.csv', cabecalho, lotes }))
  const { statusCode, headers, rawPayload } = await app.inject('/')
  await app.close()
  return { statusCode, headers, bytes: rawPayload, text: rawPayload.toString('utf8') }
}

const de = (...lotes: Lote[]): AsyncIterable<Lote> => Readable.from(lotes)

test('a file begins with the mark of UTF-8, parts its cells by semicolons and its lines by CRLF', async () => {
  const { bytes, text, headers } = await baixar(de([['São Paulo', 3]], [['Brasília', 1]]))
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
  assert.equal(text, '\uFEFFQuando;Créditos\r\nSão Paulo;3\r\nBrasília;1\r\n')
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(headers['content-disposition'], 'attachment; filename="extrato-2026-11.csv"')
  assert.equal(headers['cache-control'], 'no-store')
})

test('numbers and decimal text have a decimal comma, and no digit is lost', async () => {
  const { text } = await baixar(de([[-3, 1.5, { decimal: '0.195' }, { decimal: '-12.00' }]]), ['a'])
  assert.equal(text, '\uFEFFa\r\n-3;1,5;0,195;-12,00\r\n')
})

test('a text that a spreadsheet would calculate is shown, and what parts cells stands in quotes', async () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', 'a;b', 'a "b"', 'a\r\nb', '=a;"b"']
  const { text } = await baixar(de(formulas.map((formula) => [formula])), ['a'])
  assert.equal(
    text,
    `\uFEFFa\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\tx\r\n"a;b"\r\n"a ""b"""\r\n"a\r\nb"\r\n"'=a;""b"""\r\n`,
  )
})

test('a file without lines has its heading', async () => {
  assert.equal((await baixar(de())).text, '\uFEFFQuando;Créditos\r\n')
})

test('a failure before the first line is an answer of its own', async () => {
  const failing: AsyncIterable<Lote> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the database is away')) }),
  }
  const { statusCode, headers } = await baixar(failing)
  assert.equal(statusCode, 500)
  assert.equal(headers['content-disposition'], undefined)
})

test('a batch is made when the one before was taken, and none for a client that left', async () => {
  let made = 0
  const ended = Promise.withResolvers<void>()
  async function* endless(): AsyncGenerator<Lote> {
    try {
      for (;;) {
        made += 1
        yield [['x'.repeat(100_000)]]
      }
    } finally {
      ended.resolve()
    }
  }
  const app = Fastify()
  app.get('/', (_request, reply) => sendCsv(reply, { arquivo: 'x.csv', cabecalho: ['a'], lotes: endless() }))
  const response = await fetch(await app.listen({ port: 0 }))
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await app.close()
  await ended.promise
  assert.ok(made < 1_000, String(made))
})

test('an account takes two files at a time, whoever else does; when one ends, the next may come', async () => {
  const ler = openDownloads()
  const abrir = async (conta: string) => {
    const lotes = ler(conta, de([['a']], [['b']]))
    return { lotes, first: await lotes.next() }
  }
  const [one] = [await abrir('a'), await abrir('a'), await abrir('b')]
  await assert.rejects(
    abrir('a'),
    (error) => error instanceof ApiError && error.code === 'RATE_LIMIT_EXCEEDED',
  )
  await one.lotes.return()
  assert.equal((await abrir('a')).first.done, false)
})
