import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import {
  bits,
  booleano,
  conjunto,
  explicito,
  implicito,
  imprimivel,
  instante,
  inteiro,
  nulo,
  octetos,
  oid,
  sequencia,
  utf8,
} from './der.ts'

const ATRIBUTO = { C: '2.5.4.6', ST: '2.5.4.8', L: '2.5.4.7', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' }

/** A distinguished name; its attributes are written in this order. */
export type Nome = readonly (readonly [atributo: keyof typeof ATRIBUTO, valor: string])[]

export type Emissor = { nome: Nome; privada: KeyObject; publica: KeyObject }

export type Conteudo = {
  nome: Nome
  publica: KeyObject
  inicio: Date
  fim: Date
  extensoes: readonly Buffer[]
}

/**
 * An X.509 v3 certificate in DER, signed with SHA-256 (RFC 5280, 4.1); the serial number is 16 random octets.
 */
export function issue(conteudo: Conteudo, emissor: Emissor): Buffer {
  const algoritmo = algoritmoDe(emissor.privada)
  const tbs = sequencia(
    explicito(0, inteiro(2)),
    inteiro(numeroDeSerie()),
    algoritmo,
    nomeDer(emissor.nome),
    sequencia(instante(conteudo.inicio), instante(conteudo.fim)),
    nomeDer(conteudo.nome),
    conteudo.publica.export({ type: 'spki', format: 'der' }),
    explicito(3, sequencia(...conteudo.extensoes)),
  )
  return sequencia(tbs, algoritmo, bits(sign('sha256', tbs, emissor.privada)))
}

function numeroDeSerie(): Buffer {
  const numero = randomBytes(16)
  numero[0] = ((numero[0] ?? 0) & 0x3f) | 0x40
  return numero
}

const algoritmoDe = (chave: KeyObject): Buffer =>
  chave.asymmetricKeyType === 'rsa'
    ? sequencia(oid('1.2.840.113549.1.1.11'), nulo())
    : sequencia(oid('1.2.840.10045.4.3.2'))

const nomeDer = (nome: Nome): Buffer =>
  sequencia(
    ...nome.map(([atributo, valor]) =>
      conjunto(sequencia(oid(ATRIBUTO[atributo]), atributo === 'C' ? imprimivel(valor) : utf8(valor))),
    ),
  )

export function pem(certificado: Buffer): string {
  const linhas = certificado.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${linhas.join('\n')}\n-----END CERTIFICATE-----\n`
}

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

const extensao = (identificador: string, valor: Buffer, critica = false): Buffer =>
  sequencia(oid(identificador), ...(critica ? [booleano(true)] : []), octetos(valor))

/** BasicConstraints of a CA, critical; `abaixo` is how many CAs may follow it (RFC 5280, 4.2.1.9). */
export const isAutoridade = (abaixo?: number): Buffer =>
  extensao('2.5.29.19', sequencia(booleano(true), ...(abaixo === undefined ? [] : [inteiro(abaixo)])), true)

/** KeyUsage, critical (RFC 5280, 4.2.1.3). */
export function usoDaChave(...usos: readonly (keyof typeof USO_DA_CHAVE)[]): Buffer {
  let octeto = 0
  for (const uso of usos) octeto |= 0x80 >> USO_DA_CHAVE[uso]
  const zerosAoFim = 31 - Math.clz32(octeto & -octeto)
  return extensao('2.5.29.15', bits(Buffer.from([octeto]), zerosAoFim), true)
}

export const propositos = (...lista: readonly (keyof typeof PROPOSITO)[]): Buffer =>
  extensao('2.5.29.37', sequencia(...lista.map((proposito) => oid(PROPOSITO[proposito]))))

export const identificadorDoSujeito = (publica: KeyObject): Buffer =>
  extensao('2.5.29.14', octetos(impressao(publica)))

export const identificadorDoEmissor = (publica: KeyObject): Buffer =>
  extensao('2.5.29.35', sequencia(implicito(0, impressao(publica))))

const impressao = (publica: KeyObject): Buffer =>
  createHash('sha1')
    .update(publica.export({ type: 'spki', format: 'der' }))
    .digest()

export const politica = (identificador: string): Buffer =>
  extensao('2.5.29.32', sequencia(sequencia(oid(identificador))))

/** SubjectAltName, not critical, as ICP-Brasil wants it (RFC 5280, 4.2.1.6; DOC-ICP-04, 7.1.2.3). */
export const nomesAlternativos = (...nomes: readonly Buffer[]): Buffer =>
  extensao('2.5.29.17', sequencia(...nomes))

export const nomeDns = (nome: string): Buffer => implicito(2, Buffer.from(nome, 'latin1'))

export const nomeEmail = (email: string): Buffer => implicito(1, Buffer.from(email, 'latin1'))

/** GeneralName otherName: an identifier and its value, already in DER. */
export const outroNome = (identificador: string, valor: Buffer): Buffer =>
  explicito(0, oid(identificador), explicito(0, valor))
