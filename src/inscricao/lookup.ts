import { findBase } from '../cnpj/lookup.ts'
import type { Documento } from '../documento/documento.ts'
import { normalizeInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { estadoOf } from '../estados/estados.ts'
import type { Got, PorChamada } from '../platform/cache/cache.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import type { Estado, Pergunta } from '../portal/estado.ts'
import { askRotas, type Respondido } from '../portal/rotas.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { type Ccc, findByCcc, openCcc } from './ccc.ts'
import { consultaOf, type InscricaoRoom, type InscricoesAchadas } from './inscricao.ts'
import { type ChamadaTodos, type Entrada, fanOut } from './todos.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

type Kept = Respondido<Inscricao[]>

const keyOf = (uf: Uf, { tipo, documento }: Pergunta): string => `ie/3:${uf}:${tipo}:${documento}`

const found = (room: InscricaoRoom, { value, since }: Got<Kept>, cached: boolean): InscricoesAchadas => ({
  inscricoes: withAtividades(room, value.resposta),
  cached,
  fonte: value.fonte,
  consultado_em: since,
  avisos: value.avisos,
})

/**
 * Completes the activities that the state tells by code alone, from the CNPJ base of now. What is cached
 * stays as the state told it, so that a later base tells more.
 */
function withAtividades(room: InscricaoRoom, inscricoes: Inscricao[]): Inscricao[] {
  const base = findBase(room)
  if (!base) return inscricoes
  return inscricoes.map((one) => {
    if (one.cnae_codigo === '' || one.cnae_descricao !== '') return one
    const cnae_descricao = base.descricaoDoCnae(one.cnae_codigo)
    return cnae_descricao === '' ? one : { ...one, cnae_descricao }
  })
}

/** The registrations, if they were asked for a short time ago. */
export async function findCached(
  room: InscricaoRoom,
  uf: Uf,
  pergunta: Pergunta,
  maxAgeMs?: PorChamada['maxAgeMs'],
): Promise<InscricoesAchadas | undefined> {
  const kept = await room.cache.find<Kept>(keyOf(uf, pergunta), maxAgeMs)
  return kept && found(room, kept, true)
}

/** A call, and what it shares among its questions. */
export type DaChamada = PorChamada & {
  /** Shortens the time that the question may take. */
  deadlineMs?: number
  /** The national register for the whole call. Without it, the question opens one of its own. */
  ccc?: Ccc | undefined
}

/**
 * Finds the registrations of a document in a state: cache, then the state, then by CNPJ the national
 * register. Throws SourceError (the state failed), RotaNaoAtende (it does not take the question) or ApiError
 * (it refused the document).
 */
export async function findInscricoes(
  room: InscricaoRoom,
  uf: Uf,
  pergunta: Pergunta,
  {
    request_id,
    maxAgeMs,
    deadlineMs = Number.POSITIVE_INFINITY,
    ccc = openCcc(room, pergunta, { request_id, maxAgeMs }),
  }: DaChamada,
  { ie }: Pick<Estado, 'ie'> = estadoOf(uf),
): Promise<InscricoesAchadas> {
  const loadMs = Math.min(room.config.IE_SECONDS * 1000, deadlineMs)
  const ends = performance.now() + loadMs
  const leftMs = (): number => Math.max(0, ends - performance.now())
  try {
    return await askEstado(room, uf, pergunta, { request_id, maxAgeMs, loadMs, ie })
  } catch (error) {
    if (!ccc || !(error instanceof RotaNaoAtende)) throw error
    const askByIe = (numero: string) => {
      const documento = normalizeInscricao(uf, numero)
      const chamada = { request_id, maxAgeMs, loadMs: leftMs(), ie }
      return askEstado(room, uf, { tipo: 'ie', documento }, chamada)
    }
    const found = await findByCcc(ccc, { uf, why: error, askByIe, leftMs })
    if (!found) throw error
    return found
  }
}

async function askEstado(
  room: InscricaoRoom,
  uf: Uf,
  pergunta: Pergunta,
  { request_id, maxAgeMs, loadMs, ie }: PorChamada & { loadMs: number; ie: Estado['ie'] },
): Promise<InscricoesAchadas> {
  const got = await room.cache.through(
    { key: keyOf(uf, pergunta), ttlMs: goodForMs, loadMs, maxAgeMs },
    (leftMs) => askRotas(ie, pergunta, consultaOf(room, { uf, request_id, deadlineMs: leftMs })),
  )
  return found(room, got, got.cached)
}

/** A registration does not change within the day. A new one may be made within the hour. */
const goodForMs = ({ resposta }: Kept): number => (resposta.length === 0 ? HOUR_MS : DAY_MS)

/** The entry of a state: the registrations that were found there, none if it failed. */
export type EntradaIe = Entrada & { results: Inscricao[] }

/**
 * The registrations of a document in all 27 states, within IE_TODOS_SECONDS, and the states whose answer was
 * kept. Throws as `fanOut` does.
 */
export async function findInscricoesTodos(
  room: InscricaoRoom,
  asked: Documento,
  call: ChamadaTodos<EntradaIe>,
): Promise<{ results: EntradaIe[]; cached_ufs: Uf[] }> {
  const { request_id, maxAgeMs } = call
  const chamada = { request_id, maxAgeMs, ccc: call.ccc ?? openCcc(room, asked, call) }
  const fromCache = new Set<Uf>()
  const results = await fanOut(
    { room, call },
    {
      deadlineMs: room.config.IE_TODOS_SECONDS * 1000,
      ask: async (uf) => {
        const found = await findInscricoes(room, uf, asked, chamada)
        const { inscricoes, cached, fonte, consultado_em, avisos } = found
        if (cached) fromCache.add(uf)
        return { results: inscricoes, fonte, consultado_em, avisos }
      },
      failed: (): { results: Inscricao[] } => ({ results: [] }),
    },
  )
  return { results, cached_ufs: results.map(({ uf }) => uf).filter((uf) => fromCache.has(uf)) }
}
