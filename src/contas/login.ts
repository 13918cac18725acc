import type { Kysely, Transaction } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { transact } from '../platform/db/queries.ts'
import type { Tables } from '../platform/db/tables.ts'
import { networkOf } from '../platform/limits.ts'
import { askCarta } from './cartas.ts'
import type { ContasRoom } from './contas.ts'
import { normalizeEmail } from './rules.ts'
import { checkSenha, fraquezaDe, hashDaSenha, inQueue, type SenhaFraca } from './senha.ts'
import { type AcessoAberto, deleteAcessos, type NovoAcesso } from './store-acessos.ts'
import { createCodigo, findCodigo, spendCodigo } from './store-codigos.ts'
import { type Conta, findSenhaByEmail, getConta, getSenha } from './store-contas.ts'
import { type Aguarde, type Attempt, countTentativa } from './store-tentativas.ts'

export type Credenciais = Omit<NovoAcesso, 'conta_id'> & {
  email: string
  senha: string
  signal?: AbortSignal | undefined
}

/** A blocked account logs in too. An unknown e-mail takes the same work as a wrong password. */
export async function logIn(
  room: ContasRoom,
  { email, senha, tipo, agente, endereco, signal }: Credenciais,
): Promise<(AcessoAberto & { conta: Conta }) | 'invalidas' | Aguarde> {
  const rede = networkOf(endereco)
  const normal = normalizeEmail(email) ?? ''
  const tentativa = await countTentativa(room, tentativasDe(normal, rede), { email: normal, rede })
  if (tentativa.recusa) return { esperaS: tentativa.recusa.esperaS }
  const achada = await findSenhaByEmail(room.db, normal)
  return inQueue(async () => {
    const matches = await checkSenha(senha, achada?.senha_hash ?? null, { endereco: rede, signal })
    if (!matches || !achada?.senha_hash) return 'invalidas'
    const { conta, senha_hash } = achada
    // The password was right: it was no guess, and the network is its owner's.
    await room.attempts.giveBack(...tentativa.contada)
    await room.redes.note(conta.id, rede)
    // A password that was changed meanwhile has ended all logins already: this one must not come after.
    const novo = { conta_id: conta.id, tipo, agente, endereco }
    const aberto = await room.acessos.openBySenha(novo, senha_hash)
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
export async function changeSenha(
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
  return inQueue(async () => {
    if (!(await checkSenha(atual, senha_hash, quem)) || senha_hash === null) return 'invalidas'
    const hash = await hashDaSenha(nova, quem)
    const isOurs = await transact(db, async (trx) => {
      // Another change that ended in between wins.
      const changed = await keepSenha(trx, conta_id, { hash, now: room.now(), antes: senha_hash })
      if (changed) await endAll(trx, conta_id, { menos: acesso })
      return changed
    })
    if (!isOurs) return 'invalidas'
    await tellTroca(room, conta_id)
    return 'trocada'
  })
}

type Redefinicao = { codigo: string; nova: string; endereco: string; signal?: AbortSignal | undefined }

/** Ends all logins and tokens of the account, and proves its e-mail. A weak password leaves the code good. */
export async function resetSenha(
  room: ContasRoom,
  { codigo, nova, endereco, signal }: Redefinicao,
): Promise<Conta | 'codigo-invalido' | SenhaFraca | Aguarde> {
  const { now, db, attempts, redes } = room
  const quem = { endereco: networkOf(endereco), signal }
  const recusa = await attempts.take(['codigo/endereco', quem.endereco])
  if (recusa) return { esperaS: recusa.esperaS }
  const row = await findCodigo(db, 'redefinir', codigo, now())
  if (!row?.conta_id) return 'codigo-invalido'
  const conta = await getConta(db, row.conta_id)
  const senhaFraca = fraquezaDe(nova, conta)
  if (senhaFraca !== undefined) return { senhaFraca }
  return inQueue(async () => {
    const hash = await hashDaSenha(nova, quem)
    const isOurs = await transact(db, async (trx) => {
      if (!(await spendCodigo(trx, row, now()))) return false
      await replaceSenha(trx, conta.id, { hash, now: now() })
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
    await redes.note(conta.id, quem.endereco)
    await tellTroca(room, conta.id)
    return conta
  })
}

/** By the operator's word. Says in Portuguese why a password is too weak, and sets nothing then. */
export async function setSenha(db: Db, conta: Conta, senha: string, now: Date): Promise<string | undefined> {
  const fraqueza = fraquezaDe(senha, conta)
  if (fraqueza !== undefined) return fraqueza
  const hash = await hashDaSenha(senha, { endereco: '' })
  await transact(db, (trx) => replaceSenha(trx, conta.id, { hash, now }))
  return undefined
}

async function replaceSenha(
  trx: Transaction<Tables>,
  conta_id: string,
  { hash, now }: { hash: string; now: Date },
): Promise<void> {
  await keepSenha(trx, conta_id, { hash, now })
  await endAll(trx, conta_id, { menos: '' })
}

/** Ends what the password before was good for: all logins but one, and the codes that set a new one. */
async function endAll(trx: Transaction<Tables>, conta_id: string, others: { menos: string }): Promise<void> {
  await deleteAcessos({ kysely: trx }, conta_id, others)
  await trx.deleteFrom('codigos').where('conta_id', '=', conta_id).where('tipo', '=', 'redefinir').execute()
}

/** False, and nothing written, where the stored one is no longer `antes`. */
async function keepSenha(
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
const tellTroca = (room: ContasRoom, conta_id: string): Promise<unknown> =>
  askCarta(room, { tipo: 'senha-trocada', conta_id, quando: room.now().toISOString() }).catch(() => {})

export const codigoDaSenha = (
  db: Db,
  { id, email }: { id: string; email: string },
  { vidaMs, now }: { vidaMs: number; now: Date },
): Promise<string> => createCodigo(db, { tipo: 'redefinir', conta_id: id, email, vidaMs, now })

/** An e-mail without an account takes the same work. `jaForam`: letters of this hour are still good. */
export async function askSenhaNova(
  room: ContasRoom,
  { email, endereco }: { email: string; endereco: string },
): Promise<{ carta: boolean } | 'email-invalido' | (Aguarde & { jaForam: boolean })> {
  if (room.config.SMTP_URL === undefined) return { carta: false }
  const normal = normalizeEmail(email)
  if (normal === undefined) return 'email-invalido'
  const rede = networkOf(endereco)
  const { recusa } = await countTentativa(
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
