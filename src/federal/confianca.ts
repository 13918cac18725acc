import { sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { relaxed } from '../platform/db/queries.ts'
import { openSelo } from '../platform/secrets.ts'

/** After so many refused companies in a row, without one certificate, a route is not believed any more. */
export const MOST_RECUSADOS = 20

/** The time between two questions by which a route that is not believed is tried. */
const TRIAL_MS = 60 * 60_000

/** Hexadecimal digits that stand for a company. Two of 20 are the same once in 10^17. */
const WIDTH = 16
const FULL = sql.lit(MOST_RECUSADOS * WIDTH)

/** `plena`: the route is asked; `experiencia`: it is tried with this one question; `nenhuma`: it rests. */
type Grau = 'plena' | 'experiencia' | 'nenhuma'

/**
 * Whether a route is believed: a route that refuses everybody is not. The companies that it refused in a row
 * are counted on all nodes; each counts once, so that a client who asks often for one debtor changes nothing.
 */
export type Confianca = {
  /** Whether the route may be asked now. One caller an hour, of all nodes, gets an `experiencia`. */
  of: (rota: string) => Promise<Grau>
  /** The route refused a company. `perdida`: it is not believed any more, and this refusal was the reason. */
  noteRecusa: (rota: string, cnpj: string) => Promise<{ grau: 'plena' | 'nenhuma'; perdida: boolean }>
  /** The route gave a certificate; true where it was not believed before. */
  noteCertidao: (rota: string) => Promise<boolean>
  /** How many companies each route has refused in a row; a route without any is left out. */
  list: () => Promise<{ rota: string; recusados: number }[]>
}

type Options = { now: () => Date; ambiente: string; secret: string }

/** Opens the counts of a database. Each environment has its own. */
export function openConfianca(db: Db, { now, ambiente, secret }: Options): Confianca {
  const { mac } = openSelo(secret, 'confianca')
  const chaveOf = (rota: string): string => `${ambiente}:${rota}`

  async function lengthOf(rota: string): Promise<number> {
    const row = await db.kysely
      .selectFrom('confianca')
      .select('recusados')
      .where('chave', '=', chaveOf(rota))
      .executeTakeFirst()
    return (row?.recusados.length ?? 0) / WIDTH
  }

  return {
    of: async (rota) => {
      if ((await lengthOf(rota)) < MOST_RECUSADOS) return 'plena'
      const instant = now().getTime()
      // A trial that lies more than its pause ahead was set by a clock that was wrong.
      const { rows } = await relaxed(db, (on) =>
        sql<{ chave: string }>`
          update confianca set experiencia_em = ${instant + TRIAL_MS}
          where chave = ${chaveOf(rota)} and length(recusados) >= ${FULL}
            and (experiencia_em <= ${instant} or experiencia_em > ${instant + TRIAL_MS})
          returning chave`.execute(on),
      )
      return rows.length > 0 ? 'experiencia' : 'nenhuma'
    },
    noteRecusa: async (rota, cnpj) => {
      const company = mac(cnpj).slice(0, WIDTH)
      const trial = now().getTime() + TRIAL_MS
      const { rows } = await relaxed(db, (on) =>
        sql<{ recusados: string }>`
          insert into confianca as c (chave, recusados, experiencia_em)
          values (${chaveOf(rota)}, ${company}, ${trial})
          on conflict (chave) do update
          set recusados = c.recusados || excluded.recusados, experiencia_em = excluded.experiencia_em
          where length(c.recusados) < ${FULL} and c.recusados not like '%' || excluded.recusados || '%'
          returning recusados`.execute(on),
      )
      const [added] = rows
      const count = added ? added.recusados.length / WIDTH : await lengthOf(rota)
      const grau = count < MOST_RECUSADOS ? 'plena' : 'nenhuma'
      return { grau, perdida: added !== undefined && count === MOST_RECUSADOS }
    },
    noteCertidao: async (rota) => {
      const count = await lengthOf(rota)
      if (count > 0)
        await relaxed(db, (on) => on.deleteFrom('confianca').where('chave', '=', chaveOf(rota)).execute())
      return count >= MOST_RECUSADOS
    },
    list: async () => {
      const rows = await db.kysely.selectFrom('confianca').select(['chave', 'recusados']).execute()
      const own = rows.filter(({ chave }) => chave.startsWith(chaveOf('')))
      return own.map(({ chave, recusados }) => ({
        rota: chave.slice(chaveOf('').length),
        recusados: recusados.length / WIDTH,
      }))
    },
  }
}
