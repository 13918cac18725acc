import type { Leitura } from '../domain/leitura.ts'
import type { Db } from './db.ts'
import { deleteLeituras, upsertLeituras } from './leituras-io.ts'
import type { LeiturasTable } from './tables.ts'

const MINUTE_MS = 60_000
/** The times that are kept of each minute: the latest ones. */
const SAMPLE = 50
/** How long a minute that could not be written is kept in memory. */
const PATIENCE_MS = 10 * MINUTE_MS

/** The readings of this node: gathered in memory, written now and then. */
export type Leituras = {
  /** Takes a reading in; nothing waits for it. */
  note: (leitura: Leitura) => void
  /** Writes what is new. */
  flush: () => Promise<void>
  /** Deletes what is older than the hour that is looked at; how many rows. */
  sweep: () => Promise<number>
  /** Writes what is new for the last time; a failure is only logged. */
  close: () => Promise<void>
}

type Options = {
  /** The process. */
  no: string
  now: () => Date
  /** Who answers: what the simulator does says nothing of the authorities, on the same database. */
  ambiente: string
  log: { error: (fields: object, message: string) => void }
}

/** A row in the making. */
type Minuto = Omit<LeiturasTable, 'tempos'> & { tempos: number[]; dirty: boolean }

/** Opens the readings of a node. */
export function openLeituras(db: Db, { no, now, ambiente, log }: Options): Leituras {
  const minutos = new Map<string, Minuto>()
  let writing: Promise<void> = Promise.resolve()

  function minutoOf(fonte: string, em: Date): Minuto {
    const minuto = Math.floor(em.getTime() / MINUTE_MS) * MINUTE_MS
    const key = `${fonte} ${minuto}`
    const row = minutos.get(key) ?? newMinuto({ ambiente, fonte, no, minuto })
    minutos.set(key, row)
    return row
  }

  async function write(): Promise<void> {
    const rows = [...minutos.values()].filter(({ dirty }) => dirty)
    if (rows.length === 0) return
    for (const row of rows) row.dirty = false
    try {
      await upsertLeituras(db, rows.map(toRow))
      forget(({ minuto, dirty }) => !dirty && minuto <= now().getTime() - MINUTE_MS)
    } catch (error) {
      for (const row of rows) row.dirty = true
      forget(({ minuto }) => minuto <= now().getTime() - PATIENCE_MS)
      throw error
    }
  }

  function forget(over: (row: Minuto) => boolean): void {
    for (const [key, row] of minutos) if (over(row)) minutos.delete(key)
  }

  const flush = (): Promise<void> => {
    writing = writing.catch(() => {}).then(write)
    return writing
  }
  return {
    note: (leitura) => add(minutoOf(leitura.fonte, leitura.em), leitura),
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
    tempos: [],
    ultima_em: key.minuto,
    aberto_ate: null,
    dirty: false,
  }
}

function add(row: Minuto, { em, ms, falha, circuito }: Leitura): void {
  row.dirty = true
  row.consultas += 1
  row.ultima_em = em.getTime()
  row.aberto_ate = circuito.estado === 'fechado' ? null : circuito.ate.getTime()
  if (falha) {
    row.falha_tipo = falha.tipo
    row.falha_codigo = falha.codigo
    row.falha_em = falha.em.getTime()
  } else {
    row.tempos[row.sucessos % SAMPLE] = ms
    row.sucessos += 1
  }
}

const toRow = ({ dirty, tempos, ...row }: Minuto): LeiturasTable => ({
  ...row,
  tempos: JSON.stringify(tempos),
})
