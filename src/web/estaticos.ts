import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { serveStatic } from '../api/http/static-body.ts'
import { icones } from './icones.ts'

/** A file that pages load. Its address has its hash, so that a browser may keep it for ever. */
type Estatico = { caminho: string; tipo: string; texto: string }

const HERE = new URL('./', import.meta.url)

const estatico = (nome: string, extensao: string, { tipo, texto }: Omit<Estatico, 'caminho'>): Estatico => ({
  caminho: `/estatico/${nome}.${hash('sha256', texto, 'base64url').slice(0, 10)}.${extensao}`,
  tipo,
  texto,
})

/** The files of the style in their order, without comments and indents. */
function lerEstilo(): string {
  const folder = new URL('estilo/', HERE)
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'))
  const text = files.sort().map((name) => readFileSync(new URL(name, folder), 'utf8'))
  return text
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/^\s+/gm, '')
}

const lerModulo = (nome: string): string => readFileSync(new URL(`estatico/${nome}`, HERE), 'utf8')

const desenhoDaMarca = String(icones.marca)
  .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replace('<path ', '<path fill="#0b6e4f" ')

/** What the pages load, from our own host alone. */
export const estaticos = {
  estilo: estatico('estilo', 'css', { tipo: 'text/css', texto: lerEstilo() }),
  sefaz: estatico('sefaz', 'js', { tipo: 'text/javascript', texto: lerModulo('sefaz.js') }),
  icone: estatico('icone', 'svg', { tipo: 'image/svg+xml', texto: desenhoDaMarca }),
} as const

/** Serves them, each with its gzip form made once. */
export function servirEstaticos(app: FastifyInstance): void {
  const headers = {
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
  }
  for (const { caminho, tipo, texto } of Object.values(estaticos))
    serveStatic(app, caminho.slice(app.prefix.length), { type: tipo, headers, make: () => texto })
}
