import { type Insertable, type Kysely, sql } from 'kysely'
import { endOfDay } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { deleteExpired, openDurable, relaxed } from '../platform/db/queries.ts'
import type { CertidoesTable, Tables } from '../platform/db/tables.ts'
import { openSelo, openText, sealText } from '../platform/secrets.ts'
import { trusted } from '../platform/trusted.ts'
import type { CertidaoFederal, RecusaFederal } from './rules.ts'

type Change = Partial<Omit<CertidoesTable, 'chave' | 'expira_em'>>

const EMPTY = {
  certidao: null,
  conferida_em: 0,
  emissao: null,
  emitida_em: 0,
  anunciada: null,
  andamento: null,
  recusa: null,
  recusada_em: 0,
}

const selectRegistro = (on: Kysely<Tables>, chave: string): Promise<CertidoesTable | undefined> =>
  on.selectFrom('certidoes').selectAll().where('chave', '=', chave).executeTakeFirst()

/** Changes these columns of a key, whose row is made where there is none. It is kept until `ate` at least. */
async function upsertRegistro(
  on: Kysely<Tables>,
  chave: string,
  { ate, ...change }: Change & { ate: number },
): Promise<void> {
  const row: Insertable<CertidoesTable> = { ...EMPTY, ...change, chave, expira_em: ate }
  await on
    .insertInto('certidoes')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('chave').doUpdateSet({
        ...change,
        expira_em: sql<number>`case when certidoes.expira_em > ${ate} then certidoes.expira_em else ${ate} end`,
      }),
    )
    .execute()
}

async function deleteAnuncio(on: Kysely<Tables>, chave: string): Promise<void> {
  await on
    .updateTable('certidoes')
    .set({ anunciada: null })
    .where('chave', '=', chave)
    .whereRef('anunciada', '=', 'emissao')
    .execute()
}

type CertidaoAnotada = { certidao: CertidaoFederal; fonte: string }

type RecusaAnotada = { recusa: RecusaFederal; fonte: string; avisos: string[] }

export type RegistroFederal = {
  guardada: (CertidaoAnotada & { conferidaEm: Date; emissao: EmissaoGuardada | undefined }) | undefined
  /** The last refusal, if the authority gave no certificate since. */
  recusada: (RecusaAnotada & { em: Date }) | undefined
  /** How far the running issuance is. Whoever noted it knows its shape. */
  andamento: unknown
}

/** The issuance of ours that made a certificate. `anunciada`: a caller was told to come back for it. */
type EmissaoGuardada = { fim: Date; anunciada: boolean }

/** A CNPJ as jobs carry it: nobody who reads their table sees it. */
type CnpjSelado = { chave: string; selado: string }

/** The database holds a keyed hash of the CNPJ and seals the rest. */
export type Certidoes = {
  find: (cnpj: string) => Promise<RegistroFederal>
  noteAndamento: (cnpj: string, andamento: object) => Promise<void>
  /** Keeps a certificate until it ends, in a transaction; `emissao` is the job that issued it. */
  keep: (on: Connection, cnpj: string, kept: CertidaoAnotada & { emissao: string | null }) => Promise<void>
  /** Keeps a refusal for an hour, in a transaction. A certificate that is kept stays. */
  keepRecusa: (on: Connection, cnpj: string, kept: RecusaAnotada) => Promise<void>
  /** Forgets an issuance that came to nothing, in a transaction. */
  dropAndamento: (on: Connection, cnpj: string) => Promise<void>
  /** A caller is told to come back for what this job issues; it is on the disk when this resolves. */
  announce: (cnpj: string, job: string) => Promise<void>
  deliver: (cnpj: string) => Promise<void>
  seal: (cnpj: string) => CnpjSelado
  /** The CNPJ of a job; undefined where another secret or environment made it. */
  open: (sealed: CnpjSelado) => string | undefined
  sweep: (signal?: AbortSignal) => Promise<number>
}

type Connection = Kysely<Tables>

const HOUR_MS = 60 * 60_000
/** An issuance that ended nowhere is forgotten, and so is its announcement. */
const ISSUANCE_MS = 24 * HOUR_MS

type Options = { now: () => Date; ambiente: string; secret: string }

export function openCertidoes(db: Db, { now, ambiente, secret }: Options): Certidoes {
  const selo = openSelo(secret, 'certidao federal')
  const durable = openDurable(db)
  const chaveOf = (cnpj: string): string => selo.mac(JSON.stringify([ambiente, cnpj]))
  const sealJson = (value: unknown, chave: string, what: string): string =>
    sealText(selo, JSON.stringify(value), `${what}/1 ${chave}`)
  const inFuture = (ms: number): number => now().getTime() + ms

  /** Opens what `sealJson` sealed. The caller's type is proven by the seal, which names kind and shape. */
  function openJson<T>(sealed: string | null, chave: string, what: string): T | undefined {
    const text = sealed === null ? undefined : openText(selo, sealed, `${what}/1 ${chave}`)
    return text === undefined ? undefined : trusted<T>(JSON.parse(text))
  }

  function registroOf(row: CertidoesTable): RegistroFederal {
    const { chave, emissao, emitida_em, anunciada, conferida_em, recusada_em } = row
    const kept = openJson<CertidaoAnotada>(row.certidao, chave, 'certidao')
    const recusa = openJson<RecusaAnotada>(row.recusa, chave, 'recusa')
    const made =
      emissao === null ? undefined : { fim: new Date(emitida_em), anunciada: anunciada === emissao }
    return {
      guardada: kept && { ...kept, conferidaEm: new Date(conferida_em), emissao: made },
      recusada: recusa && { ...recusa, em: new Date(recusada_em) },
      andamento: openJson<unknown>(row.andamento, chave, 'andamento'),
    }
  }

  return {
    find: async (cnpj) => {
      const row = await selectRegistro(db.kysely, chaveOf(cnpj))
      return row ? registroOf(row) : { guardada: undefined, recusada: undefined, andamento: undefined }
    },
    noteAndamento: (cnpj, noted) => {
      const chave = chaveOf(cnpj)
      const change = { andamento: sealJson(noted, chave, 'andamento'), ate: inFuture(ISSUANCE_MS) }
      return durable((on) => upsertRegistro(on, chave, change))
    },
    keep: (on, cnpj, { emissao, certidao, fonte }) => {
      const chave = chaveOf(cnpj)
      const instant = now().getTime()
      return upsertRegistro(on, chave, {
        certidao: sealJson({ certidao, fonte }, chave, 'certidao'),
        conferida_em: instant,
        emissao,
        emitida_em: emissao === null ? 0 : instant,
        andamento: null,
        recusa: null,
        recusada_em: 0,
        ate: endOfDay(certidao.validade)?.getTime() ?? instant,
      })
    },
    keepRecusa: (on, cnpj, { recusa, fonte, avisos }) => {
      const chave = chaveOf(cnpj)
      return upsertRegistro(on, chave, {
        recusa: sealJson({ recusa, fonte, avisos }, chave, 'recusa'),
        recusada_em: now().getTime(),
        andamento: null,
        ate: inFuture(HOUR_MS),
      })
    },
    dropAndamento: (on, cnpj) => upsertRegistro(on, chaveOf(cnpj), { andamento: null, ate: inFuture(0) }),
    announce: (cnpj, job) =>
      durable((on) => upsertRegistro(on, chaveOf(cnpj), { anunciada: job, ate: inFuture(ISSUANCE_MS) })),
    deliver: (cnpj) => relaxed(db, (on) => deleteAnuncio(on, chaveOf(cnpj))),
    seal: (cnpj) => {
      const chave = chaveOf(cnpj)
      return { chave, selado: selo.seal(cnpj, `cnpj ${chave}`) }
    },
    open: ({ chave, selado }) => {
      const cnpj = selo.open(selado, `cnpj ${chave}`)?.toString()
      return cnpj !== undefined && chaveOf(cnpj) === chave ? cnpj : undefined
    },
    sweep: (signal) => deleteExpired(db, 'certidoes', now().getTime(), signal),
  }
}

/** After so many refused companies in a row, without one certificate, a route is not believed any more. */
export const MOST_RECUSADOS = 20

const TRIAL_MS = 60 * 60_000

/** Hexadecimal digits that stand for a company. Two of 20 are the same once in 10^17. */
const WIDTH = 16
const FULL = sql.lit(MOST_RECUSADOS * WIDTH)

/** `plena`: the route is asked; `experiencia`: it is tried with this one question; `nenhuma`: it rests. */
type Grau = 'plena' | 'experiencia' | 'nenhuma'

/** Refused companies in a row are counted on all nodes, each once. */
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

type ConfiancaOptions = { now: () => Date; ambiente: string; secret: string }

export function openConfianca(db: Db, { now, ambiente, secret }: ConfiancaOptions): Confianca {
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
