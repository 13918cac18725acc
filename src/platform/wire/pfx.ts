import {
  type A1,
  arquivoIlegivel,
  CertificadoError,
  demorado,
  type MotivoDoCertificado,
} from './certificado.ts'
import { MAX_ROUNDS, USUAL_ROUNDS } from './pkcs12.ts'
import { createThreads, type TurnRequest } from './threads.ts'

/** The worker's task and its reply. A Buffer arrives as a plain Uint8Array. */
export type PfxTask = { pfx: Uint8Array; senha: string; rounds: number }
export type PfxReply =
  | (Omit<A1, 'key'> & { key: Uint8Array })
  | { motivo: MotivoDoCertificado; mensagem: string }

/** An A1 with its whole chain has 4 to 10 kB. */
const MAX_BYTES = 64 * 1024
/** CPU time. The most rounds that are read take some 2 s. */
const MAX_CPU_MS = 5000
/** This is much more than the CPU time, for a busy machine. */
const TIMEOUT_MS = 20_000

const file = new URL('./pfx-worker.ts', import.meta.url)

/** An everyday file takes some 10 ms, so the last of the queue waits a second or two. */
const askUsual = createThreads<PfxTask, PfxReply>({ file, threads: 2, queue: { waiting: 256, perOwner: 64 } })

/** Slow files wait in their own queue, so that a client with many of them does not delay everyday files. */
const askSlow = createThreads<PfxTask, PfxReply>({ file, threads: 1, queue: { waiting: 16, perOwner: 4 } })

type Options = Partial<TurnRequest> & { timeoutMs?: number }

/**
 * Reads an A1 file (PKCS#12: AES, 3DES or RC2; RSA or EC) in a thread that is stopped after 5 s of work or
 * `timeoutMs`. Throws CertificadoError, QueueFull, or the signal's reason; checkValidade checks the validity.
 */
export async function readPfx(
  pfx: Uint8Array,
  senha: string,
  { timeoutMs = TIMEOUT_MS, waitMs = Number.POSITIVE_INFINITY, ...turn }: Options = {},
): Promise<A1> {
  if (pfx.length > MAX_BYTES) throw arquivoIlegivel()
  const ends = performance.now() + waitMs
  const limits = () => ({
    ...turn,
    timeoutMs,
    maxCpuMs: MAX_CPU_MS,
    late: demorado,
    waitMs: ends - performance.now(),
  })
  let reply = await askUsual({ pfx, senha, rounds: USUAL_ROUNDS }, limits())
  if ('motivo' in reply && reply.motivo === 'demorado')
    reply = await askSlow({ pfx, senha, rounds: MAX_ROUNDS }, limits())
  if ('motivo' in reply) throw new CertificadoError(reply.motivo, reply.mensagem)
  const { buffer, byteOffset, length } = reply.key
  return { ...reply, key: Buffer.from(buffer, byteOffset, length) }
}
