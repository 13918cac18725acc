import type { AcessoAberto, NovoAcesso } from '../store/acessos/acessos.ts'
import { networkOf } from '../store/contas/address-count.ts'
import { type Conta, findSenhaByEmail } from './conta.ts'
import { normalizarEmail } from './email.ts'
import type { Aguarde, RecursosDeContas } from './recursos.ts'
import { confereSenha, naFila } from './senha/argon2.ts'

/** What a person typed to log in, whence, and to what. `signal` is aborted when he leaves. */
export type Credenciais = Omit<NovoAcesso, 'conta_id'> & {
  email: string
  senha: string
  signal?: AbortSignal | undefined
}

/**
 * Logs in with an e-mail and its password, also to a blocked account: its calls are refused elsewhere. An
 * e-mail that is unknown or has no password takes the same work as a wrong password.
 */
export async function entrar(
  { store }: { store: Pick<RecursosDeContas['store'], 'db' | 'attempts' | 'acessos'> },
  { email, senha, tipo, agente, endereco, signal }: Credenciais,
): Promise<(AcessoAberto & { conta: Conta }) | 'invalidas' | Aguarde> {
  const rede = networkOf(endereco)
  const normal = normalizarEmail(email) ?? ''
  // A text that is no e-mail has no count of its own: the typos of all would share one.
  const porEmail = normal === '' ? [] : [['entrar/email', normal] as const]
  const esperaS = await store.attempts.take(['entrar/endereco', rede], ...porEmail)
  if (esperaS !== undefined) return { esperaS }
  const achada = await findSenhaByEmail(store.db, normal)
  return naFila(async () => {
    const confere = await confereSenha(senha, achada?.senha_hash ?? null, { endereco: rede, signal })
    if (!confere || !achada?.senha_hash) return 'invalidas'
    const { conta, senha_hash } = achada
    // A password that was changed meanwhile has ended all logins already: this one must not come after.
    const novo = { conta_id: conta.id, tipo, agente, endereco }
    const aberto = await store.acessos.abrirPorSenha(novo, senha_hash)
    return aberto ? { ...aberto, conta } : 'invalidas'
  })
}
