import { diasEntre } from '../documento/dia.ts'
import type { Ledger } from '../platform/ledger/ledger.ts'
import type { ContasRoom } from './contas.ts'
import { reaisOf } from './extrato.ts'
import { type FiltroDeDias, type SomaDeUsos, somarDias } from './store-dias.ts'

/** The calls of a day (AAAA-MM-DD, Brasília): their sum, and that of each endpoint. */
export type DiaDeUso = { dia: string; soma: SomaDeUsos; endpoints: ReadonlyMap<string, SomaDeUsos> }

/** Adds sums up. */
export function somarTudo(somas: Iterable<SomaDeUsos>): SomaDeUsos {
  const total = { chamadas: 0, entregues: 0, falhas: 0, do_cache: 0, com_falha: 0, creditos: 0, ms: 0 }
  for (const { chamadas, entregues, falhas, do_cache, com_falha, creditos, ms } of somas) {
    total.chamadas += chamadas
    total.entregues += entregues
    total.falhas += falhas
    total.do_cache += do_cache
    total.com_falha += com_falha
    total.creditos += creditos
    total.ms += ms
  }
  return total
}

/**
 * The calls of an account in each day of a period, the oldest first, days without one included. It has what
 * this node answered up to now, and what the others had written.
 */
export async function usoPorDia(
  { usos, db }: ContasRoom,
  conta_id: string,
  periodo: FiltroDeDias & { de: string; ate: string },
): Promise<DiaDeUso[]> {
  await usos.flushOf(conta_id)
  const rows = Map.groupBy(await somarDias(db, conta_id, periodo), ({ dia }) => dia)
  return diasEntre(periodo.de, periodo.ate).map((dia) => {
    const endpoints = new Map((rows.get(dia) ?? []).map((row) => [row.endpoint, row]))
    return { dia, soma: somarTudo(endpoints.values()), endpoints }
  })
}

/** The endpoints of these days, the most called first. */
export function endpointsDe(dias: readonly DiaDeUso[]): string[] {
  const counts = new Map<string, number>()
  for (const { endpoints } of dias)
    for (const [endpoint, { chamadas }] of endpoints)
      counts.set(endpoint, (counts.get(endpoint) ?? 0) + chamadas)
  return [...counts].sort(([a, many], [b, other]) => other - many || (a < b ? -1 : 1)).map(([name]) => name)
}

/** What the notes of a month (AAAA-MM) cost in BRL, as decimal text. Null where none has a price. */
export async function gastoEmReais(
  { livro }: Pick<Ledger, 'livro'>,
  conta_id: string,
  mes: string,
): Promise<string | null> {
  const { meses } = await livro(conta_id)
  return reaisOf(meses.find((one) => one.mes === mes)?.somas ?? [])
}
