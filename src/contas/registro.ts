import { setImmediate as nextTurn } from 'node:timers/promises'
import { diaDe, diaDepois } from '../documento/dia.ts'
import type { TipoLancamento } from '../platform/db/tables.ts'
import { DIAS_DO_REGISTRO } from '../platform/http/outcome.ts'
import type { ContasRoom } from './contas.ts'
import {
  buscarUsos,
  type FiltroDeUsos,
  findUso,
  type Marco,
  type Uso,
  type UsosAchados,
} from './store-dias.ts'

/** The most calls that one page reads to find those of a filter (decision 64). */
export const OLHAR = 10_000

/** Of these, so many at once: the embedded database reads in the thread that answers everybody. */
export const FATIA = { sqlite: 500, postgres: 10_000 } as const

/** What is asked of the log. `dia` is one day, AAAA-MM-DD in Brasília. */
export type BuscaNoRegistro = Pick<FiltroDeUsos, 'endpoint' | 'desfecho' | 'uf'> & { dia: string | undefined }

/**
 * A page of the log, with the calls that have just ended. Between two slices of what is read other requests
 * run.
 */
export async function folhear(
  room: ContasRoom,
  conta_id: string,
  busca: BuscaNoRegistro,
  { sentido, marco, linhas }: { sentido: 'antigas' | 'novas'; marco: Marco | undefined; linhas: number },
): Promise<UsosAchados> {
  const { db, usos: guardados } = room
  await guardados.flushOf(conta_id)
  const filtro = filtroDe(busca, room.now)
  const fatia = FATIA[db.dialect]
  const fatias: Uso[][] = []
  let de = marco
  for (let olhadas = fatia; ; olhadas += fatia) {
    const faltam = linhas - fatias.flat().length
    const achados = await buscarUsos(db, conta_id, filtro, {
      sentido,
      marco: de,
      linhas: faltam,
      olhar: fatia,
    })
    fatias.push(achados.usos)
    // Each slice is in the order of the page, and the slices in that of the search.
    const usos = (sentido === 'antigas' ? fatias : fatias.toReversed()).flat()
    if (!achados.parou) return { ...achados, usos }
    const ultima = sentido === 'antigas' ? usos.at(-1) : usos[0]
    if (usos.length === linhas) return { usos, segue: ultima, parou: undefined }
    if (olhadas >= OLHAR) return { usos, segue: achados.parou, parou: achados.parou }
    de = achados.parou
    await nextTurn()
  }
}

/** What is looked for: the days that the log goes back, or the one that was asked for. */
function filtroDe({ dia, ...filtro }: BuscaNoRegistro, now: () => Date): FiltroDeUsos {
  const hoje = diaDe(now().getTime())
  return { ...filtro, de: dia ?? diaDepois(hoje, 1 - DIAS_DO_REGISTRO), ate: dia ?? hoje }
}

/** A call with its entries in the books of the account; undefined where the account has no such call. */
export async function abrirPedido(
  { usos, db, now }: ContasRoom,
  conta_id: string,
  request_id: string,
): Promise<{ uso: Uso; lancamentos: LancamentoDoPedido[] } | undefined> {
  await usos.flushOf(conta_id)
  const uso = await findUso(db, conta_id, request_id)
  if (!uso || uso.criado_em < now().getTime() - DIAS_DO_REGISTRO * 86_400_000) return undefined
  const lancamentos = await db.kysely
    .selectFrom('lancamentos')
    .select(['criado_em', 'tipo', 'creditos', 'cota', 'extra', 'reais'])
    .where('request_id', '=', request_id)
    .where('conta_id', '=', conta_id)
    .execute()
  return { uso, lancamentos }
}

type LancamentoDoPedido = {
  criado_em: number
  tipo: TipoLancamento
  creditos: number
  cota: number
  extra: number
  reais: string | null
}

/** The most calls of a file that are written at once. */
const LINHAS = { sqlite: 250, postgres: 1_000 } as const

/** All calls of a question, the newest first, in slices between which other requests run. */
export async function* percorrer(
  room: ContasRoom,
  conta_id: string,
  busca: BuscaNoRegistro,
): AsyncGenerator<Uso[], void> {
  const { db } = room
  await room.usos.flushOf(conta_id)
  const filtro = filtroDe(busca, room.now)
  let marco: Marco | undefined
  do {
    const { usos, segue } = await buscarUsos(db, conta_id, filtro, {
      sentido: 'antigas',
      marco,
      linhas: LINHAS[db.dialect],
      olhar: FATIA[db.dialect],
    })
    if (usos.length > 0) yield usos
    marco = segue
    await nextTurn()
  } while (marco !== undefined)
}
