import { newRequestId } from '../platform/jobs/request-id.ts'
import { falhaOf } from './falha.ts'
import type { RecursosSigef } from './recursos.ts'
import { renewInTurn } from './sessao.ts'
import { needsRenewal, situacaoDaSessao } from './sigef-sessao.ts'

/**
 * Renews the session with SIGEF before it ends, and says in the log, once a day or when it changes, what the
 * operator should do about it. Without a session it does nothing.
 */
export function sessaoKeeper(ctx: RecursosSigef): () => Promise<void> {
  const { config, store, now, log } = ctx
  let told = ''

  async function renew(): Promise<void> {
    try {
      const request_id = newRequestId(now())
      await renewInTurn(ctx, { request_id, emVaga: (ask) => ask() })
    } catch (error) {
      const falha = falhaOf(error)
      if (!falha) throw error
      log.warn({ code: falha.code, why: falha.message }, 'the session with SIGEF was not renewed')
    }
  }

  return async () => {
    const dados = config.SIGEF === 'ligado' ? await store.sessoes.look() : undefined
    if (!dados) return
    if (needsRenewal(dados, now())) await renew()
    const after = await store.sessoes.look()
    const { situacao, aviso } = situacaoDaSessao(after, now())
    const news = `${situacao} ${after?.renovavel} ${now().toISOString().slice(0, 10)}`
    if (aviso !== '' && news !== told) log.warn({ situacao }, aviso)
    told = news
  }
}
