import { randomUUID } from 'node:crypto'
import { estados } from '../estados/estados.ts'
import { untilAborted } from '../platform/wire/http.ts'
import { type Autorizador, autorizadorOf, type ChamadasProprias, isRecusada, LIMITE_S } from './rules.ts'
import { knownBy, svcQuestions } from './rules-quadro.ts'
import {
  type Antes,
  decideRodada,
  dueOf,
  forgottenAfterMs,
  type Incidente,
  isUsoIndevido,
  memoryOf,
  REABRE_MS,
  type RodadaFeita,
  type Sondado,
} from './rules-rodada.ts'
import type { SefazRoom } from './sefaz.ts'
import { askSvcs, type MeiosDaSonda, probe, type Sondagem } from './source.ts'
import { readPaginas } from './source-paginas.ts'

/** Whoever asks has the turn no longer than this: a node that dies within a round holds up one at most. */
const TURNO_MS = 2 * LIMITE_S * 1000

/** Undefined where another round is still going on, on whichever node; an aborted one leaves nothing. */
export async function makeRodada(
  room: SefazRoom,
  signal: AbortSignal = new AbortController().signal,
): Promise<RodadaFeita | undefined> {
  const { turnos } = room
  const turno = await turnos.take('BR/status', { patienceMs: 0, pauseMs: 0, leaseMs: TURNO_MS })
  if (!turno) return undefined
  try {
    return await makeInTurn(room, signal)
  } finally {
    await turno.end(0)
  }
}

async function makeInTurn(room: SefazRoom, signal: AbortSignal): Promise<RodadaFeita | undefined> {
  const { config, now, monitor, log } = room
  const em = now().getTime()
  const quando = { em, intervaloMs: config.SEFAZ_SECONDS * 1000 }
  const antes = await recall(room, quando)
  const due = dueOf(antes.ritmos, quando)
  // What to ask the SVCs is told by the board: another node may have made the round before.
  await monitor.refresh()
  const quadro = monitor.quadro()
  const isDue = new Set(due.map(({ id }) => id))
  const perguntas = (quadro ? svcQuestions(knownBy(quadro)) : []).filter(({ svc }) =>
    isDue.has(svc.autorizador),
  )
  // Decided once: the certificate may end within the round.
  const meios = meiosOf(room)
  const asked = Promise.all([probeAll(room, meios, due, em), askSvcs(meios, perguntas, em)])
  const [sondados, ativacoes] = await untilAborted(asked, signal)
  const feita: RodadaFeita = {
    ...decideRodada(antes, {
      rodada: { em, fim: now().getTime(), fonte: meios ? 'servicos' : 'paginas' },
      sondados: refusedBySvc(sondados, ativacoes.recusaram),
      newId: randomUUID,
      chamadas: await findChamadas(room, quando),
      ...quando,
    }),
    ativacoes: ativacoes.respostas,
  }
  signal.throwIfAborted()
  if (!(await monitor.keep(feita))) {
    log.warn({ em: new Date(em) }, 'a round was not stored: one with a later clock is there already')
    return undefined
  }
  tellChanges(antes.incidentes, feita, log)
  tellRound(feita, antes.rodadas[0]?.rodada.semRede === true, log)
  return feita
}

async function probeAll(
  room: SefazRoom,
  meios: MeiosDaSonda | undefined,
  autorizadores: readonly Autorizador[],
  em: number,
): Promise<Sondado[]> {
  if (!meios) {
    const { http, config, now, log } = room
    const asked = { http, now, ambiente: config.SEFAZ_AMBIENTE, log }
    return (await readPaginas(em, asked)).map(sondadoDe)
  }
  return Promise.all(autorizadores.map(async (one) => sondadoDe(await probe(one, em, meios))))
}

function sondadoDe({ leitura, contato, http }: Sondagem): Sondado {
  const blocked = http === 403 ? 'http-403' : undefined
  return {
    leitura,
    atendeu: contato === 'servico' && !isRecusada(leitura),
    recusa: isUsoIndevido(leitura) ? 'uso-indevido' : blocked,
  }
}

/** All authorities refuse a certificate that has ended: that is no outage of theirs. */
export function validCertificado({ certificado, now }: SefazRoom): SefazRoom['certificado'] {
  return certificado && now() <= certificado.fim ? certificado : undefined
}

/** A probe that failed is a line of the log (docs/operations); a good one is one at debug alone. */
function meiosOf(room: SefazRoom): MeiosDaSonda | undefined {
  const { status: http, config, log } = room
  const certificado = validCertificado(room)
  const { SEFAZ_AMBIENTE: ambiente } = config
  return certificado && { http, certificado, ambiente, limiteMs: LIMITE_S * 1000, log }
}

/** What our clients' calls meet at these sources is held against the authorizer's word. */
const fontesPor: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Map.groupBy(
      [...estados.values()].flatMap(({ uf, ie }) =>
        ie.flatMap(({ familia, source }) =>
          familia === 'cadastro' ? [{ autorizador: autorizadorOf('nfe', uf).id, fonte: source.id }] : [],
        ),
      ),
      ({ autorizador }) => autorizador,
    ),
  ].map(([autorizador, all]) => [autorizador, all.map(({ fonte }) => fonte)]),
)

async function findChamadas(
  { monitor }: SefazRoom,
  when: { em: number; intervaloMs: number },
): Promise<ReadonlyMap<string, ChamadasProprias>> {
  const fontes = [...fontesPor.values()].flat()
  const byFonte = await monitor.chamadas({ fontes, ...when })
  return new Map(
    [...fontesPor].flatMap(([autorizador, own]) => {
      const called = own.flatMap((fonte) => byFonte.get(fonte) ?? [])
      const boas = called.reduce((sum, one) => sum + one.boas, 0)
      const falhas = called.flatMap((one) => one.falhas)
      return called.length === 0 ? [] : [[autorizador, { boas, falhas }] as const]
    }),
  )
}

async function recall(
  { monitor }: SefazRoom,
  { em, intervaloMs }: { em: number; intervaloMs: number },
): Promise<Antes> {
  const ritmos = await monitor.ritmos()
  const rounds = memoryOf(ritmos)
  const [incidentes, rodadas] = await Promise.all([
    monitor.incidentes({ de: em - REABRE_MS - rounds * intervaloMs, ate: em }),
    monitor.recentes(rounds),
  ])
  const fora = incidentes.flatMap(({ quedas }) => quedas.filter(({ fim }) => fim === null))
  const since = em - forgottenAfterMs(ritmos, intervaloMs)
  const calados = new Set<string>()
  for (const { autorizador } of fora)
    if (!(await monitor.hasProva(autorizador, since))) calados.add(autorizador)
  return { ritmos, incidentes, rodadas, calados }
}

/** A question to an SVC may meet the block that the probe of the same address did not meet yet. */
const refusedBySvc = (sondados: readonly Sondado[], recusaram: ReadonlySet<string>): readonly Sondado[] =>
  sondados.map((one) =>
    recusaram.has(one.leitura.autorizador) ? { ...one, recusa: 'uso-indevido' as const } : one,
  )

function tellChanges(
  antes: readonly Incidente[],
  { incidentes: depois, rodada }: RodadaFeita,
  log: SefazRoom['log'],
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
  log: SefazRoom['log'],
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
