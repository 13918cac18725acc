import type { Ambiente } from '../../domain/ambiente.ts'
import { autorizadores } from '../../domain/sefaz/autorizadores.ts'
import type { LeituraSefaz } from '../../domain/sefaz/leitura.ts'
import type { Rodada, RodadaFeita } from '../../domain/sefaz/rodada.ts'
import { prepareFirst } from '../db/prepared.ts'
import type { LeiturasSefazTable } from '../db/tables.ts'
import { alone, type DoAmbiente } from './alone.ts'
import { upsertAtivacoes, upsertIncidentes, upsertRitmos } from './estado-io.ts'

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

/** Compiles the query for the instant of the newest round. */
export function selectNewest({ db: { kysely }, ambiente }: DoAmbiente): () => Promise<number | undefined> {
  const first = prepareFirst(
    kysely,
    kysely
      .selectFrom('rodadas_sefaz')
      .select('em')
      .where('ambiente', '=', ambiente)
      .orderBy('em', 'desc')
      .limit(1)
      .compile(),
  )
  return async () => (await first(ambiente, 1))?.em
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

/** The last rounds with their readings, the newest first. */
export async function selectRecentes(
  { db: { kysely }, ambiente }: DoAmbiente,
  most: number,
): Promise<{ rodada: Rodada; leituras: LeituraSefaz[] }[]> {
  const rounds = await kysely
    .selectFrom('rodadas_sefaz')
    .selectAll()
    .where('ambiente', '=', ambiente)
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
    .execute()
  const byRound = Map.groupBy(rows, ({ em }) => em)
  return rounds.map(({ em, fim, fonte, sem_rede }) => ({
    rodada: { em, fim, fonte, semRede: sem_rede === 1 },
    leituras: (byRound.get(em) ?? []).map(leituraOf),
  }))
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
