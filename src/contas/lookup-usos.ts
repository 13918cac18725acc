import { setImmediate as nextTurn } from 'node:timers/promises'
import { diaDe, diaDepois, diasEntre } from '../documento/dia.ts'
import type { TipoLancamento } from '../platform/db/tables.ts'
import { DIAS_DO_REGISTRO } from '../platform/http/outcome.ts'
import type { Ledger } from '../platform/ledger/ledger.ts'
import type { ContasRoom } from './contas.ts'
import { reaisOf } from './lookup.ts'
import {
  type FiltroDeDias,
  type FiltroDeUsos,
  findUso,
  findUsos,
  type Marco,
  type SomaDeUsos,
  sumDias,
  type Uso,
  type UsosAchados,
} from './store-dias.ts'

/** The most calls that one page reads to find those of a filter (decision 64). */
export const OLHAR = 10_000

/** Of these, so many at once: the embedded database reads in the thread that answers everybody. */
export const FATIA = { sqlite: 500, postgres: 10_000 } as const

/** What is asked of the log. `dia` is one day, AAAA-MM-DD in Brasília. */
export type BuscaNoRegistro = Pick<FiltroDeUsos, 'endpoint' | 'desfecho' | 'uf' | 'texto'> & {
  dia: string | undefined
}

type Folha = {
  sentido: 'antigas' | 'novas'
  marco: Marco | undefined
  linhas: number
  /** The most calls that are read. */
  olhar?: number
}

/** Has the calls that have just ended. Other requests run between two slices. */
export async function readFolha(
  room: ContasRoom,
  conta_id: string,
  busca: BuscaNoRegistro,
  { sentido, marco, linhas, olhar = OLHAR }: Folha,
): Promise<UsosAchados> {
  const { db, usos: guardados } = room
  await guardados.flushOf(conta_id)
  const filtro = filtroDe(busca, room.now)
  const fatia = FATIA[db.dialect]
  const fatias: Uso[][] = []
  let de = marco
  for (let olhadas = fatia; ; olhadas += fatia) {
    const faltam = linhas - fatias.flat().length
    const achados = await findUsos(db, conta_id, filtro, { sentido, marco: de, linhas: faltam, scan: fatia })
    fatias.push(achados.usos)
    // Each slice is in the order of the page, and the slices in that of the search.
    const usos = (sentido === 'antigas' ? fatias : fatias.toReversed()).flat()
    if (!achados.stoppedAt) return { ...achados, usos }
    const ultima = sentido === 'antigas' ? usos.at(-1) : usos[0]
    if (usos.length === linhas) return { usos, next: ultima, stoppedAt: undefined }
    if (olhadas >= olhar) return { usos, next: achados.stoppedAt, stoppedAt: achados.stoppedAt }
    de = achados.stoppedAt
    await nextTurn()
  }
}

function filtroDe({ dia, ...filtro }: BuscaNoRegistro, now: () => Date): FiltroDeUsos {
  const hoje = diaDe(now().getTime())
  return { ...filtro, de: dia ?? diaDepois(hoje, 1 - DIAS_DO_REGISTRO), ate: dia ?? hoje }
}

/** What may be the number of a request, or its end. */
export const isFimDePedido = (text: string): boolean => /^[\da-f-]{4,36}$/i.test(text)

/** So many of the newest calls are looked at while somebody types the end of a number. */
const OLHAR_DEPRESSA = 2_000
const COM_O_FIM = 5

/** The calls of an account whose number ends like this, the newest first. */
export async function findPorFim(room: ContasRoom, conta_id: string, fim: string): Promise<Uso[]> {
  if (fim.length === UUID) {
    const whole = await findPedido(room, conta_id, fim)
    return whole ? [whole.uso] : []
  }
  const busca = { dia: undefined, texto: { fimDoPedido: fim, documentos: [], endpoints: [] } }
  const { usos } = await readFolha(room, conta_id, busca, {
    sentido: 'antigas',
    marco: undefined,
    linhas: COM_O_FIM,
    olhar: OLHAR_DEPRESSA,
  })
  return usos
}

const UUID = 36

/** All of them: the index of entries on PostgreSQL begins with the kind. */
const TIPOS: readonly TipoLancamento[] = ['charge', 'debit', 'grant', 'hold', 'release', 'renewal']

export async function findPedido(
  { usos, db, now }: ContasRoom,
  conta_id: string,
  request_id: string,
): Promise<{ uso: Uso; lancamentos: LancamentoDoPedido[] } | undefined> {
  await usos.flushOf(conta_id)
  const uso = await findUso(db, conta_id, request_id)
  if (!uso || uso.criado_em < now().getTime() - DIAS_DO_REGISTRO * 86_400_000) return undefined
  const lancamentos = await findLancamentos({ db }, conta_id, request_id)
  return { uso, lancamentos }
}

/** What a call cost, by the books: they have it also where a process died before the call was in the log. */
export const findLancamentos = (
  { db }: Pick<ContasRoom, 'db'>,
  conta_id: string,
  request_id: string,
): Promise<LancamentoDoPedido[]> =>
  db.kysely
    .selectFrom('lancamentos')
    .select(['criado_em', 'tipo', 'creditos', 'cota', 'extra', 'reais'])
    .where('tipo', 'in', TIPOS)
    .where('request_id', '=', request_id)
    .where('conta_id', '=', conta_id)
    .orderBy('tipo')
    .execute()

type LancamentoDoPedido = {
  criado_em: number
  tipo: TipoLancamento
  creditos: number
  cota: number
  extra: number
  reais: string | null
}

const LINHAS = { sqlite: 250, postgres: 1_000 } as const

/** All calls of a question, the newest first, in slices between which other requests run. */
export async function* walkUsos(
  room: ContasRoom,
  conta_id: string,
  busca: BuscaNoRegistro,
): AsyncGenerator<Uso[], void> {
  const { db } = room
  await room.usos.flushOf(conta_id)
  const filtro = filtroDe(busca, room.now)
  let marco: Marco | undefined
  do {
    const { usos, next } = await findUsos(db, conta_id, filtro, {
      sentido: 'antigas',
      marco,
      linhas: LINHAS[db.dialect],
      scan: FATIA[db.dialect],
    })
    if (usos.length > 0) yield usos
    marco = next
    await nextTurn()
  } while (marco !== undefined)
}

/** The calls of a day (AAAA-MM-DD, Brasília): their sum, and that of each endpoint. */
export type DiaDeUso = { dia: string; soma: SomaDeUsos; endpoints: ReadonlyMap<string, SomaDeUsos> }

export function addUp(somas: Iterable<SomaDeUsos>): SomaDeUsos {
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

/** Days without a call included. Has what this node answered up to now, and what the others had written. */
export async function usoPorDia(
  { usos, db }: ContasRoom,
  conta_id: string,
  periodo: FiltroDeDias & { de: string; ate: string },
): Promise<DiaDeUso[]> {
  await usos.flushOf(conta_id)
  const rows = Map.groupBy(await sumDias(db, conta_id, periodo), ({ dia }) => dia)
  return diasEntre(periodo.de, periodo.ate).map((dia) => {
    const endpoints = new Map((rows.get(dia) ?? []).map((row) => [row.endpoint, row]))
    return { dia, soma: addUp(endpoints.values()), endpoints }
  })
}

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
