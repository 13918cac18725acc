import { networkOf } from '../platform/limits.ts'
import { abrirConta } from './cadastro.ts'
import { pedirCarta } from './cartas.ts'
import { type Conta, findContaByEmail } from './conta.ts'
import { verConvite } from './convite.ts'
import { EMAIL_ERRADO, normalizarEmail } from './email.ts'
import { fraquezaDe } from './fraca.ts'
import { type Aguarde, cadastroDe, FILA_S, type RecursosDeContas, type SenhaFraca } from './recursos.ts'
import { hashDaSenha, naFila } from './senha.ts'

const MAIOR_NOME = 120

/** What a person typed to sign up, and whence. */
export type Cadastramento = {
  nome: string
  email: string
  senha: string
  convite?: string | undefined
  endereco: string
  signal?: AbortSignal | undefined
}

/** What was typed and is wrong, in Portuguese. */
type Errado = { parametro: 'nome' | 'email'; motivo: string }

/**
 * Signs a person up. Without letters the account is there at once, with its first key; with them (`carta`)
 * nothing is made before the e-mail is proved, and nobody learns from the answer whether it has an account.
 */
export async function cadastrar(
  recursos: RecursosDeContas,
  { senha, convite = '', endereco, signal, ...typed }: Cadastramento,
): Promise<
  | { conta?: Conta; carta: boolean }
  | 'fechado'
  | 'convite-invalido'
  | 'email-em-uso'
  | Errado
  | SenhaFraca
  | Aguarde
> {
  const { config, store, now } = recursos
  const cadastro = cadastroDe(config)
  if (cadastro === 'fechado') return 'fechado'
  const dados = lerDados(typed)
  if ('parametro' in dados) return dados
  const { email } = dados
  const senhaFraca = fraquezaDe(senha, dados)
  if (senhaFraca !== undefined) return { senhaFraca }
  const rede = networkOf(endereco)
  const recusa = await store.attempts.take(
    ['cadastrar/endereco', rede],
    ['cadastrar/par', `${email} ${rede}`],
    ['cadastrar/email', email],
  )
  if (recusa) return { esperaS: recusa.esperaS }
  const precisa = cadastro === 'convite' || convite !== ''
  if (precisa && !(await verConvite(store.db, convite, { email, now: now() }))) return 'convite-invalido'
  if (config.SMTP_URL === undefined && (await findContaByEmail(store.db, email))) return 'email-em-uso'
  return naFila(async () => {
    const senha_hash = await hashDaSenha(senha, { endereco: rede, signal })
    const pedido = { ...dados, senha_hash, convite }
    if (config.SMTP_URL === undefined) {
      const made = await abrirConta(recursos, pedido)
      if (typeof made === 'string') return made
      await store.redes.notar(made.id, rede)
      return { conta: made, carta: false }
    }
    return (await pedirCarta(recursos, { tipo: 'cadastro', ...pedido }))
      ? { carta: true }
      : { esperaS: FILA_S }
  })
}

function lerDados({
  nome,
  email,
}: {
  nome: string
  email: string
}): { nome: string; email: string } | Errado {
  const dito = nome.normalize('NFC').trim()
  if (dito === '' || [...dito].length > MAIOR_NOME || /[\p{C}\p{Zl}\p{Zp}]/u.test(dito))
    return { parametro: 'nome', motivo: `envie um nome de 1 a ${MAIOR_NOME} caracteres, em uma linha` }
  const normal = normalizarEmail(email)
  return normal === undefined ? { parametro: 'email', motivo: EMAIL_ERRADO } : { nome: dito, email: normal }
}
