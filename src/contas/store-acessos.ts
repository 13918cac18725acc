import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { deleteExpired, deleteInBatches, transact } from '../platform/db/queries.ts'
import type { AcessosTable } from '../platform/db/tables.ts'
import { hashOf, openSelo } from '../platform/secrets.ts'

const selectAcesso = (
  { kysely }: Db,
  coluna: 'id' | 'hash',
  valor: string,
  instante: number,
): Promise<AcessosTable | undefined> =>
  kysely
    .selectFrom('acessos')
    .selectAll()
    .where(coluna, '=', valor)
    .where('expira_em', '>', instante)
    .executeTakeFirst()

const selectAcessos = ({ kysely }: Db, conta_id: string, instante: number): Promise<AcessosTable[]> =>
  kysely
    .selectFrom('acessos')
    .selectAll()
    .where('conta_id', '=', conta_id)
    .where('expira_em', '>', instante)
    .orderBy('visto_em', 'desc')
    .orderBy('id')
    .execute()

/** Writes a login. With the stored password that proved it: false, and no row, where another is stored. */
const insertAcesso = (db: Db, linha: AcessosTable, senha_hash?: string): Promise<boolean> =>
  transact(db, async (trx) => {
    if (senha_hash !== undefined) {
      // Locks the account's row, as a new password does: that one ends this login, or was there before it.
      const { numUpdatedRows } = await trx
        .updateTable('contas')
        .set((set) => ({ senha_em: set.ref('senha_em') }))
        .where('id', '=', linha.conta_id)
        .where('senha_hash', '=', senha_hash)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
    }
    await trx.insertInto('acessos').values(linha).execute()
    return true
  })

const HOUR_MS = 3_600_000
/** How long a login lives: a session of the dashboard without use, the tokens of the API in all. */
const VIDA_MS = { painel: 7 * 24 * HOUR_MS, api: HOUR_MS } as const
/** How long a session of the dashboard lives however much it is used. */
const MAIOR_VIDA_MS = 30 * 24 * HOUR_MS
const TOUCH_MS = 60_000

type Usado = Pick<AcessosTable, 'id' | 'tipo' | 'criado_em' | 'visto_em' | 'expira_em'>

export async function noteUso({ kysely }: Db, linha: Usado, instante: number): Promise<void> {
  if (instante - linha.visto_em < TOUCH_MS) return
  const longer = Math.min(instante + VIDA_MS.painel, linha.criado_em + MAIOR_VIDA_MS)
  const expira_em = linha.tipo === 'painel' ? longer : linha.expira_em
  await kysely
    .updateTable('acessos')
    .set({ visto_em: instante, expira_em })
    .where('id', '=', linha.id)
    .execute()
}

const deleteExcesso = ({ kysely }: Db, conta_id: string, most: number): Promise<unknown> =>
  sql`delete from acessos where conta_id = ${conta_id} and id not in (select id from acessos
    where conta_id = ${conta_id} order by visto_em desc, criado_em desc, id limit ${most})`.execute(kysely)

export async function deleteAcessos(
  { kysely }: Pick<Db, 'kysely'>,
  conta_id: string,
  which: { id: string } | { menos: string },
): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('acessos')
    .where('conta_id', '=', conta_id)
    .where('id', 'id' in which ? '=' : '<>', 'id' in which ? which.id : which.menos)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export type Acesso = {
  id: string
  conta_id: string
  /** A session of the dashboard, or the tokens of one login by the API. */
  tipo: 'painel' | 'api'
  criado_em: Date
  visto_em: Date
  expira_em: Date
  agente: string
  endereco: string
}

export type NovoAcesso = Pick<Acesso, 'conta_id' | 'tipo' | 'agente' | 'endereco'>

/** A new login. `token` is what the cookie of the dashboard holds; only its hash is stored. */
export type AcessoAberto = { acesso: Acesso; token: string }

/**
 * The log-ins of the accounts, of which one that is over counts as none. Each question reads the database: a
 * node sees at once what another made or ended.
 */
export type Acessos = {
  /** Makes a login that needs no password. */
  open: (novo: NovoAcesso) => Promise<AcessoAberto>
  /** Makes the login that a password proved; undefined where the account's stored one is another by now. */
  openBySenha: (novo: NovoAcesso, senha_hash: string) => Promise<AcessoAberto | undefined>
  /** The session of a cookie's token; undefined for one that is unknown or over. */
  findByToken: (token: string) => Promise<Acesso | undefined>
  find: (id: string) => Promise<Acesso | undefined>
  /** Those in force. */
  list: (conta_id: string) => Promise<Acesso[]>
  /** Ends one of the account's; false where it has none of this id. */
  end: (conta_id: string, id: string) => Promise<boolean>
  /** Ends all logins of an account, but for the one that is named. Returns how many. */
  endAll: (conta_id: string, options?: { menos?: string }) => Promise<number>
  /** Deletes what is over, one-time codes too. Returns how many rows. */
  sweep: (signal?: AbortSignal) => Promise<number>
}

/** The most logins of an account: one more ends the one that was seen longest ago. */
const MAIS_ACESSOS = 50
const TOKEN_BYTES = 32
const MAIOR_AGENTE = 200

export function openAcessos(db: Db, { now }: { now: () => Date }): Acessos {
  const find = async (coluna: 'id' | 'hash', valor: string): Promise<Acesso | undefined> => {
    const instante = now().getTime()
    const linha = await selectAcesso(db, coluna, valor, instante)
    if (!linha) return undefined
    await noteUso(db, linha, instante)
    return toAcesso(linha)
  }

  return {
    open: async (novo) => {
      const { linha, token } = toLinha(novo, now())
      await insertAcesso(db, linha)
      await deleteExcesso(db, novo.conta_id, MAIS_ACESSOS)
      return { acesso: toAcesso(linha), token }
    },
    openBySenha: async (novo, senha_hash) => {
      const { linha, token } = toLinha(novo, now())
      if (!(await insertAcesso(db, linha, senha_hash))) return undefined
      await deleteExcesso(db, novo.conta_id, MAIS_ACESSOS)
      return { acesso: toAcesso(linha), token }
    },
    findByToken: (token) => find('hash', hashOf(token)),
    find: (id) => find('id', id),
    list: async (conta_id) => (await selectAcessos(db, conta_id, now().getTime())).map(toAcesso),
    end: async (conta_id, id) => (await deleteAcessos(db, conta_id, { id })) > 0,
    endAll: (conta_id, { menos = '' } = {}) => deleteAcessos(db, conta_id, { menos }),
    sweep: async (signal) =>
      (await deleteExpired(db, 'acessos', now().getTime(), signal)) +
      (await deleteExpired(db, 'codigos', now().getTime(), signal)),
  }
}

function toLinha({ agente, ...novo }: NovoAcesso, now: Date): { linha: AcessosTable; token: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const criado_em = now.getTime()
  const linha: AcessosTable = {
    ...novo,
    id: randomUUID(),
    hash: novo.tipo === 'painel' ? hashOf(token) : null,
    criado_em,
    visto_em: criado_em,
    expira_em: criado_em + VIDA_MS[novo.tipo],
    // A terminal that lists the logins must not obey it.
    agente: agente.replace(/\p{C}/gu, '').slice(0, MAIOR_AGENTE),
  }
  return { linha, token }
}

const toAcesso = ({ hash: _, ...linha }: AcessosTable): Acesso => ({
  ...linha,
  criado_em: new Date(linha.criado_em),
  visto_em: new Date(linha.visto_em),
  expira_em: new Date(linha.expira_em),
})

/** The networks from which the owner of an account proved who he is: no stranger's tries shut them out. */
export type Redes = {
  note: (conta_id: string, rede: string) => Promise<void>
  /** Whether he came from it before. An account that is none knows no network, by the same work. */
  knows: (conta_id: string, rede: string) => Promise<boolean>
  sweep: (signal?: AbortSignal) => Promise<number>
}

const DAY_MS = 86_400_000
/** How long a network is known without its owner. */
const REDE_MS = 180 * DAY_MS
/** The most networks of an account: one more ends the one that was used longest ago. */
const MAIS_REDES = 50

/** Opens the known networks. They are kept as fingerprints under the server's secret alone. */
export function openRedes(db: Db, { now, secret }: { now: () => Date; secret: string }): Redes {
  const { kysely } = db
  const { mac } = openSelo(secret, 'redes')
  const marcaDe = (conta_id: string, rede: string): string => mac(`${conta_id} ${rede}`).slice(0, 32)
  return {
    note: async (conta_id, rede) => {
      const vista_em = now().getTime()
      const { numInsertedOrUpdatedRows = 0n } = await kysely
        .insertInto('redes')
        .values({ conta_id, rede: marcaDe(conta_id, rede), vista_em })
        .onConflict((of) =>
          of
            .column('rede')
            .doUpdateSet({ vista_em })
            // A log-in a minute is no write a minute.
            .where('redes.vista_em', '<', vista_em - DAY_MS),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return
      await sql`delete from redes where conta_id = ${conta_id} and rede not in (select rede from redes
        where conta_id = ${conta_id} order by vista_em desc, rede limit ${MAIS_REDES})`.execute(kysely)
    },
    knows: async (conta_id, rede) => {
      const row = await kysely
        .selectFrom('redes')
        .select('rede')
        .where('rede', '=', marcaDe(conta_id, rede))
        .executeTakeFirst()
      return row !== undefined
    },
    sweep: (signal) =>
      deleteInBatches(db, signal, async (size, on) => {
        const { numAffectedRows = 0n } = await sql`delete from redes where rede in (select rede from redes
          where vista_em < ${now().getTime() - REDE_MS} limit ${size})`.execute(on)
        return Number(numAffectedRows)
      }),
  }
}
