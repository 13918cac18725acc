import { parentPort } from 'node:worker_threads'
import { DiagnosticoRecusado, type PedidoDoDiagnostico, type RespostaDoDiagnostico } from '../rules-laudo.ts'
import { makeLaudo } from './laudo.ts'

function answer(pedido: PedidoDoDiagnostico): RespostaDoDiagnostico {
  try {
    return { laudo: makeLaudo(pedido) }
  } catch (error) {
    if (error instanceof DiagnosticoRecusado) return { recusa: error.motivo }
    return { falha: semMensagem(error) }
  }
}

/** The kind of an error and where it was thrown. Its message may quote the note. */
function semMensagem(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const frames = error.stack?.match(/^ {4}at .+$/gm) ?? []
  return [error.name, ...frames.slice(0, 8)].join('\n')
}

parentPort?.on('message', (pedido: PedidoDoDiagnostico) => parentPort?.postMessage(answer(pedido)))
