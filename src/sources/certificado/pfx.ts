import { type A1, CertificadoError, type MotivoDoCertificado } from '../../domain/certificado.ts'
import { createThreads } from '../threads/pool.ts'
import type { Vez } from '../threads/queue.ts'
import { MAX_ROUNDS, USUAL_ROUNDS } from './derivacao.ts'
import { arquivoIlegivel, demorado } from './erro.ts'

/** What the worker is asked, and what it answers; a Buffer arrives as a plain Uint8Array. */
export type Pedido = { pfx: Uint8Array; senha: string; rounds: number }
export type Resposta =
  | (Omit<A1, 'key'> & { key: Uint8Array })
  | { motivo: MotivoDoCertificado; mensagem: string }

/** An A1 with its whole chain has 4 to 10 kB. */
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5000

const file = new URL('./worker.ts', import.meta.url)

/** An everyday file takes some 10 ms: the last of the queue waits a second or two. */
const askUsual = createThreads<Pedido, Resposta>({ file, threads: 2, fila: { espera: 256, porDono: 64 } })

/** Slow files wait in their own queue, so that a client with many of them does not delay everyday files. */
const askSlow = createThreads<Pedido, Resposta>({ file, threads: 1, fila: { espera: 16, porDono: 4 } })

/** Milliseconds that the reading may take once it has begun, whose file it is, and how long it may wait. */
type Options = Partial<Vez> & { timeoutMs?: number }

/**
 * Reads an A1 file (PKCS#12: AES, 3DES or RC2; RSA or EC) in a thread that is stopped after `timeoutMs` (5
 * s). Throws CertificadoError, FilaCheia, or the signal's reason; the validity is checked by checkValidade.
 */
export async function readPfx(
  pfx: Uint8Array,
  senha: string,
  { timeoutMs = TIMEOUT_MS, waitMs = Number.POSITIVE_INFINITY, ...vez }: Options = {},
): Promise<A1> {
  if (pfx.length > MAX_BYTES) throw arquivoIlegivel()
  const ends = performance.now() + waitMs
  const limits = () => ({ ...vez, timeoutMs, late: demorado, waitMs: ends - performance.now() })
  let resposta = await askUsual({ pfx, senha, rounds: USUAL_ROUNDS }, limits())
  if ('motivo' in resposta && resposta.motivo === 'demorado')
    resposta = await askSlow({ pfx, senha, rounds: MAX_ROUNDS }, limits())
  if ('motivo' in resposta) throw new CertificadoError(resposta.motivo, resposta.mensagem)
  const { buffer, byteOffset, length } = resposta.key
  return { ...resposta, key: Buffer.from(buffer, byteOffset, length) }
}
