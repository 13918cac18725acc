import { networkOf } from '../platform/limits.ts'
import { type Conta, findSenhaByEmail } from './conta.ts'
import type { ContasRoom } from './contas.ts'
import { normalizarEmail } from './rules.ts'
import { confereSenha, naFila } from './senha.ts'
import type { AcessoAberto, NovoAcesso } from './store-acessos.ts'
import { type Aguarde, contarTentativa } from './tentar.ts'
import type { Attempt } from './tentativas.ts'

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
  room: ContasRoom,
  { email, senha, tipo, agente, endereco, signal }: Credenciais,
): Promise<(AcessoAberto & { conta: Conta }) | 'invalidas' | Aguarde> {
  const rede = networkOf(endereco)
  const normal = normalizarEmail(email) ?? ''
  const tentativa = await contarTentativa(room, tentativasDe(normal, rede), { email: normal, rede })
  if (tentativa.recusa) return { esperaS: tentativa.recusa.esperaS }
  const achada = await findSenhaByEmail(room.db, normal)
  return naFila(async () => {
    const confere = await confereSenha(senha, achada?.senha_hash ?? null, { endereco: rede, signal })
    if (!confere || !achada?.senha_hash) return 'invalidas'
    const { conta, senha_hash } = achada
    // The password was right: it was no guess, and the network is its owner's.
    await room.attempts.giveBack(...tentativa.contada)
    await room.redes.notar(conta.id, rede)
    // A password that was changed meanwhile has ended all logins already: this one must not come after.
    const novo = { conta_id: conta.id, tipo, agente, endereco }
    const aberto = await room.acessos.abrirPorSenha(novo, senha_hash)
    return aberto ? { ...aberto, conta } : 'invalidas'
  })
}

/** A text that is no e-mail has no count of its own: the typos of all would share one. */
const tentativasDe = (email: string, rede: string): readonly Attempt[] => [
  ['entrar/endereco', rede],
  ...(email === ''
    ? []
    : ([
        ['entrar/par', `${email} ${rede}`],
        ['entrar/email', email],
      ] as const)),
]
