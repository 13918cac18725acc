import { networkOf } from '../platform/limits.ts'
import { pedirCarta } from './cartas.ts'
import type { Conta } from './conta.ts'
import { normalizarEmail } from './email.ts'
import { type Aguarde, FILA_S, type RecursosDeContas } from './recursos.ts'
import { contarTentativa } from './redes.ts'

type Recursos = {
  config: Pick<RecursosDeContas['config'], 'SMTP_URL'>
  store: Pick<RecursosDeContas['store'], 'secret' | 'jobs' | 'attempts' | 'db' | 'redes'>
}

/**
 * Asks for a letter with a code that sets a new password, by the same work for an e-mail without an account.
 * `carta` is false where the service sends none; `jaForam`: letters of this hour are there, and still good.
 */
export async function pedirTrocaDeSenha(
  recursos: Recursos,
  { email, endereco }: { email: string; endereco: string },
): Promise<{ carta: boolean } | 'email-invalido' | (Aguarde & { jaForam: boolean })> {
  if (recursos.config.SMTP_URL === undefined) return { carta: false }
  const normal = normalizarEmail(email)
  if (normal === undefined) return 'email-invalido'
  const rede = networkOf(endereco)
  const { recusa } = await contarTentativa(
    recursos.store,
    [
      ['carta/endereco', rede],
      ['carta/par', `${normal} ${rede}`],
      ['carta/email', normal],
    ],
    { email: normal, rede },
  )
  if (recusa) return { esperaS: recusa.esperaS, jaForam: recusa.de !== 'carta/endereco' }
  const pedida = await pedir(recursos, { tipo: 'redefinir', email: normal })
  return 'esperaS' in pedida ? { ...pedida, jaForam: false } : pedida
}

/** Asks for a letter by which the owner of an account proves its e-mail. */
export async function pedirConfirmacao(
  recursos: Recursos,
  { id }: Pick<Conta, 'id'>,
): Promise<{ carta: boolean } | Aguarde> {
  // He is in: what strangers ask for in his name does not count here.
  const recusa = await recursos.store.attempts.take(['carta/conta', id])
  if (recusa) return { esperaS: recusa.esperaS }
  return pedir(recursos, { tipo: 'confirmar', conta_id: id })
}

async function pedir(
  recursos: Recursos,
  motivo: Parameters<typeof pedirCarta>[1],
): Promise<{ carta: boolean } | Aguarde> {
  if (await pedirCarta(recursos, motivo)) return { carta: true }
  return recursos.config.SMTP_URL === undefined ? { carta: false } : { esperaS: FILA_S }
}
