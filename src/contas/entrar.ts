import type { Kysely, Transaction } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import type { Tables } from '../platform/db/tables.ts'
import { networkOf } from '../platform/limits.ts'
import { askCarta } from './cartas.ts'
import type { ContasRoom } from './contas.ts'
import { normalizarEmail } from './rules.ts'
import { confereSenha, fraquezaDe, hashDaSenha, naFila } from './senha.ts'
import { type AcessoAberto, deleteAcessos, type NovoAcesso } from './store-acessos.ts'
import { criarCodigo, gastarCodigo, verCodigo } from './store-codigos.ts'
import { type Conta, findSenhaByEmail, getConta, getSenha } from './store-contas.ts'
import { type Aguarde, type Attempt, contarTentativa, type SenhaFraca } from './store-tentativas.ts'

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

type Troca = {
  atual: string
  nova: string
  /** The login that goes on; all others end. */
  acesso?: string
  endereco: string
  signal?: AbortSignal | undefined
}

/** Changes the password of an account. All its other logins and tokens end, and the codes that set one. */
export async function trocarSenha(
  room: ContasRoom,
  conta_id: string,
  { atual, nova, acesso = '', endereco, signal }: Troca,
): Promise<'trocada' | 'invalidas' | SenhaFraca | Aguarde> {
  const { attempts, db } = room
  const recusa = await attempts.take(['senha/conta', conta_id])
  if (recusa) return { esperaS: recusa.esperaS }
  const { conta, senha_hash } = await getSenha(db, conta_id)
  const senhaFraca = fraquezaDe(nova, conta)
  if (senhaFraca !== undefined) return { senhaFraca }
  const quem = { endereco: networkOf(endereco), signal }
  return naFila(async () => {
    if (!(await confereSenha(atual, senha_hash, quem)) || senha_hash === null) return 'invalidas'
    const hash = await hashDaSenha(nova, quem)
    const isOurs = await db.kysely.transaction().execute(async (trx) => {
      // Another change that ended in between wins.
      const changed = await guardarSenha(trx, conta_id, { hash, now: room.now(), antes: senha_hash })
      if (changed) await encerrarTudo(trx, conta_id, { menos: acesso })
      return changed
    })
    if (!isOurs) return 'invalidas'
    await avisarDaTroca(room, conta_id)
    return 'trocada'
  })
}

type Redefinicao = { codigo: string; nova: string; endereco: string; signal?: AbortSignal | undefined }

/**
 * Sets the password of the account whose code a letter, or the operator, brought, and ends all its logins and
 * tokens. A weak password leaves the code good.
 */
export async function redefinirSenha(
  room: ContasRoom,
  { codigo, nova, endereco, signal }: Redefinicao,
): Promise<Conta | 'codigo-invalido' | SenhaFraca | Aguarde> {
  const { now, db, attempts, redes } = room
  const quem = { endereco: networkOf(endereco), signal }
  const recusa = await attempts.take(['codigo/endereco', quem.endereco])
  if (recusa) return { esperaS: recusa.esperaS }
  const row = await verCodigo(db, 'redefinir', codigo, now())
  if (!row?.conta_id) return 'codigo-invalido'
  const conta = await getConta(db, row.conta_id)
  const senhaFraca = fraquezaDe(nova, conta)
  if (senhaFraca !== undefined) return { senhaFraca }
  return naFila(async () => {
    const hash = await hashDaSenha(nova, quem)
    const isOurs = await db.kysely.transaction().execute(async (trx) => {
      if (!(await gastarCodigo(trx, row, now()))) return false
      await imporSenha(trx, conta.id, { hash, now: now() })
      await trx
        .updateTable('contas')
        .set({ email_confirmado_em: now().getTime() })
        .where('id', '=', conta.id)
        .where('email_confirmado_em', 'is', null)
        .execute()
      return true
    })
    if (!isOurs) return 'codigo-invalido'
    // Only its owner reads the letter: he logs in from here next, whatever strangers tried meanwhile.
    await redes.notar(conta.id, quem.endereco)
    await avisarDaTroca(room, conta.id)
    return conta
  })
}

/**
 * Sets the password of an account by the operator's word, and ends all its logins. Says in Portuguese why a
 * password is too weak, and sets nothing then.
 */
export async function definirSenha(
  db: Db,
  conta: Conta,
  senha: string,
  now: Date,
): Promise<string | undefined> {
  const fraqueza = fraquezaDe(senha, conta)
  if (fraqueza !== undefined) return fraqueza
  const hash = await hashDaSenha(senha, { endereco: '' })
  await db.kysely.transaction().execute((trx) => imporSenha(trx, conta.id, { hash, now }))
  return undefined
}

/** Sets a password without asking for the one before. */
async function imporSenha(
  trx: Transaction<Tables>,
  conta_id: string,
  { hash, now }: { hash: string; now: Date },
): Promise<void> {
  await guardarSenha(trx, conta_id, { hash, now })
  await encerrarTudo(trx, conta_id, { menos: '' })
}

/** Ends what the password before was good for: all logins but one, and the codes that set a new one. */
async function encerrarTudo(
  trx: Transaction<Tables>,
  conta_id: string,
  others: { menos: string },
): Promise<void> {
  await deleteAcessos({ kysely: trx }, conta_id, others)
  await trx.deleteFrom('codigos').where('conta_id', '=', conta_id).where('tipo', '=', 'redefinir').execute()
}

/** False, and nothing written, where the stored one is no longer `antes`. */
async function guardarSenha(
  kysely: Kysely<Tables>,
  conta_id: string,
  { hash, now, antes }: { hash: string; now: Date; antes?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('contas')
    .set({ senha_hash: hash, senha_em: now.getTime() })
    .where('id', '=', conta_id)
    .$if(antes !== undefined, (query) => query.where('senha_hash', '=', antes ?? ''))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The owner learns by letter of a change that may not be his. The change stands whether or not it leaves. */
const avisarDaTroca = (room: ContasRoom, conta_id: string): Promise<unknown> =>
  askCarta(room, { tipo: 'senha-trocada', conta_id, quando: room.now().toISOString() }).catch(() => {})

/** Makes the code by which the owner of an account sets a new password, once. */
export const codigoDaSenha = (
  db: Db,
  { id, email }: { id: string; email: string },
  { vidaMs, now }: { vidaMs: number; now: Date },
): Promise<string> => criarCodigo(db, { tipo: 'redefinir', conta_id: id, email, vidaMs, now })

/**
 * Asks for a letter with a code that sets a new password, by the same work for an e-mail without an account.
 * `carta` is false where the service sends none; `jaForam`: letters of this hour are there, and still good.
 */
export async function pedirTrocaDeSenha(
  room: ContasRoom,
  { email, endereco }: { email: string; endereco: string },
): Promise<{ carta: boolean } | 'email-invalido' | (Aguarde & { jaForam: boolean })> {
  if (room.config.SMTP_URL === undefined) return { carta: false }
  const normal = normalizarEmail(email)
  if (normal === undefined) return 'email-invalido'
  const rede = networkOf(endereco)
  const { recusa } = await contarTentativa(
    room,
    [
      ['carta/endereco', rede],
      ['carta/par', `${normal} ${rede}`],
      ['carta/email', normal],
    ],
    { email: normal, rede },
  )
  if (recusa) return { esperaS: recusa.esperaS, jaForam: recusa.de !== 'carta/endereco' }
  const pedida = await askCarta(room, { tipo: 'redefinir', email: normal })
  return 'esperaS' in pedida ? { ...pedida, jaForam: false } : pedida
}
