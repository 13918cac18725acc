import { randomUUID } from 'node:crypto'
import { untilAborted } from '../platform/wire/http.ts'
import { perguntasDeSvc, sabidoPor } from './ativacao.ts'
import { LIMITE_S } from './classificacao.ts'
import { type Antes, decidirRodada, esquece, lembranca, type Sondado } from './decisao.ts'
import { certificadoEmVigor, perguntarSvcs, sondarTodos } from './perguntar.ts'
import type { RecursosDaRodada } from './recursos.ts'
import { devidos } from './ritmo.ts'
import { type Incidente, REABRE_MS } from './rules-rodada.ts'
import { chamadasPorAutorizador } from './sefaz-chamadas.ts'
import type { RodadaFeita } from './sefaz-rodada.ts'

/** Whoever asks has the turn no longer than this: a node that dies within a round holds up one at most. */
const TURNO_MS = 2 * LIMITE_S * 1000

/**
 * Makes one round of the monitor: asks every authorizer that is due, decides what that means, and stores it
 * whole. Undefined where another round is still going on, on whichever node; an aborted one leaves nothing.
 */
export async function fazerRodada(
  recursos: RecursosDaRodada,
  signal: AbortSignal = new AbortController().signal,
): Promise<RodadaFeita | undefined> {
  const { turnos } = recursos.store
  const turno = await turnos.take('BR/status', { patienceMs: 0, pauseMs: 0, leaseMs: TURNO_MS })
  if (!turno) return undefined
  try {
    return await emTurno(recursos, signal)
  } finally {
    await turno.end(0)
  }
}

async function emTurno(recursos: RecursosDaRodada, signal: AbortSignal): Promise<RodadaFeita | undefined> {
  const { config, now, store, log } = recursos
  const { sefaz } = store
  const em = now().getTime()
  const quando = { em, intervaloMs: config.SEFAZ_SECONDS * 1000 }
  const antes = await lembrar(recursos, quando)
  const due = devidos(antes.ritmos, quando)
  await sefaz.refresh()
  const quadro = sefaz.quadro()
  const isDue = new Set(due.map(({ id }) => id))
  const perguntas = (quadro ? perguntasDeSvc(sabidoPor(quadro)) : []).filter(({ svc }) =>
    isDue.has(svc.autorizador),
  )
  const [sondados, ativacoes] = await untilAborted(
    Promise.all([sondarTodos(recursos, due, em), perguntarSvcs(recursos, perguntas, em)]),
    signal,
  )
  const feita: RodadaFeita = {
    ...decidirRodada(antes, {
      rodada: { em, fim: now().getTime(), fonte: certificadoEmVigor(recursos) ? 'servicos' : 'paginas' },
      sondados: refusedBySvc(sondados, ativacoes.recusaram),
      newId: randomUUID,
      chamadas: await chamadasPorAutorizador(recursos, quando),
      ...quando,
    }),
    ativacoes: ativacoes.respostas,
  }
  signal.throwIfAborted()
  if (!(await sefaz.gravar(feita))) {
    log.warn({ em: new Date(em) }, 'a round was not stored: one with a later clock is there already')
    return undefined
  }
  tellChanges(antes.incidentes, feita, log)
  tellRound(feita, antes.rodadas[0]?.rodada.semRede === true, log)
  return feita
}

/** What decides in a round, of those before. */
async function lembrar(
  { store: { sefaz } }: RecursosDaRodada,
  { em, intervaloMs }: { em: number; intervaloMs: number },
): Promise<Antes> {
  const ritmos = await sefaz.ritmos()
  const rounds = lembranca(ritmos)
  const [incidentes, rodadas] = await Promise.all([
    sefaz.incidentes({ de: em - REABRE_MS - rounds * intervaloMs, ate: em }),
    sefaz.recentes(rounds),
  ])
  const fora = incidentes.flatMap(({ quedas }) => quedas.filter(({ fim }) => fim === null))
  const since = em - esquece(ritmos, intervaloMs)
  const calados = new Set<string>()
  for (const { autorizador } of fora) if (!(await sefaz.haProva(autorizador, since))) calados.add(autorizador)
  return { ritmos, incidentes, rodadas, calados }
}

/** A question to an SVC may meet the block that the probe of the same address did not meet yet. */
const refusedBySvc = (sondados: readonly Sondado[], recusaram: ReadonlySet<string>): readonly Sondado[] =>
  sondados.map((one) =>
    recusaram.has(one.leitura.autorizador) ? { ...one, recusa: 'uso-indevido' as const } : one,
  )

/** One line for each fall and for each return. */
function tellChanges(
  antes: readonly Incidente[],
  { incidentes: depois, rodada }: RodadaFeita,
  log: RecursosDaRodada['log'],
): void {
  const keyOf = (autorizador: string, inicio: number): string => `${autorizador} ${inicio}`
  const ends = new Map(
    antes.flatMap(({ quedas }) =>
      quedas.map(({ autorizador, inicio, fim }) => [keyOf(autorizador, inicio), fim] as const),
    ),
  )
  for (const { id: incidente, casa, quedas } of depois)
    for (const { autorizador, inicio, fim, cStat, motivo } of quedas) {
      const before = ends.get(keyOf(autorizador, inicio))
      const desde = new Date(inicio)
      if (before === undefined)
        log.warn({ autorizador, casa, incidente, desde, cStat, motivo }, 'an authorizer is down')
      else if (before === null && fim === rodada.em)
        log.warn({ autorizador, casa, incidente, desde }, 'an authorizer is no longer known to be down')
      else if (before === null && fim !== null)
        log.info({ autorizador, casa, incidente, desde, ate: new Date(fim) }, 'an authorizer is back')
    }
}

function tellRound(
  { rodada, leituras, ritmos, ativacoes }: RodadaFeita,
  wasSilent: boolean,
  log: RecursosDaRodada['log'],
): void {
  const counts = Object.fromEntries(
    [...Map.groupBy(leituras, ({ resultado }) => resultado)].map(([resultado, all]) => [
      resultado,
      all.length,
    ]),
  )
  const { em, fim, fonte, semRede } = rodada
  const fields = { em: new Date(em), ms: fim - em, fonte, ...counts, ativacoes: ativacoes.length }
  log.debug(fields, 'asked the SEFAZ')
  if (semRede && !wasSilent)
    log.warn({}, 'no SEFAZ answers: is the network of this machine down, or its certificate refused?')
  if (!semRede && wasSilent) log.info({}, 'the SEFAZ answer again')
  for (const { autorizador, fator, motivo } of ritmos)
    if (motivo !== '') log.warn({ autorizador, fator, motivo }, 'an authorizer is asked less often')
}
