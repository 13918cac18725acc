import { createPrivateKey } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import type { Enviado } from './nfe-a1.ts'

/** So many octets of a file or key, or so many letters of its text form, are enough for a trace of it. */
const OCTETOS = 24
const LETRAS = 32

/** Finds secrets that must be nowhere. */
export type Busca = {
  /**
   * The name of a secret that is in the traces, as octets or in any text form. Undefined if there is none.
   */
  find: (traces: Buffer) => string | undefined
}

/** Looks for passwords and other texts as a whole, and for any piece of files and private keys. */
export function openBusca({ textos, binarios }: Segredos): Busca {
  const whole = new Map(
    Object.entries(textos).flatMap(([nome, texto]) => formsOf(texto).map((form) => [form, nome] as const)),
  )
  const windows = new Map<string, string>()
  const beginnings = new Uint8Array(1 << 24)
  const add = (text: string, size: number, nome: string): void => {
    const content = Buffer.from(text, 'latin1')
    for (let at = 0; at <= text.length - size; at++) {
      windows.set(text.slice(at, at + size), nome)
      beginnings[beginningOf(content, at)] = 1
    }
  }
  for (const [nome, content] of Object.entries(binarios)) {
    add(content.toString('latin1'), OCTETOS, nome)
    for (const text of textsOf(content)) add(text, LETRAS, nome)
  }
  return {
    find: (traces) => {
      const text = traces.toString('latin1')
      for (const [form, nome] of whole) if (text.includes(form)) return nome
      for (let at = 0; at <= text.length - OCTETOS; at++) {
        // A text is cut out only where one may begin, since there are millions of places.
        if (beginnings[beginningOf(traces, at)] !== 1) continue
        const found = windows.get(text.slice(at, at + OCTETOS)) ?? windows.get(text.slice(at, at + LETRAS))
        if (found) return found
      }
      return undefined
    },
  }
}

/** The first four octets as a number of 24 bits. */
const beginningOf = (content: Buffer, at: number): number =>
  Math.imul(content.readUInt32LE(at), 0x9e3779b1) >>> 8

export type Segredos = { textos: Record<string, string>; binarios: Record<string, Buffer> }

/**
 * The secrets of an A1 file: the file, its password, and its private key, as a whole and number by number.
 */
export function segredosDe({ certificado, senha }: Enviado): Segredos {
  const pfx = Buffer.from(certificado, 'base64')
  const key = createPrivateKey(parseA1(pfx, senha).key)
  const der = key.export({ type: 'pkcs8', format: 'der' })
  const { d = '', p = '', q = '', dp = '', dq = '', qi = '' } = key.export({ format: 'jwk' })
  const numbers = Object.entries({ d, p, q, dp, dq, qi }).map(([nome, text]) => [
    `the key's ${nome}`,
    Buffer.from(text, 'base64url'),
  ])
  return {
    textos: { 'the password': senha },
    binarios: { 'the file': pfx, 'the key': der, ...Object.fromEntries(numbers) },
  }
}

/**
 * The forms of a text in a log, a database, a form, an address or a PKCS#12 file. Each is given as Latin-1 of
 * its octets.
 */
function formsOf(texto: string): string[] {
  const utf8 = Buffer.from(texto)
  const utf16 = Buffer.from(texto, 'utf16le')
  const json = JSON.stringify(texto).slice(1, -1)
  const ascii = json.replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const forms = [
    utf8,
    Buffer.from(texto, 'latin1'),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(json),
    Buffer.from(JSON.stringify(json).slice(1, -1)),
    Buffer.from(ascii),
    Buffer.from(encodeURIComponent(texto)),
  ].map((octets) => octets.toString('latin1'))
  // Letters that depend on the text before or after are left out.
  return [...forms, ...textsOf(utf8).map((text) => text.slice(0, -4))].filter(({ length }) => length >= 8)
}

/** Octets in hexadecimal, and in base64 from each of the places where they may begin in the encoded text. */
function textsOf(octets: Buffer): string[] {
  const base64 = [0, 1, 2].flatMap((pad) => {
    const padded = Buffer.concat([Buffer.alloc(pad), octets])
    return (['base64', 'base64url'] as const).map((form) => padded.toString(form).slice(pad && 4))
  })
  return [...base64, octets.toString('hex'), octets.toString('hex').toUpperCase()]
}

/** Every file under a folder, by its path in it. */
export async function readAll(pasta: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(pasta, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return new Map(
    await Promise.all(
      files.map(async (file) => [file.slice(pasta.length + 1), await readFile(file)] as const),
    ),
  )
}
