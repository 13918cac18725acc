import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto'
import { inteiro, nulo, octetos, oid, sequencia } from './der.ts'
import { derivar } from './derivacao.ts'

/** How OpenSSL and Windows count by default. */
export const ITERACOES = 2048

/** A text enciphered under a password: the AlgorithmIdentifier that says how, and the octets. */
export type Cifrado = { algoritmo: Buffer; texto: Buffer }

export type Cifrar = (claro: Buffer, senha: string) => Cifrado | Promise<Cifrado>

/** PBES2: PBKDF2 with HMAC-SHA-256 and AES-256-CBC (RFC 8018, 6.2), the default of OpenSSL 3. */
export function cifrarAes(claro: Buffer, senha: string): Cifrado {
  const sal = randomBytes(16)
  const vetor = randomBytes(16)
  const cifra = createCipheriv('aes-256-cbc', pbkdf2Sync(senha, sal, ITERACOES, 32, 'sha256'), vetor)
  const derivacao = sequencia(
    oid('1.2.840.113549.1.5.12'),
    sequencia(octetos(sal), inteiro(ITERACOES), sequencia(oid('1.2.840.113549.2.9'), nulo())),
  )
  const esquema = sequencia(oid('2.16.840.1.101.3.4.1.42'), octetos(vetor))
  return {
    algoritmo: sequencia(oid('1.2.840.113549.1.5.13'), sequencia(derivacao, esquema)),
    texto: Buffer.concat([cifra.update(claro), cifra.final()]),
  }
}

/** pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292, Appendix C). */
export function cifrar3des(claro: Buffer, senha: string): Cifrado {
  const { algoritmo, chave, vetor } = pbe('1.2.840.113549.1.12.1.3', senha, 24)
  const cifra = createCipheriv('des-ede3-cbc', chave, vetor)
  return { algoritmo, texto: Buffer.concat([cifra.update(claro), cifra.final()]) }
}

/** pbeWithSHAAnd40BitRC2-CBC (RFC 7292, Appendix C): Windows and OpenSSL 1 encipher certificates with it. */
export async function cifrarRc2(claro: Buffer, senha: string): Promise<Cifrado> {
  // OpenSSL 3 has RC2 only in its legacy provider, which Node leaves out; loaded here because few starts need
  // it.
  const { default: forge } = await import('node-forge')
  const { algoritmo, chave, vetor } = pbe('1.2.840.113549.1.12.1.6', senha, 5)
  const cifra = forge.rc2.createEncryptionCipher(chave.toString('latin1'), 40)
  cifra.start(vetor.toString('latin1'))
  cifra.update(forge.util.createBuffer(claro.toString('latin1')))
  cifra.finish()
  return { algoritmo, texto: Buffer.from(cifra.output.getBytes(), 'latin1') }
}

function pbe(identificador: string, senha: string, tamanho: number) {
  const sal = randomBytes(8)
  const base = { resumo: 'sha1', senha, sal, iteracoes: ITERACOES } as const
  return {
    algoritmo: sequencia(oid(identificador), sequencia(octetos(sal), inteiro(ITERACOES))),
    chave: derivar({ ...base, finalidade: 'chave', tamanho }),
    vetor: derivar({ ...base, finalidade: 'vetor', tamanho: 8 }),
  }
}
