import type { Pedido } from '../platform/autoridade.ts'
import { lerFormulario } from './charset.ts'
import type { Definicao } from './definicao.ts'

/** The fields of a request, by its form or its JSON object, and its cookies. */
export type Lido = {
  campos: ReadonlyMap<string, string>
  json: unknown
  cookies: ReadonlyMap<string, string>
}

/**
 * Reads the body and the cookies. What stands behind a single-page application takes JSON, all others take
 * forms: a body of another media type, or one that cannot be read, has no fields.
 */
export function lerPedido(
  { cabecalhos, corpo }: Pedido,
  { charset, motor }: Pick<Definicao, 'charset' | 'motor'>,
): Lido {
  const media = (cabecalhos['content-type'] ?? '').toLowerCase().replace(/\s*;.*/, '')
  const ehJson = motor === 'spa' && JSON_.test(media)
  const ehFormulario = motor !== 'spa' && media === FORMULARIO
  const json = ehJson ? lerJson(corpo.toString()) : undefined
  return {
    campos: ehFormulario ? lerFormulario(corpo, charset) : camposDoJson(json),
    json,
    cookies: lerCookies(cabecalhos.cookie ?? ''),
  }
}

const FORMULARIO = 'application/x-www-form-urlencoded'
const JSON_ = /^application\/(?:[\w.-]+\+)?json$/

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
