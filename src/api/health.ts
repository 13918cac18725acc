import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { ping } from '../store/ping.ts'

/** For load balancers, without a key: `/health` says that the process runs, `/ready` that it can answer. */
export function health(app: FastifyInstance, ctx: Context): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get('/ready', { schema: { hide: true } }, async (_request, reply) => {
    const banco = await ping(ctx.db)
    const versao = ctx.base.current()?.manifesto.versao ?? ''
    const ready = banco && versao !== ''
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'indisponivel', banco, base_cnpj: versao })
  })
}
