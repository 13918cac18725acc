import type { Db } from '../platform/db/db.ts'
import { deleteExpired, relaxed } from '../platform/db/queries.ts'
import { openSelo } from '../platform/secrets.ts'

/** What one account may have kept: so many answers, and so many octets of them. */
const MAIS_CONSULTAS = 100
const MAIS_BYTES = 64 * 1024 * 1024
/** The most octets of one part: a certificate has 0.3 MB, a note of 990 items 1 MB. */
const MAIOR_PARTE = 3 * 1024 * 1024

/** For how long an account may want its answers kept, in minutes. */
export const GUARDAS = [0, 60, 240, 720, 1440] as const

const PADRAO = 60
const MINUTE_MS = 60_000

type DaConsulta = { conta_id: string; request_id: string }

/** `parte` is '' for what the page draws; each file is a part of its own, read alone. */
type ParteGuardada = { parte: string; conteudo: Buffer }

/** Answers of the dashboard, sealed to their account and call, until the account's time is over. */
export type ConsultasGuardadas = {
  minutosDe: (conta_id: string) => Promise<number>
  /** A shorter time holds for what is kept already; 0 deletes it. */
  setMinutos: (conta_id: string, minutos: number) => Promise<void>
  /**
   * Keeps an answer, until `ate` at most, instead of one under the same number; the oldest others give way to
   * it. False, with nothing kept, for one too large.
   */
  keep: (dona: DaConsulta, partes: readonly ParteGuardada[], ate?: Date) => Promise<boolean>
  find: (dona: DaConsulta, parte: string) => Promise<{ conteudo: Buffer; ate: Date } | undefined>
  /** The last ones, the newest first: what the page of each draws. */
  last: (conta_id: string, most: number) => Promise<readonly { request_id: string; conteudo: Buffer }[]>
  /** Which of these calls have an answer that is still kept. */
  listOf: (conta_id: string, request_ids: readonly string[]) => Promise<ReadonlySet<string>>
  sweep: (signal?: AbortSignal) => Promise<number>
}

export function openGuardadas(
  db: Db,
  { now, secret }: { now: () => Date; secret: string },
): ConsultasGuardadas {
  const { kysely } = db
  const selo = openSelo(secret, 'pages: kept answers')
  const aadDe = ({ conta_id, request_id }: DaConsulta, parte: string): string =>
    `${conta_id} ${request_id} ${parte}`

  async function minutosDe(conta_id: string): Promise<number> {
    const conta = await kysely
      .selectFrom('contas')
      .select('guarda_minutos')
      .where('id', '=', conta_id)
      .executeTakeFirst()
    return conta?.guarda_minutos ?? PADRAO
  }

  /** Drops the oldest of an account beyond what it may have, but for what was kept just now. */
  async function dropExcess({ conta_id, request_id: own }: DaConsulta): Promise<void> {
    const all = await kysely
      .selectFrom('consultas_guardadas')
      .select(({ fn }) => ['request_id', fn.sum<number>('bytes').as('bytes')])
      .where('conta_id', '=', conta_id)
      .where('expira_em', '>', now().getTime())
      .groupBy('request_id')
      // Every time is counted from the keeping, so that the last to end is the last that was kept.
      .orderBy(({ fn }) => fn.max('expira_em'), 'desc')
      .orderBy('request_id', 'desc')
      .execute()
    const rows = all.filter(({ request_id }) => isDeChamada(request_id) === isDeChamada(own))
    const [before, others] = [
      rows.filter((one) => one.request_id === own),
      rows.filter((one) => one.request_id !== own),
    ]
    let bytes = 0
    const over = [...before, ...others].filter((row, at) => {
      bytes += Number(row.bytes)
      return row.request_id !== own && (at >= MAIS_CONSULTAS || bytes > MAIS_BYTES)
    })
    if (over.length === 0) return
    const ids = over.map(({ request_id }) => request_id)
    await kysely
      .deleteFrom('consultas_guardadas')
      .where('conta_id', '=', conta_id)
      .where('request_id', 'in', ids)
      .execute()
  }

  return {
    minutosDe,
    setMinutos: async (conta_id, minutos) => {
      await kysely.updateTable('contas').set({ guarda_minutos: minutos }).where('id', '=', conta_id).execute()
      const ate = now().getTime() + minutos * MINUTE_MS
      await kysely
        .updateTable('consultas_guardadas')
        .set({ expira_em: ate })
        .where('conta_id', '=', conta_id)
        .where('expira_em', '>', ate)
        .execute()
      if (minutos === 0)
        await kysely.deleteFrom('consultas_guardadas').where('conta_id', '=', conta_id).execute()
    },
    keep: async (dona, partes, ate) => {
      const minutos = await minutosDe(dona.conta_id)
      if (minutos === 0 || partes.some(({ conteudo }) => conteudo.length > MAIOR_PARTE)) return false
      const desejado = now().getTime() + minutos * MINUTE_MS
      const expira_em = Math.min(desejado, ate?.getTime() ?? desejado)
      // What the page draws comes last: an answer that is there is whole.
      const seladas = partes
        .toSorted((one) => (one.parte === '' ? 1 : -1))
        .map(({ parte, conteudo }) => ({ parte, selado: selo.seal(conteudo, aadDe(dona, parte)) }))
      if (seladas.reduce((sum, { selado }) => sum + selado.length, 0) > MAIS_BYTES) return false
      await relaxed(db, async (on) => {
        for (const { parte, selado } of seladas) {
          const novo = { expira_em, bytes: selado.length, selado }
          await on
            .insertInto('consultas_guardadas')
            .values({ ...dona, parte, ...novo })
            .onConflict((conflict) =>
              conflict
                .columns(['request_id', 'parte'])
                .doUpdateSet(novo)
                .where('consultas_guardadas.conta_id', '=', dona.conta_id),
            )
            .execute()
        }
      })
      await dropExcess(dona)
      return true
    },
    find: async (dona, parte) => {
      const row = await kysely
        .selectFrom('consultas_guardadas')
        .select(['selado', 'expira_em'])
        .where('request_id', '=', dona.request_id)
        .where('parte', '=', parte)
        .where('conta_id', '=', dona.conta_id)
        .where('expira_em', '>', now().getTime())
        .executeTakeFirst()
      const conteudo = row && selo.open(row.selado, aadDe(dona, parte))
      return row && conteudo && { conteudo, ate: new Date(row.expira_em) }
    },
    last: async (conta_id, most) => {
      const rows = await kysely
        .selectFrom('consultas_guardadas')
        .select(['request_id', 'selado'])
        .where('conta_id', '=', conta_id)
        .where('parte', '=', '')
        .where('request_id', 'like', DE_CHAMADA)
        .where('expira_em', '>', now().getTime())
        .orderBy('request_id', 'desc')
        .limit(most)
        .execute()
      return rows.flatMap(({ request_id, selado }) => {
        const conteudo = selo.open(selado, aadDe({ conta_id, request_id }, ''))
        return conteudo ? [{ request_id, conteudo }] : []
      })
    },
    listOf: async (conta_id, request_ids) => {
      if (request_ids.length === 0) return new Set()
      const rows = await kysely
        .selectFrom('consultas_guardadas')
        .select('request_id')
        .where('conta_id', '=', conta_id)
        .where('request_id', 'in', request_ids)
        .where('parte', '=', '')
        .where('expira_em', '>', now().getTime())
        .execute()
      return new Set(rows.map(({ request_id }) => request_id))
    },
    sweep: (signal) => deleteExpired(db, 'consultas_guardadas', now().getTime(), signal),
  }
}

/** What is kept under another name than the number of a call is no answer, and takes the place of none. */
const DE_CHAMADA = '________-____-%'

const isDeChamada = (request_id: string): boolean => /^.{8}-.{4}-/.test(request_id)
