import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import type { Autoridade, Pedido } from '../../simulator/platform/autoridade.ts'
import { SourceError, type SourceErrorKind } from '../../src/platform/wire/fonte.ts'
import type { Ask } from '../../src/platform/wire/http.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

export const HOST = 'nfe.sefaz.test'
export const OTHER = 'portal.sefaz.test'

type Responder = (...call: Parameters<Autoridade['answer']>) => unknown
const pages: Record<string, Responder> = {
  '/eco': ({ corpo, chamador }, reply) =>
    reply.end(JSON.stringify({ corpo: corpo.toString(), quem: chamador?.documento ?? '' })),
  '/nunca': () => {},
  '/pela-metade': (_, reply) => void reply.writeHead(200).write('<a>'),
  '/derruba': ({ conexao }) => conexao.drop(),
  '/derruba-no-meio': ({ conexao }, reply) => {
    reply.writeHead(200, { 'content-length': 100 }).write('<a>', () => conexao.drop())
  },
  '/recusa-tls': ({ conexao }) => conexao.refuseTls(),
  '/grande': (_, reply) => reply.end(Buffer.alloc(3 * 1024 * 1024)),
  '/bomba': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(3 * 1024 * 1024))),
  '/comprimida': (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('olá')),
  '/comprimida-e-cortada': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync('olá').subarray(0, 15)),
  '/deflate': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateRawSync('olá')),
  '/latin1': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-1' })
      .end(Buffer.from('São João', 'latin1')),
  '/latin1-sem-dizer': (_, reply) =>
    reply.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.from('São João', 'latin1')),
  '/latin1-no-xml': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(Buffer.from("\n<?xml version='1.0' encoding='ISO-8859-1'?><a>São João</a>", 'latin1')),
  '/utf16-no-xml': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/xml' })
      .end('<?xml version="1.0" encoding="utf-16"?><a>São João</a>'),
  '/entrar': (_, reply) =>
    reply
      .writeHead(302, { location: '/dentro?x=1', 'set-cookie': ['sessao=abc; Path=/', 'outra=1; Path=/so'] })
      .end(),
  '/dentro': ({ cabecalhos, metodo }, reply) => reply.end(`${metodo} ${cabecalhos.cookie ?? ''}`),
  '/repetir': (_, reply) => reply.writeHead(307, { location: '/eco' }).end(),
  '/para-outro': (_, reply) => reply.writeHead(307, { location: `https://${OTHER}/eco` }).end(),
  '/sem-tls': (_, reply) => reply.writeHead(307, { location: `http://${HOST}/eco` }).end(),
  '/roda': (_, reply) => reply.writeHead(302, { location: '/roda' }).end(),
}

/** A GET of a page of these authorities, within 10 seconds. */
export const ask = (path: string, more: Partial<Ask> = {}): Ask => ({
  source: { id: 'teste', nome: 'A SEFAZ de teste' },
  method: 'GET',
  url: path.startsWith('http') ? path : `https://${HOST}${path}`,
  deadlineMs: 10_000,
  repeatable: true,
  ...more,
})

/** Two authorities with these pages behind a gateway, and their transport, for the tests of one file. */
export function openTransporte() {
  let house: StandIn
  /** The requests that reached the authorities. */
  let seen: Pedido[] = []

  const play = (hosts: string[], asksCertificado: boolean): Autoridade => ({
    nome: 'teste',
    hosts,
    asksCertificado,
    answer: (pedido, reply) => {
      seen.push(pedido)
      pages[pedido.caminho]?.(pedido, reply)
    },
  })

  before(async () => {
    house = await startStandIn([play([HOST, 'localhost'], true), play([OTHER], false)])
  })
  after(() => house.close())

  const fails = async (asked: Ask, kind: SourceErrorKind, http = house.http): Promise<SourceError> => {
    const error = await http.send(asked).then(
      () => assert.fail('it should fail'),
      (thrown) => thrown,
    )
    assert.ok(error instanceof SourceError, String(error))
    assert.equal(error.kind, kind)
    assert.equal(error.source, 'teste')
    assert.equal(typeof error.elapsedMs, 'number')
    assert.match(error.message, /^A SEFAZ de teste /)
    return error
  }

  const count = (path: string): number => seen.filter(({ caminho }) => caminho === path).length
  return {
    house: () => house,
    seen: () => seen,
    forget: () => {
      seen = []
    },
    play,
    fails,
    count,
  }
}
