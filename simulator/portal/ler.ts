import type { Pedido } from '../autoridade.ts'
import { type Charset, lerFormulario } from './charset.ts'

/** What a request says, read: fields of a form or of a JSON object, and cookies. */
export type Lido = {
  campos: ReadonlyMap<string, string>
  json: unknown
  cookies: ReadonlyMap<string, string>
}

/** Reads the body by its media type, and the cookies; what cannot be read is left out. */
export function lerPedido({ cabecalhos, corpo }: Pedido, charset: Charset): Lido {
  const emJson = /^application\/(?:[\w.-]+\+)?json/i.test(cabecalhos['content-type'] ?? '')
  const json = emJson ? lerJson(corpo.toString()) : undefined
  return {
    campos: emJson ? camposDoJson(json) : lerFormulario(corpo, charset),
    json,
    cookies: lerCookies(cabecalhos.cookie ?? ''),
  }
}

function lerJson(texto: string): unknown {
  try {
    return JSON.parse(texto)
  } catch {
    return undefined
  }
}

function camposDoJson(json: unknown): Map<string, string> {
  const entradas = typeof json === 'object' && json !== null ? Object.entries(json) : []
  return new Map(
    entradas.flatMap(([nome, valor]: [string, unknown]) =>
      typeof valor === 'string' || typeof valor === 'number' ? [[nome, String(valor)] as const] : [],
    ),
  )
}

function lerCookies(texto: string): Map<string, string> {
  return new Map(
    texto.split(/;\s*/).flatMap((par) => {
      const igual = par.indexOf('=')
      return igual > 0 ? [[par.slice(0, igual), par.slice(igual + 1)] as const] : []
    }),
  )
}
