import { type A1, CertificadoError, type MotivoDoCertificado } from '../../domain/certificado.ts'
import { createThreads } from '../thread.ts'
import { arquivoIlegivel } from './erro.ts'

/** What the worker is asked, and what it answers; a Buffer arrives as a plain Uint8Array. */
export type Pedido = { pfx: Uint8Array; senha: string }
export type Resposta =
  | (Omit<A1, 'key'> & { key: Uint8Array })
  | { motivo: MotivoDoCertificado; mensagem: string }

/** An A1 with its whole chain has 4 to 10 kB. */
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5000

/** At most so many at once; a usual file takes some 10 ms, so others wait little. */
const THREADS = 2

const ask = createThreads<Pedido, Resposta>({
  file: new URL('./worker.ts', import.meta.url),
  threads: THREADS,
})

type Options = { timeoutMs?: number; signal?: AbortSignal }

/**
 * Reads an A1 file (PKCS#12: AES, 3DES or RC2; RSA or EC) with its password, in a worker thread that is stopped after
 * `timeoutMs` (5 s by default). The validity is not checked: see checkValidade. Throws CertificadoError, or the signal's
 * reason.
 */
export async function readPfx(
  pfx: Uint8Array,
  senha: string,
  { timeoutMs = TIMEOUT_MS, signal }: Options = {},
): Promise<A1> {
  if (pfx.length > MAX_BYTES) throw arquivoIlegivel()
  const resposta = await ask({ pfx, senha }, { timeoutMs, late: demorado, signal })
  if ('motivo' in resposta) throw new CertificadoError(resposta.motivo, resposta.mensagem)
  const { buffer, byteOffset, length } = resposta.key
  return { ...resposta, key: Buffer.from(buffer, byteOffset, length) }
}

const demorado = (): CertificadoError =>
  new CertificadoError(
    'demorado',
    'O arquivo do certificado demora demais para ser aberto. Exporte o certificado de novo com as opções padrão e envie o novo arquivo.',
  )
