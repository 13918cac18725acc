import { oldest } from '../documento/dia.ts'
import { type Job, JobRefused, newRequestId } from '../platform/jobs/kind.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import {
  buscaDeParcelas,
  type FimDaBusca,
  falhaOf,
  type Guardadas,
  isOfSessao,
  openGuardadas,
  openPedido,
  type PedidoDeBusca,
} from './lookup-sigef.ts'
import { isDetentor, needsRenewal, type ParcelaDoSigef, type ParcelaLida, situacaoDaSessao } from './rules.ts'
import type { RuralRoom } from './rural.ts'
import { type Andante, openSessao, renewInTurn } from './sessao.ts'
import { findCertificacao, findParcela } from './source-detalhe.ts'
import {
  failureOf,
  listParcelas,
  type MeiosDoSigef,
  type ParcelaListada,
  SIMULTANEAS,
} from './source-sigef.ts'

/** A run of a job may take ten minutes: what is left then is for the next. */
const RODADA_MS = 8 * 60_000
const ACERVO_MS = 30_000

/** After `rodadaMs` no page is begun. A failure of SIGEF is told in the end; any other is thrown. */
async function runBusca(
  room: RuralRoom,
  pedido: PedidoDeBusca,
  andante: Andante,
  rodadaMs = RODADA_MS,
): Promise<FimDaBusca> {
  try {
    if (await isKept(room, pedido)) return { fim: 'guardada' }
    const sessao = await openSessao(room, andante)
    const { http, guard } = room
    try {
      return await readParcelas(room, pedido, { http, guard, jar: sessao.jar, ...andante }, rodadaMs)
    } catch (error) {
      if (isOfSessao(error)) await sessao.doubt(error.message)
      throw error
    }
  } catch (error) {
    andante.signal?.throwIfAborted()
    const falha = falhaOf(error)
    if (!falha) throw error
    return { fim: 'falhou', falha }
  }
}

/** Whether another search answered this order, after its caller had looked for a kept answer. */
async function isKept({ sealed, now }: RuralRoom, pedido: PedidoDeBusca): Promise<boolean> {
  const kept = await openGuardadas(sealed, now).find(pedido)
  return kept !== undefined && kept.consultado_em >= pedido.desde
}

async function readParcelas(
  room: RuralRoom,
  pedido: PedidoDeBusca,
  meios: MeiosDoSigef,
  rodadaMs: number,
): Promise<FimDaBusca> {
  const { now, sealed } = room
  const guardadas = openGuardadas(sealed, now)
  const ends = performance.now() + rodadaMs
  const consultado_em = now().toISOString()
  const listadas = await listParcelas(pedido.documento, meios)
  const lidas = new Map<string, { lida: ParcelaLida; since: string }>()
  await inPairs(listadas, async (listada) => {
    if (performance.now() > ends) return
    lidas.set(listada.uuid, await readOnce(listada, pedido, { guardadas, meios, now }))
  })
  const all = listadas.flatMap(({ uuid }) => lidas.get(uuid) ?? [])
  if (all.length < listadas.length) return { fim: 'continua' }
  const parcelas = all.map(({ lida }) => lida.parcela)
  const { dias, avisos } = await daysOf(room.config, parcelas, { guardadas, meios })
  await guardadas.keep(pedido, {
    parcelas: parcelas.map((parcela) => ({
      ...parcela,
      data_certificacao: dias.get(parcela.codigo_parcela) ?? '',
    })),
    consultado_em: oldest(consultado_em, ...all.map(({ since }) => since)),
    avisos,
  })
  return { fim: 'guardada' }
}

type Place = { guardadas: Guardadas; meios: MeiosDoSigef }

async function readOnce(
  listada: ParcelaListada,
  { documento, desde }: PedidoDeBusca,
  { guardadas, meios, now }: Place & Pick<RuralRoom, 'now'>,
): Promise<{ lida: ParcelaLida; since: string }> {
  const kept = await guardadas.findParcela(listada.uuid)
  if (kept && kept.since >= desde && isDetentor(kept.value.documentos, documento))
    return { lida: kept.value, since: kept.since }
  const since = now().toISOString()
  const lida = await findParcela(listada, meios)
  if (!isDetentor(lida.documentos, documento))
    throw failureOf('parse', 'se contradiz: a página de uma parcela mostra outro detentor', {
      codigo: 'contradicao',
    })
  await guardadas.keepParcela(lida)
  return { lida, since }
}

async function daysOf(
  { SIGEF_WFS }: RuralRoom['config'],
  parcelas: readonly ParcelaDoSigef[],
  { guardadas, meios }: Place,
): Promise<{ dias: Map<string, string>; avisos: string[] }> {
  const dias = new Map<string, string>()
  if (!SIGEF_WFS) return { dias, avisos: [] }
  const ends = performance.now() + ACERVO_MS
  let isAway = false
  await inPairs(parcelas, async (parcela) => {
    const uuid = parcela.codigo_parcela
    const kept = await guardadas.findDia(uuid)
    if (kept !== undefined) dias.set(uuid, kept)
    else if (!isAway && performance.now() < ends) {
      const found = await findCertificacao(parcela, meios).catch((error: unknown) => {
        if (!(error instanceof SourceError)) throw error
        isAway = true
        return undefined
      })
      if (found === undefined) return
      dias.set(uuid, found)
      await guardadas.keepDia(uuid, found)
    }
  })
  const unknown = parcelas.length - dias.size
  const aviso = `O acervo fundiário do INCRA não informou desta vez a data de certificação de ${unknown} de ${parcelas.length} parcelas: nelas o campo está vazio.`
  return { dias, avisos: unknown > 0 ? [aviso] : [] }
}

async function inPairs<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const serve = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift())
      await work(one).catch((error: unknown) => {
        left.length = 0
        throw error
      })
  }
  await Promise.all(Array.from({ length: SIMULTANEAS }, serve))
}

const DAY_MS = 24 * 60 * 60_000

/** A search that is too long for one run goes on in a next job, which finds the parcels that are kept. */
export const searchParcelas = (room: RuralRoom, rodadaMs?: number): Job<typeof buscaDeParcelas.payload> => ({
  ...buscaDeParcelas,
  attempts: 4,
  backoffMs: 2_000,
  keptMs: DAY_MS,
  // They take turns, so that a holder of a thousand parcels does not keep the others waiting.
  atOnce: 4,
  async run(payload, { id, conta, signal }) {
    const pedido = openPedido(room.secret, payload)
    if (!pedido) throw new JobRefused('o pedido foi cifrado com outro segredo do servidor')
    const emVaga = <T>(ask: () => Promise<T>): Promise<T> => room.inPlace(ask, signal)
    const result = await runBusca(room, pedido, { request_id: id, signal, emVaga }, rodadaMs)
    if (result.fim !== 'continua') return { result }
    return {
      result,
      write: async (on) => void (await room.jobs.enqueue(buscaDeParcelas, payload, { on, conta })),
    }
  },
})

/** Says in the log, once a day or when it changes, what the operator should do about the session. */
export function sessaoKeeper(room: RuralRoom): () => Promise<void> {
  const { config, sessoes, now, log } = room
  let told = ''

  async function renew(): Promise<void> {
    try {
      const request_id = newRequestId(now())
      await renewInTurn(room, { request_id, emVaga: room.inPlace })
    } catch (error) {
      const falha = falhaOf(error)
      if (!falha) throw error
      log.warn({ code: falha.code, why: falha.message }, 'the session with SIGEF was not renewed')
    }
  }

  return async () => {
    const dados = config.SIGEF === 'ligado' ? await sessoes.look() : undefined
    if (!dados) return
    if (needsRenewal(dados, now())) await renew()
    const after = await sessoes.look()
    const { situacao, aviso } = situacaoDaSessao(after, now())
    const news = `${situacao} ${after?.renovavel} ${now().toISOString().slice(0, 10)}`
    if (aviso !== '' && news !== told) log.warn({ situacao }, aviso)
    told = news
  }
}
