import { networkOf } from '../../store/contas/address-count.ts'
import type { Conta } from '../conta.ts'
import { normalizarEmail } from '../email.ts'
import { type Aguarde, FILA_S, type RecursosDeContas } from '../recursos.ts'
import { pedirCarta } from './carta.ts'

type Recursos = {
  config: Pick<RecursosDeContas['config'], 'SMTP_URL'>
  store: Pick<RecursosDeContas['store'], 'secret' | 'jobs' | 'attempts'>
}

/**
 * Asks for a letter with a code that sets a new password; `carta` is false where the service sends none. The
 * work and the answer are the same for an e-mail that has no account: the job looks for it.
 */
export async function pedirTrocaDeSenha(
  recursos: Recursos,
  { email, endereco }: { email: string; endereco: string },
): Promise<{ carta: boolean } | 'email-invalido' | Aguarde> {
  if (recursos.config.SMTP_URL === undefined) return { carta: false }
  const normal = normalizarEmail(email)
  if (normal === undefined) return 'email-invalido'
  const rede = networkOf(endereco)
  const esperaS = await recursos.store.attempts.take(['carta/endereco', rede], ['carta/email', normal])
  if (esperaS !== undefined) return { esperaS }
  return pedir(recursos, { tipo: 'redefinir', email: normal })
}

/** Asks for a letter by which the owner of an account proves its e-mail. */
export async function pedirConfirmacao(
  recursos: Recursos,
  { id, email }: Pick<Conta, 'id' | 'email'>,
): Promise<{ carta: boolean } | Aguarde> {
  const esperaS = await recursos.store.attempts.take(['carta/email', email])
  if (esperaS !== undefined) return { esperaS }
  return pedir(recursos, { tipo: 'confirmar', conta_id: id })
}

async function pedir(
  recursos: Recursos,
  motivo: Parameters<typeof pedirCarta>[1],
): Promise<{ carta: boolean } | Aguarde> {
  if (await pedirCarta(recursos, motivo)) return { carta: true }
  return recursos.config.SMTP_URL === undefined ? { carta: false } : { esperaS: FILA_S }
}
