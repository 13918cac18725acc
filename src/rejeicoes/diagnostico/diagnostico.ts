import { codeOf } from '../../platform/wire/fonte.ts'
import { createThreads } from '../../platform/wire/threads.ts'
import {
  DiagnosticoDemorado,
  DiagnosticoRecusado,
  type Laudo,
  type PedidoDoDiagnostico,
  type RespostaDoDiagnostico,
  refuseBeforeReading,
} from '../rules-laudo.ts'

/** CPU time. A note of 1 MiB takes some 200 ms, the first one of a thread a second. */
const MAX_CPU_MS = 6000

/** This is much more than the CPU time, for a busy machine. */
const TIMEOUT_MS = 30_000

const MAX_MEMORY = 256 * 1024 * 1024

/** One core goes on answering while a bad note takes the other. */
const THREADS = 2

const ask = createThreads<PedidoDoDiagnostico, RespostaDoDiagnostico>({
  file: new URL('./worker.ts', import.meta.url),
  threads: THREADS,
  queue: { waiting: 64, perOwner: 8 },
  // The tree of a large note fills a small young part several times, which doubles the time.
  resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 96 },
})

type Limites = {
  /** Turns go round the owners. An account is an owner, and so is the public form. */
  owner: string
  signal?: AbortSignal | undefined
  waitMs?: number
}

/**
 * Throws DiagnosticoRecusado, DiagnosticoDemorado, QueueFull or the signal's reason; none quotes the note.
 */
export async function diagnose(pedido: PedidoDoDiagnostico, limites: Limites): Promise<Laudo> {
  refuseBeforeReading(pedido.xml)
  const late = (): Error => new DiagnosticoDemorado()
  const resposta = await ask(pedido, {
    ...limites,
    timeoutMs: TIMEOUT_MS,
    maxCpuMs: MAX_CPU_MS,
    maxBytes: MAX_MEMORY,
    late,
  }).catch((error) => {
    throw codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? late() : error
  })
  if ('laudo' in resposta) return resposta.laudo
  if ('recusa' in resposta) throw new DiagnosticoRecusado(resposta.recusa)
  throw new Error(`the diagnosis failed: ${resposta.falha}`)
}
