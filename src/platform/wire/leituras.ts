import type { Db } from '../db/db.ts'
import { relaxed } from '../db/queries.ts'
import type { LeiturasHoraTable, LeiturasTable } from '../db/tables.ts'
import { trusted } from '../trusted.ts'
import type { SourceErrorKind } from './fonte.ts'

/** Open, it is not asked until `ate`; on trial, the next query shows whether it is back. */
export type Circuito = { estado: 'fechado' } | { estado: Exclude<EstadoDoCircuito, 'fechado'>; ate: Date }

export const estadosDoCircuito = ['fechado', 'aberto', 'em-teste'] as const

type EstadoDoCircuito = (typeof estadosDoCircuito)[number]

/** The code is the authority's, HTTP's or the system's; empty if it has none. */
export type FalhaDaFonte = { tipo: SourceErrorKind; codigo: string; em: Date }

export type Leitura = {
  fonte: string
  em: Date
  ms: number
  falha: FalhaDaFonte | undefined
  vazia: boolean
  incompleta: boolean
  rotulos: readonly string[]
  circuito: Circuito
}

export type Anotacao = Partial<Pick<Leitura, 'vazia' | 'incompleta' | 'rotulos'>>

/** Answers, and how many of them found nothing. */
type Respostas = { respostas: number; vazias: number }

export type UltimaHora = {
  consultas: number
  sucessos: number
  vazias: number
  incompletas: number
  /** The answers of the seven days before the last hour. */
  antes: Respostas
  rotulos: readonly string[]
  mediana_ms: number | undefined
  resposta: Date | undefined
  falha: FalhaDaFonte | undefined
  circuito: Circuito
}

export const semLeituras: UltimaHora = {
  consultas: 0,
  sucessos: 0,
  vazias: 0,
  incompletas: 0,
  antes: { respostas: 0, vazias: 0 },
  rotulos: [],
  mediana_ms: undefined,
  resposta: undefined,
  falha: undefined,
  circuito: { estado: 'fechado' },
}

/** How many labels of a source are kept at once. */
export const MOST_ROTULOS = 5

const ENOUGH_BEFORE = 100
/** Of 20 expected finds, 5 or fewer happen by chance once in 14,000 hours. */
const ENOUGH_EXPECTED = 20

/**
 * Whether a source finds so little that its page may say "não encontrado" to everybody: of at least 20 finds
 * that the seven days before promise, it made fewer than a quarter.
 */
export function findsLittle({ sucessos, vazias, antes }: UltimaHora): boolean {
  if (antes.respostas < ENOUGH_BEFORE) return false
  const expected = sucessos * (1 - antes.vazias / antes.respostas)
  return expected >= ENOUGH_EXPECTED && (sucessos - vazias) * 4 <= expected
}

const HOUR_OF_MINUTES_MS = 60 * 60_000
const WEEK_MS = 7 * 24 * HOUR_OF_MINUTES_MS

/** Stores whole rows. One node alone writes each, again and again while its minute lasts. */
const upsertLeituras = (db: Db, rows: readonly LeiturasTable[]): Promise<unknown> =>
  relaxed(db, (connection) =>
    connection
      .insertInto('leituras')
      .values(rows)
      .onConflict((on) =>
        on.columns(['minuto', 'ambiente', 'fonte', 'no']).doUpdateSet(({ ref }) => ({
          consultas: ref('excluded.consultas'),
          sucessos: ref('excluded.sucessos'),
          vazias: ref('excluded.vazias'),
          incompletas: ref('excluded.incompletas'),
          tempos: ref('excluded.tempos'),
          rotulos: ref('excluded.rotulos'),
          falha_tipo: ref('excluded.falha_tipo'),
          falha_codigo: ref('excluded.falha_codigo'),
          falha_em: ref('excluded.falha_em'),
          ultima_em: ref('excluded.ultima_em'),
          aberto_ate: ref('excluded.aberto_ate'),
        })),
      )
      .execute(),
  )

const upsertHoras = (db: Db, rows: readonly LeiturasHoraTable[]): Promise<unknown> =>
  relaxed(db, (connection) =>
    connection
      .insertInto('leituras_hora')
      .values(rows)
      .onConflict((on) =>
        on.columns(['hora', 'ambiente', 'fonte', 'no']).doUpdateSet(({ ref }) => ({
          respostas: ref('excluded.respostas'),
          vazias: ref('excluded.vazias'),
        })),
      )
      .execute(),
  )

const selectAntes = (
  { kysely }: Db,
  { ambiente, instant }: { ambiente: string; instant: number },
): Promise<{ fonte: string; respostas: string | number | bigint; vazias: string | number | bigint }[]> =>
  kysely
    .selectFrom('leituras_hora')
    .select(({ fn }) => ['fonte', fn.sum('respostas').as('respostas'), fn.sum('vazias').as('vazias')])
    .where('hora', '>', instant - HOUR_OF_MINUTES_MS - WEEK_MS)
    // An hour that ended before the last 60 minutes began.
    .where('hora', '<=', instant - 2 * HOUR_OF_MINUTES_MS)
    .where('ambiente', '=', ambiente)
    .groupBy('fonte')
    .execute()

const selectLeituras = (
  { kysely }: Db,
  { ambiente, instant }: { ambiente: string; instant: number },
): Promise<LeiturasTable[]> =>
  kysely
    .selectFrom('leituras')
    .selectAll()
    .where('minuto', '>', instant - HOUR_OF_MINUTES_MS)
    .where('ambiente', '=', ambiente)
    .execute()

async function deleteLeituras({ kysely }: Db, instant: number): Promise<number> {
  const horas = await kysely
    .deleteFrom('leituras_hora')
    .where('hora', '<=', instant - HOUR_OF_MINUTES_MS - WEEK_MS)
    .executeTakeFirst()
  const { numDeletedRows } = await kysely
    .deleteFrom('leituras')
    .where('minuto', '<=', instant - HOUR_OF_MINUTES_MS)
    .executeTakeFirst()
  return Number(numDeletedRows) + Number(horas.numDeletedRows)
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The number of times kept of each minute. The latest ones stay. */
const SAMPLE = 50
/** How long a minute that could not be written stays in memory. */
const PATIENCE_MS = 10 * MINUTE_MS

export type Leituras = {
  note: (leitura: Leitura) => void
  flush: () => Promise<void>
  /** Deletes rows older than the hour and the days that are shown. Returns how many. */
  sweep: () => Promise<number>
  close: () => Promise<void>
}

type Options = {
  no: string
  now: () => Date
  /** The simulator's readings say nothing of the authorities, on the same database. */
  ambiente: string
  log: { error: (fields: object, message: string) => void }
}

type Minuto = Omit<LeiturasTable, 'tempos' | 'rotulos'> & {
  tempos: number[]
  rotulos: string[]
  dirty: boolean
}

type Hora = LeiturasHoraTable & { dirty: boolean }

export function openLeituras(db: Db, { no, now, ambiente, log }: Options): Leituras {
  const minutos = new Map<string, Minuto>()
  const horas = new Map<string, Hora>()
  let writing: Promise<void> = Promise.resolve()

  function minutoOf(fonte: string, em: Date): Minuto {
    const minuto = Math.floor(em.getTime() / MINUTE_MS) * MINUTE_MS
    const key = `${fonte} ${minuto}`
    const row = minutos.get(key) ?? newMinuto({ ambiente, fonte, no, minuto })
    minutos.set(key, row)
    return row
  }

  function horaOf(fonte: string, em: Date): Hora {
    const hora = Math.floor(em.getTime() / HOUR_MS) * HOUR_MS
    const key = `${fonte} ${hora}`
    const row = horas.get(key) ?? { ambiente, fonte, no, hora, respostas: 0, vazias: 0, dirty: false }
    horas.set(key, row)
    return row
  }

  function note(leitura: Leitura): void {
    add(minutoOf(leitura.fonte, leitura.em), leitura)
    if (!leitura.falha) addHora(horaOf(leitura.fonte, leitura.em), leitura)
  }

  async function write(): Promise<void> {
    await writeRows(
      minutos,
      (rows) => upsertLeituras(db, rows.map(toRow)),
      (row) => row.minuto + MINUTE_MS,
    )
    await writeRows(
      horas,
      (rows) => upsertHoras(db, rows.map(toHora)),
      (row) => row.hora + HOUR_MS,
    )
  }

  /** Writes the new rows and forgets the old ones. A row that could not be written stays for a while. */
  async function writeRows<R extends { dirty: boolean }>(
    all: Map<string, R>,
    upsert: (rows: R[]) => Promise<unknown>,
    endOf: (row: R) => number,
  ): Promise<void> {
    const rows = [...all.values()].filter(({ dirty }) => dirty)
    if (rows.length === 0) return
    const forget = (over: (row: R) => boolean): void => {
      for (const [key, row] of all) if (over(row)) all.delete(key)
    }
    for (const row of rows) row.dirty = false
    try {
      await upsert(rows)
      forget((row) => !row.dirty && endOf(row) <= now().getTime())
    } catch (error) {
      for (const row of rows) row.dirty = true
      forget((row) => endOf(row) <= now().getTime() - PATIENCE_MS)
      throw error
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.catch(() => {}).then(write)
    return writing
  }
  return {
    note,
    flush,
    sweep: () => deleteLeituras(db, now().getTime()),
    close: () =>
      flush().catch((err) => log.error({ err }, 'the readings of the sources could not be written')),
  }
}

function newMinuto(key: Pick<LeiturasTable, 'ambiente' | 'fonte' | 'no' | 'minuto'>): Minuto {
  const falha = { falha_tipo: null, falha_codigo: null, falha_em: null }
  return {
    ...key,
    ...falha,
    consultas: 0,
    sucessos: 0,
    vazias: 0,
    incompletas: 0,
    rotulos: [],
    tempos: [],
    ultima_em: key.minuto,
    aberto_ate: null,
    dirty: false,
  }
}

function add(row: Minuto, { em, ms, falha, vazia, incompleta, rotulos, circuito }: Leitura): void {
  row.dirty = true
  row.consultas += 1
  row.ultima_em = em.getTime()
  row.rotulos = [...new Set([...row.rotulos, ...rotulos])].slice(0, MOST_ROTULOS)
  row.aberto_ate = circuito.estado === 'fechado' ? null : circuito.ate.getTime()
  if (falha) {
    row.falha_tipo = falha.tipo
    row.falha_codigo = falha.codigo
    row.falha_em = falha.em.getTime()
  } else {
    row.tempos[row.sucessos % SAMPLE] = ms
    row.sucessos += 1
    if (vazia) row.vazias += 1
    if (incompleta) row.incompletas += 1
  }
}

function addHora(row: Hora, { vazia }: Leitura): void {
  row.dirty = true
  row.respostas += 1
  if (vazia) row.vazias += 1
}

const toRow = ({ dirty, tempos, rotulos, ...row }: Minuto): LeiturasTable => ({
  ...row,
  tempos: JSON.stringify(tempos),
  rotulos: JSON.stringify(rotulos),
})

const toHora = ({ dirty, ...row }: Hora): LeiturasHoraTable => row

/** The last 60 minutes and the seven days before, of all nodes. A source not asked is missing. */
export async function listLeituras(
  db: Db,
  { now, ambiente }: { now: Date; ambiente: string },
): Promise<Map<string, UltimaHora>> {
  const instant = now.getTime()
  const rows = await selectLeituras(db, { ambiente, instant })
  const byFonte = Map.groupBy(rows, ({ fonte }) => fonte)
  const antes = await listAntes(db, { instant, ambiente })
  const fontes = new Set([...byFonte.keys(), ...antes.keys()])
  return new Map(
    [...fontes].map((fonte) => {
      const hora = merge(byFonte.get(fonte) ?? [], instant)
      return [fonte, { ...hora, antes: antes.get(fonte) ?? semLeituras.antes }]
    }),
  )
}

async function listAntes(
  db: Db,
  when: { instant: number; ambiente: string },
): Promise<ReadonlyMap<string, Respostas>> {
  const rows = await selectAntes(db, when)
  // PostgreSQL tells a sum as text.
  return new Map(
    rows.map(({ fonte, respostas, vazias }) => [
      fonte,
      { respostas: Number(respostas), vazias: Number(vazias) },
    ]),
  )
}

function merge(rows: readonly LeiturasTable[], instant: number): Omit<UltimaHora, 'antes'> {
  return {
    consultas: sum(rows.map(({ consultas }) => consultas)),
    sucessos: sum(rows.map(({ sucessos }) => sucessos)),
    vazias: sum(rows.map(({ vazias }) => vazias)),
    incompletas: sum(rows.map(({ incompletas }) => incompletas)),
    // Proven by `openLeituras`, which alone writes them.
    rotulos: [...new Set(rows.flatMap(({ rotulos }) => trusted<string[]>(JSON.parse(rotulos))))].slice(
      0,
      MOST_ROTULOS,
    ),
    mediana_ms: medianOf(rows.flatMap(({ tempos }) => trusted<number[]>(JSON.parse(tempos)))),
    resposta: lastResposta(rows),
    falha: lastFalha(rows),
    circuito: circuitoOf(rows, instant),
  }
}

/** Of a minute with a failure after its answers, its first moment. */
function lastResposta(rows: readonly LeiturasTable[]): Date | undefined {
  const instants = rows.flatMap(({ sucessos, ultima_em, falha_em, minuto }) =>
    sucessos === 0 ? [] : [falha_em === ultima_em ? minuto : ultima_em],
  )
  return instants.length === 0 ? undefined : new Date(Math.max(...instants))
}

function lastFalha(rows: readonly LeiturasTable[]): FalhaDaFonte | undefined {
  const falhas = rows.flatMap(({ falha_tipo: tipo, falha_codigo: codigo, falha_em: em }) =>
    tipo === null || em === null ? [] : [{ tipo, codigo: codigo ?? '', em: new Date(em) }],
  )
  return falhas.toSorted((a, b) => b.em.getTime() - a.em.getTime())[0]
}

/** Each node has a circuit of its own: open where one is open, on trial where the last query was. */
function circuitoOf(rows: readonly LeiturasTable[], instant: number): Circuito {
  const newest = [...Map.groupBy(rows, ({ no }) => no).values()].flatMap(latest)
  const until = Math.max(...newest.map(({ aberto_ate }) => aberto_ate ?? 0))
  if (until > instant) return { estado: 'aberto', ate: new Date(until) }
  const ate = latest(newest)[0]?.aberto_ate ?? null
  return ate === null ? { estado: 'fechado' } : { estado: 'em-teste', ate: new Date(ate) }
}

const latest = (rows: readonly LeiturasTable[]): LeiturasTable[] =>
  rows.toSorted((a, b) => b.ultima_em - a.ultima_em).slice(0, 1)

function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.length === 0 ? undefined : Math.round(sum(middle) / middle.length)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
