/**
 * The charsets that portals speak; what is called ISO-8859-1 on the web is windows-1252 (WHATWG Encoding,
 * 4.2).
 */
export type Charset = 'utf-8' | 'iso-8859-1'

const latin1 = new TextDecoder('windows-1252')

/**
 * The fields of a form body (application/x-www-form-urlencoded), percent-encoded octets of that charset; the
 * last of equal names counts.
 */
export function lerFormulario(corpo: Buffer, charset: Charset): Map<string, string> {
  const campos = new Map<string, string>()
  for (const par of corpo.toString('latin1').split('&')) {
    if (par === '') continue
    const igual = par.indexOf('=')
    const [nome, valor] = igual < 0 ? [par, ''] : [par.slice(0, igual), par.slice(igual + 1)]
    campos.set(decodificar(nome, charset), decodificar(valor, charset))
  }
  return campos
}

/** A text in octets of that charset. A letter that ISO-8859-1 lacks becomes an HTML entity. */
export function codificar(texto: string, charset: Charset): Buffer {
  if (charset === 'utf-8') return Buffer.from(texto)
  return Buffer.from(
    texto.replace(/[^\0-\xff]/gu, (letra) => `&#${letra.codePointAt(0)};`),
    'latin1',
  )
}

function decodificar(texto: string, charset: Charset): string {
  const octetos = texto
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hexa: string) => String.fromCharCode(Number.parseInt(hexa, 16)))
  const cru = Buffer.from(octetos, 'latin1')
  return charset === 'utf-8' ? cru.toString() : latin1.decode(cru)
}
