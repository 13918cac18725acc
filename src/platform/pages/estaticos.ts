import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { serveStatic } from '../http/ready.ts'
import { icones } from './layout.ts'

/** A file that pages load. Its address has its hash, so that a browser may keep it for ever. */
type Estatico = { caminho: string; tipo: string; texto: string }

const HERE = new URL('./', import.meta.url)

const estatico = (nome: string, extensao: string, { tipo, texto }: Omit<Estatico, 'caminho'>): Estatico => ({
  caminho: `/estatico/${nome}.${hash('sha256', texto, 'base64url').slice(0, 10)}.${extensao}`,
  tipo,
  texto,
})

const shortenCss = (css: string): string => css.replace(/\/\*.*?\*\//gs, '').replace(/^\s+/gm, '')

function readEstilo(): string {
  const folder = new URL('estilo/', HERE)
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'))
  return shortenCss(
    files
      .sort()
      .map((name) => readLocal(`estilo/${name}`))
      .join(''),
  )
}

const readLocal = (path: string): string => readFileSync(new URL(path, HERE), 'utf8')

const desenhoDaMarca = String(icones.marca)
  .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replace('<path ', '<path fill="#0b6e4f" ')

export const estaticos = {
  estilo: estatico('estilo', 'css', { tipo: 'text/css', texto: readEstilo() }),
  sefaz: estatico('sefaz', 'js', { tipo: 'text/javascript', texto: readLocal('estatico/sefaz.js') }),
  rejeicoes: estatico('rejeicoes', 'js', {
    tipo: 'text/javascript',
    texto: readLocal('estatico/rejeicoes.js'),
  }),
  guia: estatico('guia', 'js', { tipo: 'text/javascript', texto: readLocal('estatico/guia.js') }),
  configuracoes: estatico('configuracoes', 'js', {
    tipo: 'text/javascript',
    texto: readLocal('estatico/configuracoes.js'),
  }),
  experimentar: estatico('experimentar', 'js', {
    tipo: 'text/javascript',
    texto: readLocal('estatico/experimentar.js'),
  }),
  referencia: estatico('referencia', 'css', {
    tipo: 'text/css',
    texto: shortenCss(readLocal('estilo/1-cores.css') + readLocal('estatico/referencia.css')),
  }),
  icone: estatico('icone', 'svg', { tipo: 'image/svg+xml', texto: desenhoDaMarca }),
} as const

export function serveEstaticos(app: FastifyInstance): void {
  const headers = {
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
  }
  for (const { caminho, tipo, texto } of Object.values(estaticos))
    serveStatic(app, caminho.slice(app.prefix.length), { type: tipo, headers, make: () => texto })
}
