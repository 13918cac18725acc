import type { FastifyInstance } from 'fastify'
import type { Context } from '../platform/context.ts'
import { ApiError } from '../platform/errors.ts'
import { eventText, openBroadcast } from '../platform/http/events.ts'
import { READY } from '../platform/http/ready.ts'
import { networkOf } from '../platform/limits.ts'
import type { Retrato } from './page.ts'
import { resumir } from './resumo.ts'

/** How many may listen on this node, and of one address. */
const TODOS = 1_000
const DE_UM = 10

const TEMA = 'sefaz'

/**
 * The live events of the pages, without a key: one at the beginning, and one a board, made once for all. Who
 * does not read is dropped, and a stop ends every stream.
 */
export function eventosDaSefaz(
  app: FastifyInstance,
  { store, log }: Pick<Context, 'store' | 'log'>,
  retratar: () => Promise<Retrato>,
): void {
  const todos = openBroadcast({ most: TODOS, mostEach: DE_UM })
  let last: { versao: string; text: string } | undefined

  async function evento(): Promise<string> {
    const { vista, versao } = await retratar()
    if (last?.versao !== versao) {
      const agora = resumir(vista)
      last = { versao, text: eventText('agora', JSON.stringify(agora), String(agora.em)) }
    }
    return last.text
  }

  const stop = store.sefaz.onQuadro(() => {
    if (todos.count() === 0) return
    evento().then(
      (text) => todos.send(TEMA, text),
      (error: unknown) => log.error({ err: error }, 'an event of the pages could not be made'),
    )
  })
  app.addHook('preClose', async () => {
    stop()
    todos.close()
  })

  app.get('/eventos', { ...READY, exposeHeadRoute: false }, async (request, reply) => {
    const first = await evento()
    if (!todos.listen(reply, { who: networkOf(request.ip), topic: TEMA, first }))
      throw new ApiError('RATE_LIMIT_EXCEEDED', 'Há páginas abertas demais: esta não se atualiza sozinha.', {
        retryS: 60,
      })
    return reply
  })
}
