import type { FastifyInstance } from 'fastify'
import { ping } from '../db/queries.ts'
import type { Platform } from '../platform.ts'
import { avisoDeValidade } from '../wire/certificado.ts'

export type Check = {
  name: string
  /** Without a database (`banco`) it asks nothing of one, so that the answer is never late. */
  look: (banco: boolean) => unknown
  decides?: true
}

/**
 * For load balancers, without a key: `/health` says that the process runs, `/ready` that it can answer and
 * goes on. `banco` is false while the database does not answer or the ledger takes no commit.
 */
export function health(app: FastifyInstance, platform: Platform, checks: readonly Check[]): void {
  const { db, ledger, isClosing } = platform
  app.get('/health', { schema: { hide: true }, exposeHeadRoute: true }, async () => ({ status: 'ok' }))
  app.get('/ready', { schema: { hide: true }, exposeHeadRoute: true }, async (_request, reply) => {
    const looks = await Promise.all([ping(db), ledger.ready()])
    const banco = !looks.includes(false)
    const said: Record<string, unknown> = {}
    for (const { name, look } of checks) said[name] = await look(banco)
    const canAnswer = banco && checks.every(({ name, decides }) => !decides || said[name] !== '')
    const status = isClosing() ? 'encerrando' : canAnswer ? 'ok' : 'indisponivel'
    return reply.code(status === 'ok' ? 200 : 503).send({ status, banco, ...said })
  })
}

export const checkCertificado = ({ certificado, now }: Platform): Check => ({
  name: 'certificado',
  look: () => {
    if (!certificado)
      return { dias: null, aviso: 'sem certificado do operador (A1_FILE): as SEFAZ não respondem' }
    const { dias, aviso = '' } = avisoDeValidade(certificado, now())
    return { dias, aviso }
  },
})
