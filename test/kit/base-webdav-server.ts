import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What a GET of a file should do once, in the place of a good answer. */
export type Falha =
  | { tipo: 'status'; status: number }
  /** Sends this many of the requested bytes and breaks the connection. */
  | { tipo: 'corta'; depois: number }
  /** Sends this many bytes and then nothing more, without closing. */
  | { tipo: 'para'; depois: number }
  /** Sends this many bytes without announcing their number, and ends as if that were all. */
  | { tipo: 'encurta'; depois: number }
  /** Answers 200 with the whole file, whatever range the client asked for. */
  | { tipo: 'ignora-range' }
  /** Sends other bytes in the place of the file's last ones. */
  | { tipo: 'corrompe' }

/**
 * A share with the WebDAV subset of the authority's server (Nextcloud), for tests. It listens on a free port
 * of the loopback.
 */
export type Servidor = {
  url: string
  token: string
  /** Files by path, `2026-10/Cnaes.zip`. */
  arquivos: Map<string, Buffer>
  /** The faults of a file's next open-ended GETs, first to last. After them it answers well. */
  falhas: Map<string, Falha[]>
  /** Status of every PROPFIND instead of 207. */
  propfind: { status: number } | undefined
  /** Every request as `GET 2026-10/Cnaes.zip bytes=0-`. */
  pedidos: string[]
  close: () => Promise<void>
}

/** Starts the server. Its XML has a prefix of its own (`x:`), since readers must go by local names. */
export async function startServidor(): Promise<Servidor> {
  const token = 'TokenDeTeste123'
  const server = createServer((request, response) => answer(servidor, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const servidor: Servidor = {
    url: `http://127.0.0.1:${port}/public.php/webdav/`,
    token,
    arquivos: new Map(),
    falhas: new Map(),
    propfind: undefined,
    pedidos: [],
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return servidor
}

function answer(servidor: Servidor, request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  const path = decodeURIComponent(request.url ?? '').replace('/public.php/webdav/', '')
  servidor.pedidos.push(`${request.method} ${path} ${request.headers.range ?? ''}`.trim())
  const expected = `Basic ${Buffer.from(`${servidor.token}:`).toString('base64')}`
  if (request.headers.authorization !== expected) response.writeHead(401).end()
  else if (request.method === 'PROPFIND') propfind(servidor, path, response)
  else get(servidor, path, request.headers.range ?? '', response)
}

function propfind({ arquivos, propfind: forced }: Servidor, path: string, response: ServerResponse): void {
  const inside = [...arquivos].filter(([name]) => name.startsWith(path))
  if (forced || (inside.length === 0 && path !== '')) {
    response.writeHead(forced?.status ?? 404).end('<html>não é WebDAV</html>')
    return
  }
  const folders = new Set(path === '' ? inside.map(([name]) => name.split('/')[0] ?? '') : [])
  const entries = [
    entry(path, '<x:resourcetype><x:collection/></x:resourcetype>'),
    ...[...folders].map((name) => entry(`${name}/`, '<x:resourcetype><x:collection/></x:resourcetype>')),
    ...(path === ''
      ? []
      : inside.map(([name, { length }]) =>
          entry(name, `<x:getcontentlength>${length}</x:getcontentlength>`),
        )),
  ]
  response.writeHead(207, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><x:multistatus xmlns:x="DAV:">${entries.join('')}</x:multistatus>`)
}

function entry(path: string, prop: string): string {
  const good = `<x:propstat><x:prop>${prop}</x:prop><x:status>HTTP/1.1 200 OK</x:status></x:propstat>`
  const missing =
    '<x:propstat><x:prop><x:quota/></x:prop><x:status>HTTP/1.1 404 Not Found</x:status></x:propstat>'
  return `<x:response><x:href>/public.php/webdav/${path}</x:href>${missing}${good}</x:response>`
}

function get(servidor: Servidor, path: string, range: string, response: ServerResponse): void {
  const content = servidor.arquivos.get(path)
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  const falha = last === '' ? servidor.falhas.get(path)?.shift() : undefined
  if (!content || falha?.tipo === 'status') {
    response.writeHead(falha?.tipo === 'status' ? falha.status : 404).end()
    return
  }
  if (falha?.tipo === 'ignora-range') {
    response.writeHead(200, { 'content-length': content.length }).end(content)
    return
  }
  const end = last === '' ? content.length - 1 : Number(last)
  const body = Buffer.from(content.subarray(Number(first), end + 1))
  if (falha?.tipo === 'corrompe') body.fill(0x58, Math.max(0, body.length - 200))
  response.writeHead(206, {
    ...(falha?.tipo === 'encurta' ? {} : { 'content-length': body.length }),
    'content-range': `bytes ${first}-${end}/${content.length}`,
  })
  if (falha?.tipo === 'corta') response.write(body.subarray(0, falha.depois), () => response.destroy())
  else if (falha?.tipo === 'encurta') response.end(body.subarray(0, falha.depois))
  else if (falha?.tipo === 'para') response.write(body.subarray(0, falha.depois))
  else response.end(body)
}
