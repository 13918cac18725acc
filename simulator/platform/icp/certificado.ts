import { type KeyObject, randomBytes, sign } from 'node:crypto'
import {
  bits,
  conjunto,
  explicito,
  imprimivel,
  instante,
  inteiro,
  nulo,
  oid,
  sequencia,
  utf8,
} from './der.ts'

const ATRIBUTO = { C: '2.5.4.6', ST: '2.5.4.8', L: '2.5.4.7', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' }

/**
 * A distinguished name: its attributes in the order in which they are written, from the country to the CN.
 */
export type Nome = readonly (readonly [atributo: keyof typeof ATRIBUTO, valor: string])[]

/** The signer: the name and both keys. */
export type Emissor = { nome: Nome; privada: KeyObject; publica: KeyObject }

/** The content of a certificate, besides its signer. `extensoes` are in DER, as extensao.ts makes them. */
export type Conteudo = {
  nome: Nome
  publica: KeyObject
  inicio: Date
  fim: Date
  extensoes: readonly Buffer[]
}

/**
 * An X.509 v3 certificate in DER, signed with SHA-256 and the issuer's key, RSA or EC (RFC 5280, 4.1).
 * The serial number is drawn at random: 16 octets, positive.
 */
export function emitir(conteudo: Conteudo, emissor: Emissor): Buffer {
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

function algoritmoDe(chave: KeyObject): Buffer {
  return chave.asymmetricKeyType === 'rsa'
    ? sequencia(oid('1.2.840.113549.1.1.11'), nulo())
    : sequencia(oid('1.2.840.10045.4.3.2'))
}

function nomeDer(nome: Nome): Buffer {
  return sequencia(
    ...nome.map(([atributo, valor]) =>
      conjunto(sequencia(oid(ATRIBUTO[atributo]), atributo === 'C' ? imprimivel(valor) : utf8(valor))),
    ),
  )
}

/** The certificate in PEM, with a line break at its end. */
export function pem(certificado: Buffer): string {
  const linhas = certificado.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${linhas.join('\n')}\n-----END CERTIFICATE-----\n`
}
