import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { codificar } from './charset.ts'
import type { Definicao } from './definicao.ts'
import type { OpcoesDaPagina } from './pedido.ts'

/** What decides how a portal writes. */
type Escrita = Pick<Definicao, 'charset' | 'declaraCharset' | 'motor'>

/** What each kind of server says of itself. */
const SERVIDOR = {
  asp: { server: 'Microsoft-IIS/8.5', 'x-powered-by': 'ASP.NET' },
  'asp.net': { server: 'Microsoft-IIS/10.0', 'x-aspnet-version': '4.0.30319', 'x-powered-by': 'ASP.NET' },
  java: { server: 'Apache-Coyote/1.1' },
  php: { server: 'Apache', 'x-powered-by': 'PHP/7.4.33' },
  spa: { server: 'nginx' },
} as const satisfies Record<Definicao['motor'], Record<string, string>>

/** A text in the portal's charset, declared or not as the portal does. */
export function escreverTexto(escrita: Escrita, tipo: string, texto: string, status = 200): Mensagem {
  const { charset, declaraCharset = true, motor } = escrita
  return {
    status,
    cabecalhos: { 'content-type': declaraCharset ? `${tipo}; charset=${charset}` : tipo, ...SERVIDOR[motor] },
    corpo: codificar(texto, charset),
  }
}

/** A page of the portal: `titulo` is text, `corpo` HTML. */
export function escreverHtml(
  escrita: Escrita,
  titulo: string,
  corpo: string,
  { status, cabeca = '' }: OpcoesDaPagina = {},
): Mensagem {
  const html =
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\r\n' +
    `<html>\r\n<head>\r\n<title>${escapar(titulo)}</title>\r\n${cabeca}</head>\r\n<body>\r\n${corpo}\r\n</body>\r\n</html>\r\n`
  return escreverTexto(escrita, 'text/html', html, status)
}

/** JSON, always in UTF-8 (RFC 8259, 8.1). */
export function escreverJson({ motor }: Escrita, valor: unknown, status = 200): Mensagem {
  return {
    status,
    cabecalhos: { 'content-type': 'application/json', ...SERVIDOR[motor] },
    corpo: Buffer.from(JSON.stringify(valor)),
  }
}

/**
 * HTTP 302 to another address, written as the portal does: percent-encoded in its charset where it needs to
 * be.
 */
export function redirecionar({ motor, charset }: Escrita, para: string): Mensagem {
  const location = para.replace(/[^\x21-\x7e]/gu, (letra) =>
    [...codificar(letra, charset)]
      .map((octeto) => `%${octeto.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
  return { status: 302, cabecalhos: { location, ...SERVIDOR[motor] }, corpo: Buffer.alloc(0) }
}

/** A file. */
export function escreverArquivo({ motor }: Escrita, tipo: string, corpo: Buffer, nome?: string): Mensagem {
  const anexo = nome === undefined ? {} : { 'content-disposition': `attachment; filename="${nome}"` }
  return { status: 200, cabecalhos: { 'content-type': tipo, ...anexo, ...SERVIDOR[motor] }, corpo }
}
