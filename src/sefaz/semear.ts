import { diaDe, inicioDoDia } from '../documento/dia.ts'
import { alone, type DoAmbiente } from './alone.ts'
import { upsertIncidentes } from './estado-io.ts'
import type { PassadoSefaz } from './sefaz-rodada.ts'
import { insertDias } from './store-dias.ts'

/** Fills an empty history with a past, all or nothing. False if there is one: a day, an incident, a round. */
export const seedPassado = (
  on: DoAmbiente,
  { dias, incidentes }: PassadoSefaz,
  instant: number,
): Promise<boolean> =>
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
