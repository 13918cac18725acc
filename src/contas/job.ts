import { CorreioError } from '../platform/correio.ts'
import { type Job, JobRefused } from '../platform/jobs/kind.ts'
import { abrirPedido, enviarCarta } from './cartas.ts'
import { escrever } from './cartas-de-acesso.ts'
import type { ContasRoom } from './contas.ts'

/**
 * Writes a letter and sends it. Its code is written before the letter goes, so that nobody holds a code that
 * the service does not know; a run that is repeated makes another, and both are good.
 */
export const enviarCartas = ({
  now,
  config,
  db,
  secret,
  correio,
}: ContasRoom): Job<typeof enviarCarta.payload> => ({
  ...enviarCarta,
  // With their pauses they outlive half an hour without the mail server.
  attempts: 7,
  backoffMs: 30_000,
  keptMs: 24 * 60 * 60_000,
  atOnce: 2,
  async run(payload, { id, signal }) {
    const motivo = abrirPedido(secret, payload)
    if (!motivo) throw new JobRefused('foi pedida com outro segredo do servidor')
    if (!correio || config.PUBLIC_URL === undefined)
      throw new JobRefused('este serviço não envia cartas: faltam SMTP_URL e PUBLIC_URL')
    const carta = await escrever({ now, db, secret }, motivo, config.PUBLIC_URL)
    // Nobody is told whether an e-mail has an account, not even this row.
    if (!carta) return { result: null }
    try {
      await correio.enviar(carta, { id, signal })
    } catch (error) {
      if (error instanceof CorreioError && error.isFinal) throw new JobRefused(error.message)
      throw error
    }
    return { result: null }
  },
})
