import { type AskLimits, createThreads } from './threads.ts'

export type MotivoDoPdf = 'ilegivel' | 'protegido' | 'sem-texto' | 'longo' | 'pesado'

const words: Readonly<Record<MotivoDoPdf, string>> = {
  ilegivel: 'um PDF que não se consegue ler',
  protegido: 'um PDF protegido por senha',
  'sem-texto': 'um PDF sem texto',
  longo: 'um PDF longo demais',
  pesado: 'um PDF que não se consegue ler no tempo e na memória reservados para isso',
}

export class PdfError extends Error {
  override readonly name = 'PdfError'
  readonly motivo: MotivoDoPdf

  constructor(motivo: MotivoDoPdf) {
    super(words[motivo])
    this.motivo = motivo
  }
}

export type PdfReply = { texto: string } | { motivo: MotivoDoPdf }

/** CPU time. A certificate takes some 5 ms, the first one of a thread 200. */
const MAX_CPU_MS = 3000

/** This is much more than the CPU time, for a busy machine. */
const TIMEOUT_MS = 30_000

/** A PDF of 1.5 MB may be made to fill a gigabyte. */
const MAX_MEMORY = 128 * 1024 * 1024

/** One core goes on answering while a bad file takes the other. */
const THREADS = 2

const ask = createThreads<Uint8Array, PdfReply>({
  file: new URL('./pdf-worker.ts', import.meta.url),
  threads: THREADS,
  resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
})

/**
 * Reads the text of a PDF in a thread, a line for each line of its pages: at most 20 pages and 200,000
 * characters. Throws PdfError, also after too much work, time or memory; `pdf` stays whole.
 */
export async function readPdfText(pdf: Uint8Array): Promise<string> {
  // The thread takes the memory away, and a Buffer's may be shared with others, so it gets a copy.
  const bytes = Uint8Array.from(pdf)
  const reply = await askOf(bytes)
  if ('motivo' in reply) throw new PdfError(reply.motivo)
  return reply.texto
}

const LIMITS: AskLimits = {
  timeoutMs: TIMEOUT_MS,
  maxBytes: MAX_MEMORY,
  maxCpuMs: MAX_CPU_MS,
  late: () => new PdfError('pesado'),
}

async function askOf(bytes: Uint8Array<ArrayBuffer>): Promise<PdfReply> {
  try {
    return await ask(bytes, LIMITS, [bytes.buffer])
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw LIMITS.late()
    throw error
  }
}
