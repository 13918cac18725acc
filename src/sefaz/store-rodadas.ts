import type { Kysely } from 'kysely'
import { isUf } from '../documento/uf.ts'
import type { Db } from '../platform/db/db.ts'
import { prepareRows, relaxed, transact } from '../platform/db/queries.ts'
import type { LeiturasSefazTable, Tables } from '../platform/db/tables.ts'
import { workAlone } from '../platform/jobs/lease.ts'
import { trusted } from '../platform/trusted.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import { autorizadores, type ChamadasProprias, type LeituraSefaz } from './rules.ts'
import {
  type Incidente,
  type RitmoDaSonda,
  type Rodada,
  type RodadaFeita,
  USO_INDEVIDO,
} from './rules-rodada.ts'

export type DoAmbiente = { db: Db; ambiente: Ambiente }

/** A crash may lose the last round, never a part of one. One node at a time runs one. */
export const alone = <T>(
  { db }: Pick<DoAmbiente, 'db'>,
  work: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> =>
  relaxed(db, (connection) =>
    transact({ kysely: connection }, async (trx) => {
      await workAlone(trx, { dialect: db.dialect, nome: 'sefaz' })
      return work(trx)
    }),
  )

export async function upsertIncidentes(
  trx: Kysely<Tables>,
  ambiente: Ambiente,
  incidentes: readonly Incidente[],
): Promise<void> {
  if (incidentes.length === 0) return
  await trx
    .insertInto('incidentes_sefaz')
    .values(incidentes.map(({ quedas, ...rest }) => ({ ...rest, ambiente, quedas: JSON.stringify(quedas) })))
    .onConflict((on) =>
      on.column('id').doUpdateSet(({ ref }) => ({
        inicio: ref('excluded.inicio'),
        fim: ref('excluded.fim'),
        quedas: ref('excluded.quedas'),
      })),
    )
    .execute()
}

/** Open ones that began until an instant, or those that lasted or ended within a time; the newest first. */
export async function selectIncidentes(
  { db: { kysely }, ambiente }: DoAmbiente,
  when: { abertosAte: number } | { de: number; ate: number },
): Promise<Incidente[]> {
  const all = kysely
    .selectFrom('incidentes_sefaz')
    .selectAll()
    .where('ambiente', '=', ambiente)
    .orderBy('inicio', 'desc')
    .orderBy('id')
  const rows = await ('abertosAte' in when
    ? all.where('fim', 'is', null).where('inicio', '<=', when.abertosAte)
    : all
        .where('inicio', '<=', when.ate)
        .where(({ eb, or }) => or([eb('fim', 'is', null), eb('fim', '>=', when.de)]))
  ).execute()
  return rows.map(({ id, casa, inicio, fim, quedas }) => ({
    id,
    // Proven by `upsertIncidentes`, which alone writes both.
    casa: trusted<Incidente['casa']>(casa),
    inicio,
    fim,
    quedas: trusted<Incidente['quedas']>(JSON.parse(quedas)),
  }))
}

async function upsertRitmos(
  trx: Kysely<Tables>,
  ambiente: Ambiente,
  ritmos: readonly RitmoDaSonda[],
): Promise<void> {
  if (ritmos.length === 0) return
  await trx
    .insertInto('ritmos_sefaz')
    .values(ritmos.map((ritmo) => ({ ...ritmo, ambiente })))
    .onConflict((on) =>
      on.columns(['ambiente', 'autorizador']).doUpdateSet(({ ref }) => ({
        proxima: ref('excluded.proxima'),
        fator: ref('excluded.fator'),
        motivo: ref('excluded.motivo'),
      })),
    )
    .execute()
}

export async function selectRitmos({ db: { kysely }, ambiente }: DoAmbiente): Promise<RitmoDaSonda[]> {
  const rows = await kysely
    .selectFrom('ritmos_sefaz')
    .select(['autorizador', 'proxima', 'fator', 'motivo'])
    .where('ambiente', '=', ambiente)
    .orderBy('autorizador')
    .execute()
  return rows.map((row) => ({ ...row }))
}

/** Stores what SVCs said; each answer takes the place of the one before. */
async function upsertAtivacoes(
  trx: Kysely<Tables>,
  ambiente: Ambiente,
  ativacoes: RodadaFeita['ativacoes'],
): Promise<void> {
  if (ativacoes.length === 0) return
  await trx
    .insertInto('ativacoes_sefaz')
    .values(ativacoes.map((ativacao) => ({ ...ativacao, ambiente })))
    .onConflict((on) =>
      on.columns(['ambiente', 'doc', 'uf']).doUpdateSet(({ ref }) => ({
        estado: ref('excluded.estado'),
        em: ref('excluded.em'),
      })),
    )
    .execute()
}

export async function selectAtivacoes({
  db: { kysely },
  ambiente,
}: DoAmbiente): Promise<RodadaFeita['ativacoes']> {
  const rows = await kysely
    .selectFrom('ativacoes_sefaz')
    .select(['doc', 'uf', 'estado', 'em'])
    .where('ambiente', '=', ambiente)
    .orderBy('doc')
    .orderBy('uf')
    .execute()
  return rows.flatMap(({ uf, ...rest }) => (isUf(uf) ? [{ ...rest, uf }] : []))
}

/** Nodes' clocks differ by less. What is further ahead was stored before a clock was set back. */
const ADIANTE_MS = 5 * 60_000

/** The last instant whose rounds count at `agora`. */
export const newestCredible = (agora: number): number => agora + ADIANTE_MS

/** Stores a round with all that it leaves behind. False if one that began then or later is stored. */
export const insertRodada = (on: DoAmbiente, feita: RodadaFeita): Promise<boolean> =>
  alone(on, async (trx) => {
    const { ambiente } = on
    const { em, fim, fonte, semRede } = feita.rodada
    const later = await trx
      .selectFrom('rodadas_sefaz')
      .select('em')
      .where('ambiente', '=', ambiente)
      .where('em', '>=', em)
      .where('em', '<=', newestCredible(em))
      .limit(1)
      .executeTakeFirst()
    if (later) return false
    await trx
      .insertInto('rodadas_sefaz')
      .values({ ambiente, em, fim, fonte, sem_rede: semRede ? 1 : 0 })
      .execute()
    const rows = feita.leituras.map((leitura) => rowOf(ambiente, leitura))
    if (rows.length > 0) await trx.insertInto('leituras_sefaz').values(rows).execute()
    await upsertIncidentes(trx, ambiente, feita.incidentes)
    await upsertRitmos(trx, ambiente, feita.ritmos)
    await upsertAtivacoes(trx, ambiente, feita.ativacoes)
    return true
  })

/** Compiles the query for the instant of the newest round at an instant. */
export function selectNewest({ db, ambiente }: DoAmbiente): (agora: number) => Promise<number | undefined> {
  const select = prepareRows(
    db,
    db.kysely
      .selectFrom('rodadas_sefaz')
      .select('em')
      .where('ambiente', '=', ambiente)
      .where('em', '<=', 0)
      .orderBy('em', 'desc')
      .limit(1)
      .compile(),
  )
  return async (agora) => (await select(ambiente, newestCredible(agora), 1))[0]?.em
}

export async function selectNext(
  { db: { kysely }, ambiente }: DoAmbiente,
  since: number,
): Promise<number | undefined> {
  const row = await kysely
    .selectFrom('rodadas_sefaz')
    .select('em')
    .where('ambiente', '=', ambiente)
    .where('em', '>=', since)
    .orderBy('em')
    .limit(1)
    .executeTakeFirst()
  return row?.em
}

/** The newest first; with `atendidas`, those alone in which a service answered. */
export async function selectRecentes(
  { db: { kysely }, ambiente }: DoAmbiente,
  { most, agora, atendidas = false }: { most: number; agora: number; atendidas?: boolean },
): Promise<{ rodada: Rodada; leituras: LeituraSefaz[] }[]> {
  const rounds = await kysely
    .selectFrom('rodadas_sefaz')
    .selectAll()
    .where('ambiente', '=', ambiente)
    .where('em', '<=', newestCredible(agora))
    .$if(atendidas, (all) => all.where('sem_rede', '=', 0))
    .orderBy('em', 'desc')
    .limit(most)
    .execute()
  const since = rounds.at(-1)?.em
  if (since === undefined) return []
  const rows = await kysely
    .selectFrom('leituras_sefaz')
    .selectAll()
    .where('ambiente', '=', ambiente)
    // By name, so that the primary key leads to them.
    .where(
      'autorizador',
      'in',
      autorizadores.map(({ id }) => id),
    )
    .where('em', '>=', since)
    .where('em', '<=', newestCredible(agora))
    .execute()
  const byRound = Map.groupBy(rows, ({ em }) => em)
  return rounds.map(({ em, fim, fonte, sem_rede }) => ({
    rodada: { em, fim, fonte, semRede: sem_rede === 1 },
    leituras: (byRound.get(em) ?? []).map(leituraOf),
  }))
}

/** The last readings of an authorizer that count: no refusal to be asked so often, none without network. */
export async function selectDoPausado(
  { db: { kysely }, ambiente }: DoAmbiente,
  { autorizador, most, agora }: { autorizador: string; most: number; agora: number },
): Promise<LeituraSefaz[]> {
  const rows = await kysely
    .selectFrom('leituras_sefaz as leitura')
    .innerJoin('rodadas_sefaz as rodada', (on) =>
      on.onRef('rodada.ambiente', '=', 'leitura.ambiente').onRef('rodada.em', '=', 'leitura.em'),
    )
    .selectAll('leitura')
    .where('leitura.ambiente', '=', ambiente)
    .where('leitura.autorizador', '=', autorizador)
    .where('leitura.em', '<=', newestCredible(agora))
    .where('rodada.sem_rede', '=', 0)
    .where(({ eb, or }) =>
      or([eb('leitura.cstat', 'is', null), eb('leitura.cstat', 'not in', [...USO_INDEVIDO])]),
    )
    .orderBy('leitura.em', 'desc')
    .limit(most)
    .execute()
  return rows.map(leituraOf)
}

const rowOf = (ambiente: Ambiente, leitura: LeituraSefaz): LeiturasSefazTable => ({
  ambiente,
  autorizador: leitura.autorizador,
  em: leitura.em,
  resultado: leitura.resultado,
  conexao_ms: wholeMs(leitura.conexaoMs),
  tls_ms: wholeMs(leitura.tlsMs),
  resposta_ms: wholeMs(leitura.respostaMs),
  cstat: leitura.cStat,
  motivo: leitura.motivo,
  desmentida: leitura.desmentida === null ? null : leitura.desmentida ? 1 : 0,
})

const wholeMs = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))

const leituraOf = (row: LeiturasSefazTable): LeituraSefaz => ({
  autorizador: row.autorizador,
  em: row.em,
  resultado: row.resultado,
  conexaoMs: row.conexao_ms,
  tlsMs: row.tls_ms,
  respostaMs: row.resposta_ms,
  cStat: row.cstat,
  motivo: row.motivo,
  desmentida: row.desmentida === null ? null : row.desmentida === 1,
})

const MINUTE_MS = 60_000
/** A node writes its readings every 10 seconds. */
const WRITTEN_MS = 15_000

/** Of all nodes together. It counts in whole minutes, each in one interval. */
export async function selectChamadas(
  { db: { kysely }, ambiente }: DoAmbiente,
  { fontes, em, intervaloMs }: { fontes: readonly string[]; em: number; intervaloMs: number },
): Promise<ReadonlyMap<string, ChamadasProprias>> {
  const minuteOf = (instant: number): number => Math.floor((instant - WRITTEN_MS) / MINUTE_MS) * MINUTE_MS
  const rows = await kysely
    .selectFrom('leituras')
    .select(['fonte', 'sucessos', 'falha_tipo', 'falha_codigo'])
    .where('minuto', '>=', minuteOf(em - intervaloMs))
    .where('minuto', '<', minuteOf(em))
    .where('ambiente', '=', ambiente)
    .where('fonte', 'in', fontes)
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ fonte }) => fonte)].map(([fonte, own]) => [
      fonte,
      {
        boas: own.reduce((sum, { sucessos }) => sum + sucessos, 0),
        // A row tells the last failure of its minute.
        falhas: own.flatMap(({ falha_tipo: tipo, falha_codigo: codigo }) =>
          tipo === null ? [] : [{ tipo, codigo: codigo ?? '' }],
        ),
      },
    ]),
  )
}
