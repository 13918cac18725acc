import { prepareFirst } from '../platform/db/queries.ts'
import type { LeiturasSefazTable } from '../platform/db/tables.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import { alone, type DoAmbiente } from './alone.ts'
import { upsertAtivacoes, upsertIncidentes, upsertRitmos } from './estado-io.ts'
import type { LeituraSefaz } from './leitura.ts'
import { USO_INDEVIDO } from './ritmo.ts'
import { autorizadores } from './rules.ts'
import type { Rodada, RodadaFeita } from './sefaz-rodada.ts'

/**
 * Nodes' clocks differ by less. What is dated further ahead was stored before a clock was set back: it counts
 * for nothing until its time comes, or the monitor would stand still until then.
 */
const ADIANTE_MS = 5 * 60_000

/** The last instant whose rounds count at `agora`. */
export const ultimoCrivel = (agora: number): number => agora + ADIANTE_MS

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
      .where('em', '<=', ultimoCrivel(em))
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
export function selectNewest({
  db: { kysely },
  ambiente,
}: DoAmbiente): (agora: number) => Promise<number | undefined> {
  const first = prepareFirst(
    kysely,
    kysely
      .selectFrom('rodadas_sefaz')
      .select('em')
      .where('ambiente', '=', ambiente)
      .where('em', '<=', 0)
      .orderBy('em', 'desc')
      .limit(1)
      .compile(),
  )
  return async (agora) => (await first(ambiente, ultimoCrivel(agora), 1))?.em
}

/** The instant of the first round since one. */
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

/**
 * The last rounds at an instant with their readings, the newest first; with `atendidas`, those alone in
 * which a service answered.
 */
export async function selectRecentes(
  { db: { kysely }, ambiente }: DoAmbiente,
  { most, agora, atendidas = false }: { most: number; agora: number; atendidas?: boolean },
): Promise<{ rodada: Rodada; leituras: LeituraSefaz[] }[]> {
  const rounds = await kysely
    .selectFrom('rodadas_sefaz')
    .selectAll()
    .where('ambiente', '=', ambiente)
    .where('em', '<=', ultimoCrivel(agora))
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
    .where('em', '<=', ultimoCrivel(agora))
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
    .where('leitura.em', '<=', ultimoCrivel(agora))
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
