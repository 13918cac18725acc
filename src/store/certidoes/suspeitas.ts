import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { relaxed } from '../db/relaxed.ts'
import { openSelo } from '../segredo/selo.ts'

/** So many companies in a row without one certificate: the route is not believed any more. */
export const MOST_RECUSADOS = 20

/** Between two questions by which a route that is not believed is tried. */
const TRIAL_MS = 60 * 60_000

/** Hexadecimal digits that stand for a company. Two of 20 are the same once in 10^17. */
const WIDTH = 16
const FULL = sql.lit(MOST_RECUSADOS * WIDTH)

/** Whether a route is asked: it is believed, it is tried with this one question, or it rests. */
type Credito = 'acreditada' | 'experiencia' | 'suspensa'

/**
 * The routes that may refuse everybody: companies refused in a row, on all nodes. The same company counts
 * once, so that a client who asks for one debtor each hour casts no doubt.
 */
export type Suspeitas = {
  /** Whether the route may be asked now. An `experiencia` is given to one caller an hour, of all nodes. */
  creditoOf: (rota: string) => Promise<Credito>
  /** The route refused a company. `cruzou`: this one was the last that it could refuse and be believed. */
  noteRecusa: (rota: string, cnpj: string) => Promise<{ acreditada: boolean; cruzou: boolean }>
  /** The route gave a certificate; true where it was not believed before. */
  noteCertidao: (rota: string) => Promise<boolean>
  /** How many companies each route has refused in a row; a route without any is left out. */
  list: () => Promise<{ rota: string; recusados: number }[]>
}

type Options = { now: () => Date; ambiente: string; secret: string }

/** Opens the counts of a database. Each environment has its own. */
export function openSuspeitas(db: Db, { now, ambiente, secret }: Options): Suspeitas {
  const { mac } = openSelo(secret, 'suspeitas')
  const chaveOf = (rota: string): string => `${ambiente}:${rota}`

  async function lengthOf(rota: string): Promise<number> {
    const row = await db.kysely
      .selectFrom('suspeitas')
      .select('recusados')
      .where('chave', '=', chaveOf(rota))
      .executeTakeFirst()
    return (row?.recusados.length ?? 0) / WIDTH
  }

  return {
    creditoOf: async (rota) => {
      if ((await lengthOf(rota)) < MOST_RECUSADOS) return 'acreditada'
      const instant = now().getTime()
      // A trial that lies more than its pause ahead was set by a clock that was wrong.
      const { rows } = await relaxed(db, (on) =>
        sql<{ chave: string }>`
          update suspeitas set experiencia_em = ${instant + TRIAL_MS}
          where chave = ${chaveOf(rota)} and length(recusados) >= ${FULL}
            and (experiencia_em <= ${instant} or experiencia_em > ${instant + TRIAL_MS})
          returning chave`.execute(on),
      )
      return rows.length > 0 ? 'experiencia' : 'suspensa'
    },
    noteRecusa: async (rota, cnpj) => {
      const company = mac(cnpj).slice(0, WIDTH)
      const trial = now().getTime() + TRIAL_MS
      const { rows } = await relaxed(db, (on) =>
        sql<{ recusados: string }>`
          insert into suspeitas as s (chave, recusados, experiencia_em)
          values (${chaveOf(rota)}, ${company}, ${trial})
          on conflict (chave) do update
          set recusados = s.recusados || excluded.recusados, experiencia_em = excluded.experiencia_em
          where length(s.recusados) < ${FULL} and s.recusados not like '%' || excluded.recusados || '%'
          returning recusados`.execute(on),
      )
      const [added] = rows
      const count = added ? added.recusados.length / WIDTH : await lengthOf(rota)
      return { acreditada: count < MOST_RECUSADOS, cruzou: added !== undefined && count === MOST_RECUSADOS }
    },
    noteCertidao: async (rota) => {
      const count = await lengthOf(rota)
      if (count > 0)
        await relaxed(db, (on) => on.deleteFrom('suspeitas').where('chave', '=', chaveOf(rota)).execute())
      return count >= MOST_RECUSADOS
    },
    list: async () => {
      const rows = await db.kysely.selectFrom('suspeitas').select(['chave', 'recusados']).execute()
      const own = rows.filter(({ chave }) => chave.startsWith(chaveOf('')))
      return own.map(({ chave, recusados }) => ({
        rota: chave.slice(chaveOf('').length),
        recusados: recusados.length / WIDTH,
      }))
    },
  }
}
