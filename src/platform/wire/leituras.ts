import type { Db } from '../db/db.ts'
import type { LeiturasHoraTable, LeiturasTable } from '../db/tables.ts'
import { deleteLeituras, upsertHoras, upsertLeituras } from './io.ts'
import { type Leitura, MOST_ROTULOS } from './leitura.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The number of times kept of each minute. The latest ones stay. */
const SAMPLE = 50
/** How long a minute that could not be written stays in memory. */
const PATIENCE_MS = 10 * MINUTE_MS

/** The readings of this node. They gather in memory and are written now and then. */
export type Leituras = {
  /** Takes a reading. Nothing waits for it. */
  note: (leitura: Leitura) => void
  /** Writes the new readings. */
  flush: () => Promise<void>
  /** Deletes rows older than the hour and the days that are shown. Returns how many. */
  sweep: () => Promise<number>
  /** Writes the last readings. A failure is only logged. */
  close: () => Promise<void>
}

type Options = {
  /** The process. */
  no: string
  now: () => Date
  /**
   * The kind of authority that answers. The simulator's readings say nothing of the authorities, on the same
   * database.
   */
  ambiente: string
  log: { error: (fields: object, message: string) => void }
}

/** A row that is not complete yet. */
type Minuto = Omit<LeiturasTable, 'tempos' | 'rotulos'> & {
  tempos: number[]
  rotulos: string[]
  dirty: boolean
}

type Hora = LeiturasHoraTable & { dirty: boolean }

/** Opens the readings of a node. */
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
