import { Worker } from 'node:worker_threads'
import { bulkhead } from 'cockatiel'
import { type A1, CertificadoError, type MotivoDoCertificado } from '../../domain/certificado.ts'
import { arquivoIlegivel } from './erro.ts'

/** What the worker is asked, and what it answers; a Buffer arrives as a plain Uint8Array. */
export type Pedido = { pfx: Uint8Array; senha: string }
export type Resposta =
  | (Omit<A1, 'key'> & { key: Uint8Array })
  | { motivo: MotivoDoCertificado; mensagem: string }

type Watch = { 'watch:require': unknown } | { 'watch:import': unknown }

/** An A1 with its whole chain has 4 to 10 kB. */
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5000

/** At most so many at once; a usual file takes some 10 ms, so others wait little. */
const THREADS = 2
const IDLE_MS = 60_000

type Options = { timeoutMs?: number; signal?: AbortSignal }

/**
 * Reads an A1 file (PKCS#12: AES, 3DES or RC2; RSA or EC) with its password, in a worker thread that is stopped after
 * `timeoutMs` (5 s by default). The validity is not checked: see checkValidade. Throws CertificadoError, or the signal's
 * reason.
 */
export const readPfx: (pfx: Uint8Array, senha: string, options?: Options) => Promise<A1> = createLeitor()

function createLeitor(): typeof readPfx {
  const vagas = bulkhead(THREADS, Number.POSITIVE_INFINITY)
  // Starting one takes ten times as long as reading a usual file, and one has 48 MB: kept only while there is work.
  const livres: { worker: Worker; timer: NodeJS.Timeout }[] = []

  function take(): Worker {
    const livre = livres.pop()
    clearTimeout(livre?.timer)
    livre?.worker.ref()
    return livre?.worker ?? new Worker(new URL('./worker.ts', import.meta.url))
  }

  /** Idle, it keeps no process alive. */
  function keep(worker: Worker): void {
    worker.unref()
    const timer = setTimeout(() => {
      livres.splice(
        livres.findIndex((livre) => livre.worker === worker),
        1,
      )
      void worker.terminate()
    }, IDLE_MS).unref()
    livres.push({ worker, timer })
  }

  async function read(pedido: Pedido, timeoutMs: number, signal: AbortSignal | undefined): Promise<Resposta> {
    signal?.throwIfAborted()
    const worker = take()
    try {
      const resposta = await ask(worker, pedido, timeoutMs, signal)
      keep(worker)
      return resposta
    } catch (error) {
      await worker.terminate()
      throw error
    }
  }

  return async (pfx, senha, { timeoutMs = TIMEOUT_MS, signal } = {}) => {
    if (pfx.length > MAX_BYTES) throw arquivoIlegivel()
    const resposta = await vagas.execute(() => read({ pfx, senha }, timeoutMs, signal))
    if ('motivo' in resposta) throw new CertificadoError(resposta.motivo, resposta.mensagem)
    const { buffer, byteOffset, length } = resposta.key
    return { ...resposta, key: Buffer.from(buffer, byteOffset, length) }
  }
}

function ask(
  worker: Worker,
  pedido: Pedido,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Resposta> {
  const { promise, resolve, reject } = Promise.withResolvers<Resposta>()
  const timer = setTimeout(() => reject(demorado()), timeoutMs)
  const onAbort = (): void => reject(signal?.reason)
  // In watch mode Node sends messages of its own by the same way.
  const onMessage = (message: Resposta | Watch): void => {
    if (!('watch:require' in message || 'watch:import' in message)) resolve(message)
  }
  worker.on('message', onMessage)
  worker.once('error', reject)
  signal?.addEventListener('abort', onAbort, { once: true })
  worker.postMessage(pedido)
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    worker.removeListener('message', onMessage)
    worker.removeListener('error', reject)
  })
}

const demorado = (): CertificadoError =>
  new CertificadoError(
    'demorado',
    'O arquivo do certificado demora demais para ser aberto. Exporte o certificado de novo com as opções padrão e envie o novo arquivo.',
  )
