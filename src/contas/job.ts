import { type Carta, CorreioError } from '../platform/correio.ts'
import { type Job, JobRefused } from '../platform/jobs/kind.ts'
import { codigoDaConta, codigoDoCadastro } from './cadastro.ts'
import { type MotivoDaCarta, openMotivo, sendCarta, writeCarta } from './cartas.ts'
import type { ContasRoom } from './contas.ts'
import { codigoDaSenha } from './login.ts'
import { findContaByEmail, getConta } from './store-contas.ts'

/** The code is written before the letter goes: nobody holds one that the service does not know. */
export const sendCartas = ({
  now,
  config,
  db,
  secret,
  correio,
}: ContasRoom): Job<typeof sendCarta.payload> => ({
  ...sendCarta,
  // With their pauses they outlive half an hour without the mail server.
  attempts: 7,
  backoffMs: 30_000,
  keptMs: 24 * 60 * 60_000,
  atOnce: 2,
  async run(payload, { id, signal }) {
    const motivo = openMotivo(secret, payload)
    if (!motivo) throw new JobRefused('foi pedida com outro segredo do servidor')
    if (!correio || config.PUBLIC_URL === undefined)
      throw new JobRefused('este serviço não envia cartas: faltam SMTP_URL e PUBLIC_URL')
    const carta = await cartaOf({ now, db, secret }, motivo, config.PUBLIC_URL)
    // Nobody is told whether an e-mail has an account, not even this row.
    if (!carta) return { result: null }
    try {
      await correio.send(carta, { id, signal })
    } catch (error) {
      if (error instanceof CorreioError && error.isFinal) throw new JobRefused(error.message)
      throw error
    }
    return { result: null }
  },
})

/** Undefined where nobody is to get a letter. `publico` has no slash at its end. */
export async function cartaOf(
  room: Pick<ContasRoom, 'db' | 'secret' | 'now'>,
  motivo: MotivoDaCarta,
  publico: string,
): Promise<Carta | undefined> {
  const { now, db } = room
  const linkOf = (pagina: string, codigo: string) => `${publico}/${pagina}/?codigo=${codigo}`
  switch (motivo.tipo) {
    case 'cadastro': {
      const { tipo: _, ...pedido } = motivo
      const para = pedido.email
      if (await findContaByEmail(db, para))
        return writeCarta('ja-tem-conta', { para, link: `${publico}/recuperar-senha/` })
      const codigo = await codigoDoCadastro(room, pedido)
      return writeCarta('confirmar', { para, link: linkOf('confirmar-email', codigo) })
    }
    case 'redefinir': {
      const conta = await findContaByEmail(db, motivo.email)
      if (!conta) return undefined
      const codigo = await codigoDaSenha(db, conta, { vidaMs: VIDA_MS, now: now() })
      return writeCarta('redefinir', { para: conta.email, link: linkOf('nova-senha', codigo) })
    }
    case 'confirmar': {
      const conta = await getConta(db, motivo.conta_id)
      const codigo = await codigoDaConta(room, conta)
      return writeCarta('confirmar-conta', { para: conta.email, link: linkOf('confirmar-email', codigo) })
    }
    case 'senha-trocada': {
      const { email } = await getConta(db, motivo.conta_id)
      return writeCarta('senha-trocada', { para: email, link: `${publico}/recuperar-senha/` })
    }
  }
}

/** Longer than the hour in which strangers may use up an e-mail's letters: its owner has a good one. */
const VIDA_MS = 2 * 3_600_000
