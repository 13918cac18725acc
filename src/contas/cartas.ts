import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { JobsFull } from '../platform/jobs/jobs.ts'
import type { JobKind } from '../platform/jobs/kind.ts'
import { openSelo } from '../platform/secrets.ts'
import type { RecursosDeContas } from './recursos.ts'

/** What a letter is about. It holds what must not be read in the database. */
const MotivoDaCarta = Type.Union([
  /** Somebody signed up: the owner of the e-mail proves it, or learns that he has an account. */
  Type.Object({
    tipo: Type.Literal('cadastro'),
    nome: Type.String(),
    email: Type.String(),
    senha_hash: Type.String(),
    /** The text of the invitation; empty without one. */
    convite: Type.String(),
  }),
  /** Somebody asked for a new password. Nobody knows yet whether the e-mail has an account. */
  Type.Object({ tipo: Type.Literal('redefinir'), email: Type.String() }),
  /** An account that is there proves its e-mail. */
  Type.Object({ tipo: Type.Literal('confirmar'), conta_id: Type.String() }),
  /** The password was changed at an instant, ISO 8601 UTC. */
  Type.Object({ tipo: Type.Literal('senha-trocada'), conta_id: Type.String(), quando: Type.String() }),
])

export type MotivoDaCarta = Static<typeof MotivoDaCarta>

const payload = Type.Object({ chave: Type.String(), selado: Type.String() })

/** The durable work that writes a letter and sends it. What it is about is sealed in it. */
export const enviarCarta: JobKind<typeof payload> = {
  kind: 'enviar-carta',
  payload,
  key: ({ chave }) => chave,
}

/** The most letters that wait to leave. */
const MOST = { open: 2_000, own: 2_000 }

const selo = (secret: string) => openSelo(secret, 'cartas')

/**
 * Asks for a letter; one about the same that still waits serves for both. False where there are no letters
 * without SMTP_URL, or too many wait.
 */
export async function pedirCarta(
  {
    config,
    store,
  }: {
    config: Pick<RecursosDeContas['config'], 'SMTP_URL'>
    store: Pick<RecursosDeContas['store'], 'secret' | 'jobs'>
  },
  motivo: MotivoDaCarta,
): Promise<boolean> {
  if (config.SMTP_URL === undefined) return false
  const text = JSON.stringify(motivo)
  const { seal, mac } = selo(store.secret)
  const chave = mac(text)
  try {
    await store.jobs.enqueue(enviarCarta, { chave, selado: seal(text, chave) }, { most: MOST })
    return true
  } catch (error) {
    if (error instanceof JobsFull) return false
    throw error
  }
}

/** What a letter is about; undefined if it was asked for under another secret. */
export function abrirPedido(
  secret: string,
  { chave, selado }: Static<typeof payload>,
): MotivoDaCarta | undefined {
  const text = selo(secret).open(selado, chave)
  const motivo: unknown = text && JSON.parse(text.toString())
  return Check(MotivoDaCarta, motivo) ? motivo : undefined
}
