import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { DIAS_GUARDADOS, diaDe, diaDepois, inicioDoDia } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { deleteInBatches } from '../platform/db/queries.ts'
import { type Ambiente, ambientes } from '../platform/wire/fonte.ts'
import { type ChamadasProprias, type LeituraSefaz, RODADAS } from './rules.ts'
import { buildQuadro, type Lembrado } from './rules-quadro.ts'
import type {
  DiaSefaz,
  Incidente,
  PassadoSefaz,
  Quadro,
  RitmoDaSonda,
  Rodada,
  RodadaFeita,
} from './rules-rodada.ts'
import { closeDays, hasProva, insertDias, listAutorizadores, selectDias } from './store-dias.ts'
import {
  alone,
  type DoAmbiente,
  insertRodada,
  newestCredible,
  selectAtivacoes,
  selectChamadas,
  selectDoPausado,
  selectIncidentes,
  selectNewest,
  selectRecentes,
  selectRitmos,
  upsertIncidentes,
} from './store-rodadas.ts'

type QuadroDoNo = {
  quadro: () => Quadro | undefined
  refresh: () => Promise<boolean>
  onQuadro: (listener: (quadro: Quadro) => void) => () => void
  reload: () => Promise<boolean>
}

/**
 * Whoever reads it gets the board of that instant: drawn again when time alone has changed it, without a
 * query.
 */
function openQuadro(
  on: DoAmbiente,
  { agora, everyMs }: { agora: () => number; everyMs: number },
): QuadroDoNo {
  const listeners = new Set<(quadro: Quadro) => void>()
  const newest = selectNewest(on)
  let lembrado: Lembrado | undefined
  let drawn: { quadro: Quadro; since: number } | undefined
  let told: Quadro | undefined
  let looking: Promise<void> = Promise.resolve()

  function quadro(): Quadro | undefined {
    const instant = agora()
    if (drawn && instant >= drawn.since && instant < drawn.quadro.valeAte) return drawn.quadro
    const board = lembrado && buildQuadro(lembrado, { agora: instant, everyMs })
    drawn = board && { quadro: board, since: instant }
    return board
  }

  async function look(isAnew: boolean): Promise<void> {
    const instant = agora()
    const em = await newest(instant)
    if (em === lembrado?.ultima?.em && !isAnew) return
    // The rounds first: what another node stores meanwhile is then newer than they are, and read next time.
    const ultimas = await selectRecentes(on, { most: RODADAS, agora: instant })
    const isBlind = ultimas.some(({ rodada }) => rodada.semRede)
    const rodadas = isBlind
      ? await selectRecentes(on, { most: RODADAS, agora: instant, atendidas: true })
      : ultimas
    const [abertos, ativacoes, ritmos] = await Promise.all([
      selectIncidentes(on, { abertosAte: newestCredible(instant) }),
      selectAtivacoes(on),
      selectRitmos(on),
    ])
    const doPausado = new Map<string, readonly LeituraSefaz[]>()
    for (const { autorizador, fator, motivo } of ritmos)
      if (fator > 1 || motivo !== '')
        doPausado.set(autorizador, await selectDoPausado(on, { autorizador, most: RODADAS, agora: instant }))
    lembrado = { ultima: ultimas[0]?.rodada, rodadas, ritmos, doPausado, abertos, ativacoes }
    drawn = undefined
  }

  async function refresh(isAnew: boolean): Promise<boolean> {
    looking = looking.catch(() => {}).then(() => look(isAnew))
    await looking
    const board = quadro()
    if (!board || board === told) return false
    told = board
    for (const listener of listeners) listener(board)
    return true
  }

  return {
    quadro,
    refresh: () => refresh(false),
    reload: () => refresh(true),
    onQuadro: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Fills an empty history with a past, all or nothing. False if there is one: a day, an incident, a round. */
const seedPassado = (on: DoAmbiente, { dias, incidentes }: PassadoSefaz, instant: number): Promise<boolean> =>
  alone(on, async (trx) => {
    const { ambiente } = on
    const today = diaDe(instant)
    const first = (table: 'dias_sefaz' | 'incidentes_sefaz' | 'rodadas_sefaz') =>
      trx.selectFrom(table).select('ambiente').where('ambiente', '=', ambiente).limit(1)
    const dia = await first('dias_sefaz').executeTakeFirst()
    const incidente = await first('incidentes_sefaz').executeTakeFirst()
    // A round of today is no past: the first one may be stored before the past is known.
    const rodada = await first('rodadas_sefaz').where('em', '<', inicioDoDia(today)).executeTakeFirst()
    if (dia || incidente || rodada) return false
    await insertDias(
      trx,
      ambiente,
      dias.filter((one) => one.dia < today),
    )
    await upsertIncidentes(trx, ambiente, incidentes)
    return true
  })

const KEPT_MS = DIAS_GUARDADOS * 86_400_000

/** Deletes what is older than 90 days at `instant`, whatever the authority. Returns how many rows. */
async function deleteOld(db: Db, instant: number, signal?: AbortSignal): Promise<number> {
  const before = instant - KEPT_MS
  /** Of the rounds or readings of `own`, the oldest first. */
  const deleteOlder = (table: string, own: RawBuilder<unknown>): Promise<number> =>
    deleteInBatches(db, signal, async (size, kysely) => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ${own} and em in (
          select em from ${sql.table(table)} where ${own} and em < ${before} order by em limit ${size})`.execute(
        kysely,
      )
      return Number(numAffectedRows)
    })
  let total = 0
  for (const ambiente of ambientes) {
    const own = sql`ambiente = ${ambiente}`
    for (const autorizador of await listAutorizadores(db, ambiente)) {
      total += await deleteOlder('leituras_sefaz', sql`${own} and autorizador = ${autorizador}`)
      // A day of one authorizer may be less than a batch, which has no turn of the loop after it.
      await nextTurn()
    }
    total += await deleteOlder('rodadas_sefaz', own)
  }
  const firstDay = diaDepois(diaDe(instant), -DIAS_GUARDADOS)
  const dias = await db.kysely.deleteFrom('dias_sefaz').where('dia', '<', firstDay).executeTakeFirst()
  const incidentes = await db.kysely
    .deleteFrom('incidentes_sefaz')
    .where('fim', '<', inicioDoDia(firstDay))
    .executeTakeFirst()
  return total + Number(dias.numDeletedRows) + Number(incidentes.numDeletedRows)
}

/** What the monitor of the SEFAZ keeps, for one kind of authority. Days are AAAA-MM-DD of Brasília. */
export type SefazStore = {
  /** Stores a round, all or nothing. False if one that began at the same instant or later is stored. */
  keep: (feita: RodadaFeita) => Promise<boolean>
  recentes: (rodadas: number) => Promise<{ rodada: Rodada; leituras: readonly LeituraSefaz[] }[]>
  /** The incidents that lasted, or ended, within a time, both ends included; the newest first. */
  incidentes: (when: { de: number; ate: number }) => Promise<readonly Incidente[]>
  /** Whether an authorizer has a reading since an instant that tells how it stands, and counts. */
  hasProva: (autorizador: string, desde: number) => Promise<boolean>
  ritmos: () => Promise<readonly RitmoDaSonda[]>
  /** What our own calls came to at sources in the interval before `em`, by source. */
  chamadas: (what: {
    fontes: readonly string[]
    em: number
    intervaloMs: number
  }) => Promise<ReadonlyMap<string, ChamadasProprias>>
  /** The days of authorizers, in their order, today included. Those without a reading are missing. */
  dias: (what: { autorizadores: readonly string[]; de: string; ate: string }) => Promise<readonly DiaSefaz[]>
  /** How all states stand now: in memory, the same on every node. Undefined before the first round. */
  quadro: () => Quadro | undefined
  /** Looks whether another node stored a newer round, or time alone changed the board. True if it changed. */
  refresh: () => Promise<boolean>
  /** Calls back at every new board, until the function that it returns is called. It must not throw. */
  onQuadro: (listener: (quadro: Quadro) => void) => () => void
  /** All or nothing. False if there is a history, or the authorities are real. */
  seed: (passado: PassadoSefaz) => Promise<boolean>
  /** Sums up the days that ended, and deletes what is older than 90 days. Returns how many rows went. */
  sweep: (signal?: AbortSignal) => Promise<number>
}

type Options = {
  now: () => Date
  /** The kind of authority that answers: what the simulator says is no history of the authorities. */
  ambiente: Ambiente
  everyMs: number
}

/** Opens what the monitor keeps, over a database. Makes no query by itself. */
export function openSefazStore(db: Db, { now, ambiente, everyMs }: Options): SefazStore {
  const on = { db, ambiente }
  const agora = (): number => now().getTime()
  const doNo = openQuadro(on, { agora, everyMs })
  return {
    keep: async (feita) => {
      const stored = await insertRodada(on, feita)
      await doNo.refresh()
      return stored
    },
    recentes: (rodadas) => selectRecentes(on, { most: rodadas, agora: agora() }),
    incidentes: (when) => selectIncidentes(on, when),
    hasProva: (autorizador, desde) => hasProva(on, autorizador, desde),
    ritmos: () => selectRitmos(on),
    chamadas: (what) => selectChamadas(on, what),
    dias: (what) => selectDias(on, what),
    quadro: doNo.quadro,
    refresh: doNo.refresh,
    onQuadro: doNo.onQuadro,
    seed: async (passado) => {
      if (ambiente !== 'simulador') return false
      const seeded = await seedPassado(on, passado, agora())
      // The incidents of the past may still be open.
      if (seeded) await doNo.reload()
      return seeded
    },
    sweep: async (signal) => {
      await closeDays(on, agora())
      return deleteOld(db, agora(), signal)
    },
  }
}
