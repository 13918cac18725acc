import { createHash, type KeyObject } from 'node:crypto'
import { bits, booleano, explicito, implicito, inteiro, octetos, oid, sequencia } from './der.ts'

/** Bits of KeyUsage, numbered as RFC 5280, 4.2.1.3 does. */
const USO_DA_CHAVE = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyEncipherment: 2,
  keyCertSign: 5,
  cRLSign: 6,
} as const

const PROPOSITO = {
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
} as const

function extensao(identificador: string, valor: Buffer, critica = false): Buffer {
  return sequencia(oid(identificador), ...(critica ? [booleano(true)] : []), octetos(valor))
}

/** BasicConstraints of a CA, critical; `abaixo` is how many CAs may follow it (RFC 5280, 4.2.1.9). */
export const ehAutoridade = (abaixo?: number): Buffer =>
  extensao('2.5.29.19', sequencia(booleano(true), ...(abaixo === undefined ? [] : [inteiro(abaixo)])), true)

/** KeyUsage, critical (RFC 5280, 4.2.1.3). */
export function usoDaChave(...usos: readonly (keyof typeof USO_DA_CHAVE)[]): Buffer {
  let octeto = 0
  for (const uso of usos) octeto |= 0x80 >> USO_DA_CHAVE[uso]
  const zerosAoFim = 31 - Math.clz32(octeto & -octeto)
  return extensao('2.5.29.15', bits(Buffer.from([octeto]), zerosAoFim), true)
}

/** ExtendedKeyUsage (RFC 5280, 4.2.1.12). */
export const propositos = (...lista: readonly (keyof typeof PROPOSITO)[]): Buffer =>
  extensao('2.5.29.37', sequencia(...lista.map((proposito) => oid(PROPOSITO[proposito]))))

/** SubjectKeyIdentifier of a certificate of this key (RFC 5280, 4.2.1.2). */
export const identificadorDoSujeito = (publica: KeyObject): Buffer =>
  extensao('2.5.29.14', octetos(impressao(publica)))

/** AuthorityKeyIdentifier, for a certificate that the owner of this key signs (RFC 5280, 4.2.1.1). */
export const identificadorDoEmissor = (publica: KeyObject): Buffer =>
  extensao('2.5.29.35', sequencia(implicito(0, impressao(publica))))

function impressao(publica: KeyObject): Buffer {
  return createHash('sha1')
    .update(publica.export({ type: 'spki', format: 'der' }))
    .digest()
}

/** CertificatePolicies with one policy (RFC 5280, 4.2.1.4). */
export const politica = (identificador: string): Buffer =>
  extensao('2.5.29.32', sequencia(sequencia(oid(identificador))))

/** SubjectAltName, not critical, as ICP-Brasil wants it (RFC 5280, 4.2.1.6; DOC-ICP-04, 7.1.2.3). */
export const nomesAlternativos = (...nomes: readonly Buffer[]): Buffer =>
  extensao('2.5.29.17', sequencia(...nomes))

/** GeneralName dNSName. */
export const nomeDns = (nome: string): Buffer => implicito(2, Buffer.from(nome, 'latin1'))

/** GeneralName rfc822Name. */
export const nomeEmail = (email: string): Buffer => implicito(1, Buffer.from(email, 'latin1'))

/** GeneralName otherName: an identifier and its value, already in DER. */
export const outroNome = (identificador: string, valor: Buffer): Buffer =>
  explicito(0, oid(identificador), explicito(0, valor))
