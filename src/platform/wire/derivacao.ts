import { hash, pbkdf2Sync } from 'node:crypto'
import { CertificadoError } from './certificado.ts'
import { demorado } from './erro.ts'

/**
 * The most iterations of one derivation: as many as Firefox writes and .NET accepts (KB5025823). OpenSSL
 * writes 2,048, Windows 2,000, Java 10,000 to 100,000; a hostile file of 950 bytes can ask for minutes.
 */
const MAX_ITERATIONS = 600_000

/** The most rounds for one file. A Firefox file with 3DES needs 4.2 million, about 2 s. */
export const MAX_ROUNDS = 4_500_000

/**
 * The rounds of an everyday file, some 30 ms: OpenSSL and Windows need 15,000, Java with 10,000 iterations
 * 60,000.
 */
export const USUAL_ROUNDS = 65_000

/** Lets a derivation begin, or throws CertificadoError. */
export type Esforco = (iteracoes: number, blocos: number) => void

/** Counts the rounds of one file. If `most` is below MAX_ROUNDS, a file that needs more throws `demorado`. */
export function createEsforco(most: number): Esforco {
  let rounds = 0
  return (iteracoes, blocos) => {
    rounds += iteracoes * blocos
    if (iteracoes >= 1 && iteracoes <= MAX_ITERATIONS && rounds <= most) return
    if (iteracoes <= MAX_ITERATIONS && rounds <= MAX_ROUNDS) throw demorado()
    throw new CertificadoError(
      'ilegivel',
      `O arquivo do certificado pede um número de iterações que não é aceito (no máximo ${MAX_ITERATIONS}). Exporte o certificado de novo com as opções padrão e envie o novo arquivo.`,
    )
  }
}

/** A hash function, with the bytes of its output and of its block. */
export type Resumo = { nome: string; bytes: number; bloco: number }

/** The hash functions of PKCS#12 files, by OpenSSL's names. */
export const resumos = {
  sha1: { nome: 'sha1', bytes: 20, bloco: 64 },
  sha224: { nome: 'sha224', bytes: 28, bloco: 64 },
  sha256: { nome: 'sha256', bytes: 32, bloco: 64 },
  sha384: { nome: 'sha384', bytes: 48, bloco: 128 },
  sha512: { nome: 'sha512', bytes: 64, bloco: 128 },
} as const satisfies Record<string, Resumo>

/** The input of a derivation. */
export type Semente = { senha: Buffer; sal: Buffer; iteracoes: number; resumo: Resumo }

/** PBKDF2 (RFC 8018, 5.2). */
export function derivePbkdf2(
  { senha, sal, iteracoes, resumo }: Semente,
  bytes: number,
  gasta: Esforco,
): Buffer {
  gasta(iteracoes, Math.ceil(bytes / resumo.bytes))
  return pbkdf2Sync(senha, sal, iteracoes, bytes, resumo.nome)
}

/** The purposes of RFC 7292, appendix B.3. */
export const USO = { chave: 1, iv: 2, mac: 3 } as const

/**
 * The derivation of PKCS#12 itself (RFC 7292, appendix B.2), which node:crypto lacks. `senha` is the password
 * in UTF-16 with a terminator.
 */
export function derivePkcs12(semente: Semente, uso: number, bytes: number, gasta: Esforco): Buffer {
  const { senha, sal, iteracoes, resumo } = semente
  const blocos = Math.ceil(bytes / resumo.bytes)
  gasta(iteracoes, blocos)
  const diversifier = Buffer.alloc(resumo.bloco, uso)
  const state = Buffer.concat([fill(sal, resumo.bloco), fill(senha, resumo.bloco)])
  const out: Buffer[] = []
  for (let i = 0; i < blocos; i++) {
    const digest = hash(resumo.nome, Buffer.concat([diversifier, state]), 'buffer')
    // Text and back takes a third of the time of a new Buffer in each round (Node 24.21).
    for (let round = 1; round < iteracoes; round++)
      digest.write(hash(resumo.nome, digest, 'binary'), 'binary')
    out.push(digest)
    const more = fill(digest, resumo.bloco).subarray(0, resumo.bloco)
    for (let at = 0; at < state.length; at += resumo.bloco)
      addOne(state.subarray(at, at + resumo.bloco), more)
  }
  return Buffer.concat(out).subarray(0, bytes)
}

/** Repeats `data` to fill whole blocks. Empty data gives nothing. */
const fill = (data: Buffer, bloco: number): Buffer =>
  data.length === 0 ? data : Buffer.alloc(Math.ceil(data.length / bloco) * bloco, data)

/** block = (block + more + 1) mod 2^(8 × its length), big-endian. */
function addOne(block: Buffer, more: Buffer): void {
  let carry = 1
  for (let i = block.length - 1; i >= 0; i--) {
    carry += (block[i] ?? 0) + (more[i] ?? 0)
    block[i] = carry & 0xff
    carry >>= 8
  }
}
