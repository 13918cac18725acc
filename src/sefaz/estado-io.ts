import type { Kysely } from 'kysely'
import { isUf } from '../documento/uf.ts'
import type { Tables } from '../platform/db/tables.ts'
import { trusted } from '../platform/trusted.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import type { DoAmbiente } from './alone.ts'
import type { Incidente } from './rules-rodada.ts'
import type { RitmoDaSonda, RodadaFeita } from './sefaz-rodada.ts'

/** Stores incidents; those that are known are changed. */
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

/**
 * The incidents that are open and began until an instant, or that lasted or ended within a time; the newest
 * first.
 */
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

/** Stores paces; each takes the place of the authorizer's one before. */
export async function upsertRitmos(
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

/** The paces of the authorizers that ever asked for less. */
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
export async function upsertAtivacoes(
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

/** What each SVC last said of each state. */
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
