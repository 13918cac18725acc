import type { Transaction } from 'kysely'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { cadastroDe } from '../platform/config/config.ts'
import type { Db } from '../platform/db/db.ts'
import { transact } from '../platform/db/queries.ts'
import type { CodigosTable, Tables } from '../platform/db/tables.ts'
import type { NomePlano } from '../platform/ledger/rules.ts'
import { networkOf } from '../platform/limits.ts'
import { hashOf, openSelo } from '../platform/secrets.ts'
import { askCarta } from './cartas.ts'
import type { ContasRoom } from './contas.ts'
import { EMAIL_ERRADO, normalizeEmail } from './rules.ts'
import { checkSenha, fraquezaDe, hashDaSenha, inQueue, type Quem, type SenhaFraca } from './senha.ts'
import { insertKey, newKey } from './store-chaves.ts'
import { createCodigo, findCodigo, spendCodigo, ultimosCodigos } from './store-codigos.ts'
import { type Conta, findContaByEmail, getConta, insertConta } from './store-contas.ts'
import type { Aguarde } from './store-tentativas.ts'

/** How long a letter may lie before its code is of no use. */
const VIDA_MS = 24 * 3_600_000

const Pedido = Type.Object({
  nome: Type.String(),
  email: Type.String(),
  senha_hash: Type.String(),
  /** The text of the invitation; empty without one. */
  convite: Type.String(),
})

/** A sign-up that is no account yet. Its e-mail is normal. */
type Pedido = Static<typeof Pedido>

type SemConta = 'convite-invalido' | 'email-em-uso'
type Recusa = SemConta | 'codigo-invalido'

/** Thrown inside a transaction, so that it undoes what it did. */
class Desfeito extends Error {
  readonly recusa: SemConta
  constructor(recusa: SemConta) {
    super(recusa)
    this.recusa = recusa
  }
}

/** All of it or nothing: the account, its first key, and the use of invitation and code. */
async function makeConta(
  { db, secret, now }: Pick<ContasRoom, 'db' | 'secret' | 'now'>,
  { nome, email, senha_hash, convite }: Pedido,
  codigo?: CodigosTable,
): Promise<Conta | SemConta> {
  const instante = now()
  const make = async (trx: Transaction<Tables>): Promise<Conta> => {
    if (codigo && !(await spendCodigo(trx, codigo, instante))) throw new Desfeito('email-em-uso')
    const usado =
      convite === '' ? null : await spendCodigo(trx, { tipo: 'convite', hash: hashOf(convite) }, instante)
    if (usado === undefined) throw new Desfeito('convite-invalido')
    const plano = usado?.plano ?? 'lite'
    const conta = await insertConta(trx, {
      nome,
      email,
      plano,
      now: instante,
      senha_hash,
      confirmado: codigo !== undefined,
    })
    if (!conta) throw new Desfeito('email-em-uso')
    await insertKey(trx, secret, conta.id, newKey(), instante).execute()
    return conta
  }
  try {
    return await transact(db, make)
  } catch (error) {
    if (error instanceof Desfeito) return error.recusa
    throw error
  }
}

const seloDe = (secret: string) => openSelo(secret, 'cadastro')

export const codigoDoCadastro = (
  { db, secret, now }: Pick<ContasRoom, 'db' | 'secret' | 'now'>,
  pedido: Pedido,
): Promise<string> =>
  createCodigo(db, {
    tipo: 'confirmar',
    email: pedido.email,
    dados: seloDe(secret).seal(JSON.stringify(pedido), pedido.email),
    vidaMs: VIDA_MS,
    now: now(),
  })

export const codigoDaConta = (
  { db, now }: Pick<ContasRoom, 'db' | 'now'>,
  { id, email }: Pick<Conta, 'id' | 'email'>,
): Promise<string> =>
  createCodigo(db, { tipo: 'confirmar', conta_id: id, email, vidaMs: VIDA_MS, now: now() })

type Confirmacao = Quem & { codigo: string; senha: string }

/** A sign-up also wants the password that was typed then: a stranger may have typed the e-mail. */
export async function confirmEmail(
  room: ContasRoom,
  { codigo, senha, endereco, signal }: Confirmacao,
): Promise<Conta | Recusa | 'senha-errada' | Aguarde> {
  const { attempts, db, secret, redes, now } = room
  const quem = { endereco: networkOf(endereco), signal }
  const recusa = await attempts.take(['codigo/endereco', quem.endereco])
  if (recusa) return { esperaS: recusa.esperaS }
  const row = await findCodigo(db, 'confirmar', codigo, now())
  const pedido = row?.conta_id === null ? readPedido(secret, row) : undefined
  if (!row || (row.conta_id === null && !pedido)) return 'codigo-invalido'
  if (!pedido) return confirm(room, row)
  return inQueue(async () => {
    if (!(await checkSenha(senha, pedido.senha_hash, quem))) return 'senha-errada'
    const feito = await confirm(room, row)
    if (typeof feito !== 'string') await redes.note(feito.id, quem.endereco)
    return feito
  })
}

export async function emailDoCadastro(
  { db, now }: Pick<ContasRoom, 'db' | 'now'>,
  codigo: string,
): Promise<string | undefined> {
  const row = await findCodigo(db, 'confirmar', codigo, now())
  return row?.conta_id === null ? row.email : undefined
}

/** `codigo-invalido`: no letter of the last 24 hours waits. `varios`: one of the sign-ups may be his. */
export async function confirmByOperator(
  room: Pick<ContasRoom, 'db' | 'secret' | 'now'>,
  email: string,
): Promise<Conta | Recusa | 'varios'> {
  const { db, now } = room
  const [row, outro] = await ultimosCodigos(db, 'confirmar', email, now())
  if (!row) return 'codigo-invalido'
  // Each has a password of whoever typed the e-mail, and only a letter reaches its owner.
  return outro && row.conta_id === null ? 'varios' : confirm(room, row)
}

async function confirm(
  room: Pick<ContasRoom, 'db' | 'secret' | 'now'>,
  row: CodigosTable,
): Promise<Conta | Recusa> {
  const { db, secret, now } = room
  if (row.conta_id === null) {
    const pedido = readPedido(secret, row)
    return pedido ? makeConta(room, pedido, row) : 'codigo-invalido'
  }
  const conta = await getConta(db, row.conta_id)
  // The letter went to the e-mail that the account had then.
  if (conta.email !== row.email || !(await spendCodigo(db.kysely, row, now()))) return 'codigo-invalido'
  await db.kysely
    .updateTable('contas')
    .set({ email_confirmado_em: now().getTime() })
    .where('id', '=', conta.id)
    .execute()
  return conta
}

/** The sign-up that waits under a code; undefined if it was sealed with another secret. */
function readPedido(secret: string, { dados, email }: CodigosTable): Pedido | undefined {
  const text = seloDe(secret).open(dados ?? '', email)
  const pedido: unknown = text && JSON.parse(text.toString())
  return Check(Pedido, pedido) ? pedido : undefined
}

const DAY_MS = 86_400_000

/** For whom (anybody, where `email` is empty), with which plan, and how long it may be used. */
type NovoConvite = { email: string; plano: NomePlano; dias: number; now: Date }

export const createConvite = (db: Db, { email, plano, dias, now }: NovoConvite): Promise<string> =>
  createCodigo(db, { tipo: 'convite', email, plano, vidaMs: dias * DAY_MS, now })

async function findConvite(
  db: Db,
  convite: string,
  { email, now }: { email: string; now: Date },
): Promise<CodigosTable | undefined> {
  const row = await findCodigo(db, 'convite', convite, now)
  return row && (row.email === '' || row.email === email) ? row : undefined
}

const MAIOR_NOME = 120

export type Cadastramento = {
  nome: string
  email: string
  senha: string
  convite?: string | undefined
  endereco: string
  signal?: AbortSignal | undefined
}

type Errado = { parametro: 'nome' | 'email'; motivo: string }

/** With letters (`carta`) nothing is made yet, and nobody learns whether the e-mail has an account. */
export async function signUp(
  room: ContasRoom,
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
  const { config, attempts, db, redes, now } = room
  const cadastro = cadastroDe(config)
  if (cadastro === 'fechado') return 'fechado'
  const dados = readDados(typed)
  if ('parametro' in dados) return dados
  const { email } = dados
  const senhaFraca = fraquezaDe(senha, dados)
  if (senhaFraca !== undefined) return { senhaFraca }
  const rede = networkOf(endereco)
  const recusa = await attempts.take(
    ['cadastrar/endereco', rede],
    ['cadastrar/par', `${email} ${rede}`],
    ['cadastrar/email', email],
  )
  if (recusa) return { esperaS: recusa.esperaS }
  const needsConvite = cadastro === 'convite' || convite !== ''
  if (needsConvite && !(await findConvite(db, convite, { email, now: now() }))) return 'convite-invalido'
  if (config.SMTP_URL === undefined && (await findContaByEmail(db, email))) return 'email-em-uso'
  return inQueue(async () => {
    const senha_hash = await hashDaSenha(senha, { endereco: rede, signal })
    const pedido = { ...dados, senha_hash, convite }
    if (config.SMTP_URL === undefined) {
      const made = await makeConta(room, pedido)
      if (typeof made === 'string') return made
      await redes.note(made.id, rede)
      return { conta: made, carta: false }
    }
    return askCarta(room, { tipo: 'cadastro', ...pedido })
  })
}

function readDados({
  nome,
  email,
}: {
  nome: string
  email: string
}): { nome: string; email: string } | Errado {
  const dito = nome.normalize('NFC').trim()
  if (dito === '' || [...dito].length > MAIOR_NOME || /[\p{C}\p{Zl}\p{Zp}]/u.test(dito))
    return { parametro: 'nome', motivo: `envie um nome de 1 a ${MAIOR_NOME} caracteres, em uma linha` }
  const normal = normalizeEmail(email)
  return normal === undefined ? { parametro: 'email', motivo: EMAIL_ERRADO } : { nome: dito, email: normal }
}

export async function askConfirmacao(
  room: ContasRoom,
  { id }: Pick<Conta, 'id'>,
): Promise<{ carta: boolean } | Aguarde> {
  // He is in: what strangers ask for in his name does not count here.
  const recusa = await room.attempts.take(['carta/conta', id])
  if (recusa) return { esperaS: recusa.esperaS }
  return askCarta(room, { tipo: 'confirmar', conta_id: id })
}
