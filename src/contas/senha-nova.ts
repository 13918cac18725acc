import type { Kysely, Transaction } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import type { Tables } from '../platform/db/tables.ts'
import { networkOf } from '../platform/limits.ts'
import { pedirCarta } from './cartas.ts'
import { type Conta, getConta, getSenha } from './conta.ts'
import type { ContasRoom } from './contas.ts'
import { confereSenha, fraquezaDe, hashDaSenha, naFila } from './senha.ts'
import { deleteAcessos } from './store-acessos.ts'
import { gastarCodigo, verCodigo } from './store-codigos.ts'
import type { Aguarde, SenhaFraca } from './tentar.ts'

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
  pedirCarta(room, { tipo: 'senha-trocada', conta_id, quando: room.now().toISOString() }).catch(() => {})
