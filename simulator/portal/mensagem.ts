import type { Mensagem, Pedido } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import type { Definicao, OpcoesDaPagina } from './pedido.ts'

/** What is called ISO-8859-1 on the web is windows-1252 (WHATWG Encoding, 4.2). */
export type Charset = 'utf-8' | 'iso-8859-1'

const latin1 = new TextDecoder('windows-1252')

/** The fields of a form body, in octets of that charset; the last of equal names counts. */
function readFormulario(corpo: Buffer, charset: Charset): Map<string, string> {
  const campos = new Map<string, string>()
  for (const par of corpo.toString('latin1').split('&')) {
    if (par === '') continue
    const igual = par.indexOf('=')
    const [nome, valor] = igual < 0 ? [par, ''] : [par.slice(0, igual), par.slice(igual + 1)]
    campos.set(decode(nome, charset), decode(valor, charset))
  }
  return campos
}

/** A text in octets of that charset. A letter that ISO-8859-1 lacks becomes an HTML entity. */
export function encode(texto: string, charset: Charset): Buffer {
  if (charset === 'utf-8') return Buffer.from(texto)
  return Buffer.from(
    texto.replace(/[^\0-\xff]/gu, (letra) => `&#${letra.codePointAt(0)};`),
    'latin1',
  )
}

function decode(texto: string, charset: Charset): string {
  const octetos = texto
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hexa: string) => String.fromCharCode(Number.parseInt(hexa, 16)))
  const cru = Buffer.from(octetos, 'latin1')
  return charset === 'utf-8' ? cru.toString() : latin1.decode(cru)
}

type Escrita = Pick<Definicao, 'charset' | 'declaresCharset' | 'motor'>

const SERVIDOR = {
  asp: { server: 'Microsoft-IIS/8.5', 'x-powered-by': 'ASP.NET' },
  'asp.net': { server: 'Microsoft-IIS/10.0', 'x-aspnet-version': '4.0.30319', 'x-powered-by': 'ASP.NET' },
  java: { server: 'Apache-Coyote/1.1' },
  php: { server: 'Apache', 'x-powered-by': 'PHP/7.4.33' },
  spa: { server: 'nginx' },
} as const satisfies Record<Definicao['motor'], Record<string, string>>

export function writeTexto(escrita: Escrita, tipo: string, texto: string, status = 200): Mensagem {
  const { charset, declaresCharset = true, motor } = escrita
  return {
    status,
    cabecalhos: {
      'content-type': declaresCharset ? `${tipo}; charset=${charset}` : tipo,
      ...SERVIDOR[motor],
    },
    corpo: encode(texto, charset),
  }
}

export function writeHtml(
  escrita: Escrita,
  titulo: string,
  corpo: string,
  { status, cabeca = '' }: OpcoesDaPagina = {},
): Mensagem {
  const html =
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\r\n' +
    `<html>\r\n<head>\r\n<title>${escapeXml(titulo)}</title>\r\n${cabeca}</head>\r\n<body>\r\n${corpo}\r\n</body>\r\n</html>\r\n`
  return writeTexto(escrita, 'text/html', html, status)
}

/** JSON, always in UTF-8 (RFC 8259, 8.1). */
export const writeJson = ({ motor }: Escrita, valor: unknown, status = 200): Mensagem => ({
  status,
  cabecalhos: { 'content-type': 'application/json', ...SERVIDOR[motor] },
  corpo: Buffer.from(JSON.stringify(valor)),
})

/** HTTP 302, percent-encoded in the portal's charset where it needs to be. */
export function redirect({ motor, charset }: Escrita, para: string): Mensagem {
  const location = para.replace(/[^\x21-\x7e]/gu, (letra) =>
    [...encode(letra, charset)]
      .map((octeto) => `%${octeto.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
  return { status: 302, cabecalhos: { location, ...SERVIDOR[motor] }, corpo: Buffer.alloc(0) }
}

export function writeArquivo({ motor }: Escrita, tipo: string, corpo: Buffer, nome?: string): Mensagem {
  const anexo = nome === undefined ? {} : { 'content-disposition': `attachment; filename="${nome}"` }
  return { status: 200, cabecalhos: { 'content-type': tipo, ...anexo, ...SERVIDOR[motor] }, corpo }
}

/** The fields of a request, by its form or its JSON object, and its cookies. */
export type Lido = {
  campos: ReadonlyMap<string, string>
  json: unknown
  cookies: ReadonlyMap<string, string>
}

/** A single-page application takes JSON, all others take forms; any other body has no fields. */
export function readPedido(
  { cabecalhos, corpo }: Pedido,
  { charset, motor }: Pick<Definicao, 'charset' | 'motor'>,
): Lido {
  const media = (cabecalhos['content-type'] ?? '').toLowerCase().replace(/\s*;.*/, '')
  const ehJson = motor === 'spa' && JSON_.test(media)
  const ehFormulario = motor !== 'spa' && media === FORMULARIO
  const json = ehJson ? readJson(corpo.toString()) : undefined
  return {
    campos: ehFormulario ? readFormulario(corpo, charset) : camposDoJson(json),
    json,
    cookies: readCookies(cabecalhos.cookie ?? ''),
  }
}

const FORMULARIO = 'application/x-www-form-urlencoded'
const JSON_ = /^application\/(?:[\w.-]+\+)?json$/

function readJson(texto: string): unknown {
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

const readCookies = (texto: string): Map<string, string> =>
  new Map(
    texto.split(/;\s*/).flatMap((par) => {
      const igual = par.indexOf('=')
      return igual > 0 ? [[par.slice(0, igual), par.slice(igual + 1)] as const] : []
    }),
  )

/** The cookie, and the field of the address, by which ASP.NET finds out whether a visitor keeps cookies. */
const DETECCAO = 'AspxAutoDetectCookieSupport'

/** ASP.NET's redirect for a visitor without that cookie, who is redirected for ever; undefined for others. */
export function detectCookies(
  escrita: Pick<Definicao, 'charset' | 'motor'>,
  {
    caminho,
    consulta,
    cookies,
  }: Pick<Pedido, 'caminho' | 'consulta'> & { cookies: ReadonlyMap<string, string> },
): Mensagem | undefined {
  if (cookies.has(DETECCAO)) return undefined
  const nova = new URLSearchParams(consulta)
  nova.set(DETECCAO, '1')
  const { cabecalhos, ...resto } = redirect(escrita, `${caminho}?${nova}`)
  return { ...resto, cabecalhos: { ...cabecalhos, 'set-cookie': `${DETECCAO}=1; path=/` } }
}
