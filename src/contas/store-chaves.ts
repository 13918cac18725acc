import { LRUCache } from 'lru-cache'
import type { Db } from '../platform/db/db.ts'
import { prepareFirst } from '../platform/db/queries.ts'
import type { ContaAutenticada } from '../platform/ledger/rules.ts'
import { hashOf } from '../platform/secrets.ts'
import { notarUso } from './store-acessos.ts'

/** Keeps whose what is: an API key, or the id of a login. */
export type KeyCache = {
  /** The account of a key that was looked at in the last five seconds. */
  seen: (key: string) => ContaAutenticada | undefined
  /**
   * The account of a key. Undefined for a missing, malformed, unknown or revoked one, which all take the same
   * way.
   */
  find: (key: string) => ContaAutenticada | undefined | Promise<ContaAutenticada | undefined>
  /** Whether the key was valid when it was last looked at, however long ago. */
  knows: (key: string) => boolean
  /** Forgets a key that this node knows to have ended. Other nodes follow in five seconds. */
  forget: (key: string) => void
}

type Known = { conta: ContaAutenticada; since: number; until: number }

const FRESH_MS = 5_000

type Options = { now: () => Date; max?: number }

/** The accounts of API keys. */
export const openKeyCache = (db: Db, options: Options): KeyCache =>
  openAccountCache(prepareSelectKey(db), options)

/**
 * Keeps at most `max` valid keys in memory for five seconds, so that a revocation, a block or a change of
 * plan reaches every node in that time. The key that was read longest ago leaves first; unknown texts are
 * never kept.
 */
function openAccountCache(select: SelectAccount, { now, max = 10_000 }: Options): KeyCache {
  const known = new LRUCache<string, Known>({ max })
  const loading = new Map<string, Promise<ContaAutenticada | undefined>>()

  async function load(key: string): Promise<ContaAutenticada | undefined> {
    const since = now().getTime()
    const found = await select(key, since)
    if (!found) {
      known.delete(key)
      return undefined
    }
    known.set(key, { conta: found.conta, since, until: Math.min(since + FRESH_MS, found.expira_em) })
    return found.conta
  }

  function seen(key: string): ContaAutenticada | undefined {
    // A key in use is read, and so set, every five seconds: that keeps its place.
    const hit = known.peek(key)
    if (!hit) return undefined
    const instant = now().getTime()
    // A clock that went back must not keep a key alive: both ends are checked.
    return instant >= hit.since && instant < hit.until ? hit.conta : undefined
  }

  return {
    seen,
    knows: (key) => known.has(key),
    forget: (key) => void known.delete(key),
    find: (key) => {
      const hit = seen(key)
      if (hit) return hit
      const shared = loading.get(key)
      if (shared) return shared
      const query = load(key).finally(() => loading.delete(key))
      loading.set(key, query)
      return query
    },
  }
}

/** The account of a key that is good at an instant, and until when it is. */
export type SelectAccount = (
  key: string,
  instant: number,
) => Promise<{ conta: ContaAutenticada; expira_em: number } | undefined>

/** Compiles the statement once: each account's first call in five seconds runs it. */
function prepareSelectKey({ kysely }: Db): SelectAccount {
  const select = prepareFirst(
    kysely,
    kysely
      .selectFrom('chaves')
      .innerJoin('contas', 'contas.id', 'chaves.conta_id')
      .select(['contas.id', 'contas.plano', 'contas.preco_exclusivo', 'chaves.expira_em'])
      .select(['contas.bloqueada_em', 'contas.motivo_bloqueio'])
      .where('chaves.hash', '=', '')
      .where((where) => where.or([where('chaves.expira_em', 'is', null), where('chaves.expira_em', '>', 0)]))
      .compile(),
  )
  return async (key, instant) => {
    const row = await select(hashOf(key), instant)
    if (!row) return undefined
    return { conta: toAutenticada(row), expira_em: row.expira_em ?? Number.POSITIVE_INFINITY }
  }
}

type Row = Pick<ContaAutenticada, 'id' | 'plano'> & {
  preco_exclusivo: number
  bloqueada_em: number | null
  motivo_bloqueio: string | null
}

/** An account as its row has it. */
const toAutenticada = (row: Row): ContaAutenticada => ({
  id: row.id,
  plano: row.plano,
  preco_exclusivo: row.preco_exclusivo === 1,
  bloqueio: row.bloqueada_em === null ? undefined : (row.motivo_bloqueio ?? ''),
})

/**
 * The accounts of logins, by the login's id: as those of keys, looked at again after five seconds. A login
 * that was ended is refused on every node in that time.
 */
export const openLoginCache = (db: Db, { now }: { now: () => Date }): KeyCache =>
  openAccountCache(prepareSelectLogin(db), { now })

/** Compiles the statement once: each login's first call in five seconds runs it. */
function prepareSelectLogin(db: Db): SelectAccount {
  const select = prepareFirst(
    db.kysely,
    db.kysely
      .selectFrom('acessos')
      .innerJoin('contas', 'contas.id', 'acessos.conta_id')
      .select(['acessos.tipo', 'acessos.criado_em', 'acessos.visto_em', 'acessos.expira_em'])
      .select(['contas.id', 'contas.plano', 'contas.preco_exclusivo'])
      .select(['contas.bloqueada_em', 'contas.motivo_bloqueio'])
      .where('acessos.id', '=', '')
      .where('acessos.expira_em', '>', 0)
      .compile(),
  )
  return async (acesso, instant) => {
    const row = await select(acesso, instant)
    if (!row) return undefined
    await notarUso(db, { ...row, id: acesso }, instant)
    return { conta: toAutenticada(row), expira_em: row.expira_em }
  }
}
