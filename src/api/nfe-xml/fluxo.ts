import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { type Andamento, codigoDe, type EventoFeito, eventosOf } from '../../domain/andamento.ts'
import type { A1 } from '../../domain/certificado.ts'
import { type Chave, maskChave } from '../../domain/chave.ts'
import { type Desfecho, type Passo, proximoPasso } from '../../domain/manifestacao.ts'
import type {
  DesfechoDoEvento,
  Evento,
  Feito,
  RespostaDaDistribuicao,
  RespostaDoPortal,
} from '../../domain/nfe.ts'
import { RotaNaoAtende } from '../../domain/rota-nao-atende.ts'
import { SourceError } from '../../domain/source-error.ts'
import { consultarChave } from '../../sources/nfe/distribuicao.ts'
import { registrarEvento } from '../../sources/nfe/evento.ts'
import { fontesNfe } from '../../sources/nfe/fonte.ts'
import type { MeiosNfe } from '../../sources/nfe/meios.ts'
import { baixarNoPortal } from '../../sources/nfe/portal.ts'
import { isUnreached } from '../../sources/transport/failure.ts'
import { openTransport } from '../../sources/transport.ts'

/** One note that is asked for with a certificate. */
export type Pergunta = {
  chave: Chave
  certificado: A1
  /** Whether the caller authorizes events. */
  manifestar: boolean
  request_id: string
}

/** What a flow goes on from, and whom it tells of what it registers. */
export type Retomada = {
  /** The events of a call with the same Idempotency-Key that was interrupted. */
  eventos: readonly EventoFeito[]
  /** Called as soon as it is known what became of an event; the flow waits for it. */
  note: (eventos: readonly EventoFeito[]) => Promise<unknown>
}

/** How a flow ended, with all that was done. */
export type Fim = { andamento: Andamento; desfecho: Desfecho }

/** No step of the national environment takes longer, unless it is down. */
const STEP_MS = 30_000

/** With less time left an event is not sent: its answer might be missed, and nobody would know whether it stands. */
const EVENTO_MS = 3_000

/**
 * Takes the steps that `proximoPasso` decides until it answers, in `leftMs` at most. Failures of the authorities are steps
 * like others: it throws only what is our own, and nothing once an event was sent. Nothing of the certificate outlives it
 * but what the caller wipes.
 */
export async function retrieve(
  pergunta: Pergunta,
  retomada: Retomada,
  leftMs: number,
  ctx: Context,
): Promise<Fim> {
  const ends = performance.now() + leftMs
  const feitos: Feito[] = [...retomada.eventos]
  const visit = openVisit(pergunta, ends, ctx)
  try {
    for (;;) {
      const andamento = andamentoOf(pergunta, feitos, ctx)
      const passo = proximoPasso(andamento)
      if (passo.fazer === 'responder') return { andamento, desfecho: passo }
      const feito = await take(passo, visit).catch((error) => failedAfter(passo, feitos, error, visit))
      feitos.push(feito)
      if ('desfecho' in feito) await noteEventos(eventosOf({ feitos }), retomada, visit)
    }
  } finally {
    await visit.http.close()
  }
}

/** Has the events written down. Where that fails they are told all the same: the answer must not be lost for its record. */
async function noteEventos(
  eventos: readonly EventoFeito[],
  { note }: Retomada,
  { request_id, ctx }: Visit,
): Promise<void> {
  try {
    await note(eventos)
  } catch (err) {
    ctx.log.error({ err, request_id }, 'an event could not be written down')
  }
}

/** Asks once what the authority knows of the key, which changes nothing there. */
export async function look(pergunta: Pergunta, ctx: Context): Promise<Andamento> {
  const visit = openVisit(pergunta, performance.now() + ctx.config.NFE_SECONDS * 1000, ctx)
  try {
    return andamentoOf(pergunta, [await take({ fazer: 'consultar', depoisDeMs: 0 }, visit)], ctx)
  } finally {
    await visit.http.close()
  }
}

function andamentoOf(
  { chave, certificado, manifestar }: Pergunta,
  feitos: readonly Feito[],
  { config, now }: Context,
): Andamento {
  return {
    manifestar,
    assina: certificado.chave.startsWith('RSA'),
    emitente: chave.emitente.documento === certificado.titular.documento,
    mes: { ano: chave.ano, mes: chave.mes },
    prazos: { ciencia: config.NFE_CIENCIA_DIAS, confirmacao: config.NFE_CONFIRMACAO_DIAS },
    agora: now(),
    feitos,
  }
}

/** All that the steps of one flow share. */
type Visit = Pergunta & Pick<MeiosNfe, 'http'> & { ends: number; ctx: Context }

function openVisit(pergunta: Pergunta, ends: number, ctx: Context): Visit {
  const { impressao, key, cert } = pergunta.certificado
  return { ...pergunta, http: openTransport(ctx.authorities.dial, { impressao, key, cert }), ends, ctx }
}

async function take(passo: Exclude<Passo, Desfecho>, visit: Visit): Promise<Feito> {
  switch (passo.fazer) {
    case 'consultar':
      await pause(passo.depoisDeMs, visit)
      return { passo: 'consulta', resposta: await consultar(visit) }
    case 'portal':
      return { passo: 'portal', resposta: await baixar(visit) }
    default:
      return { passo: passo.fazer, desfecho: await registrar(passo.fazer, visit) }
  }
}

/** In the simulator's time where it is the one that answers, and never past the end of the flow. */
const pause = (ms: number, { ends, ctx }: Visit): Promise<void> =>
  delay(Math.max(0, Math.min(ms * ctx.authorities.ritmo, ends - performance.now())))

/** Asks the distribution, unless the holder's queries are known to be used up: one more would begin the hour anew. */
async function consultar(visit: Visit): Promise<RespostaDaDistribuicao> {
  const { chave, certificado, ctx } = visit
  const { documento } = certificado.titular
  const limitada = { tipo: 'limitada', cStat: '', xMotivo: '' } as const
  if ((await ctx.consumo.look(documento)).restantes === 0) return limitada
  try {
    return await ask(visit, 'distribuicao', STEP_MS, async (meios) => {
      if (!(await ctx.consumo.take(documento)).ok) return limitada
      const resposta = await consultarChave(meios, { chave: chave.chave, titular: certificado.titular })
      if (resposta.tipo === 'limitada') await ctx.consumo.block(documento)
      return resposta
    })
  } catch (error) {
    const falha = falhaOf(error)
    // It ended before the application, which counts. Else a forged certificate, or an outage, would use up the holder's queries.
    if (falha.definitiva || isUnreached(error)) await ctx.consumo.giveBack(documento)
    return falha
  }
}

/** Signs and sends an event. It cannot be undone: what was signed in a client's name stands in the log, also of a process that ends before the answer. */
async function registrar(evento: Evento, visit: Visit): Promise<DesfechoDoEvento> {
  const { chave, certificado, request_id, ends, ctx } = visit
  if (ends - performance.now() < EVENTO_MS) return SEM_TEMPO
  const { titular, key, cert } = certificado
  const line = { request_id, chave: maskChave(chave.chave), evento }
  let sent = false
  const desfecho: DesfechoDoEvento = await ask(visit, 'eventos', STEP_MS, (meios) => {
    sent = true
    ctx.log.info(line, 'sending an event')
    return registrarEvento(meios, { chave: chave.chave, evento, titular, key, cert })
  }).catch((error) => {
    const falha = falhaOf(error)
    return { ...falha, semEfeito: !sent || falha.definitiva }
  })
  if (sent) ctx.log.info({ ...line, cStat: codigoDe({ passo: evento, desfecho }) }, 'event sent')
  return desfecho
}

const SEM_TEMPO: DesfechoDoEvento = {
  tipo: 'falha',
  mensagem: 'O tempo desta consulta terminou antes de ela ser enviada.',
  semEfeito: true,
}

async function baixar(visit: Visit): Promise<RespostaDoPortal> {
  const { chave, ctx } = visit
  try {
    return await ask(visit, 'portal', Number.POSITIVE_INFINITY, (meios) =>
      baixarNoPortal({ ...meios, captcha: ctx.captcha }, { chave: chave.chave }),
    )
  } catch (error) {
    return { tipo: 'indisponivel', mensagem: messageOf(error) }
  }
}

/** What broke on our side, where an event was sent before or just now: its fate must still be told. Throws it where none was. */
function failedAfter(
  { fazer }: Exclude<Passo, Desfecho>,
  feitos: readonly Feito[],
  err: unknown,
  { request_id, ctx }: Visit,
): Feito {
  const isEvento = fazer === 'ciencia' || fazer === 'confirmacao'
  if (!isEvento && eventosOf({ feitos }).length === 0) throw err
  ctx.log.error({ err, request_id }, 'a step failed after an event')
  const falha = { tipo: 'falha', mensagem: 'Ocorreu um erro inesperado no serviço.' } as const
  if (isEvento) return { passo: fazer, desfecho: falha }
  return { passo: 'consulta', resposta: falha }
}

/** One request to a national source, under its guard and within what is left of the flow's time. */
function ask<T>(
  { http, ends, request_id, ctx }: Visit,
  fonte: keyof typeof fontesNfe,
  longestMs: number,
  run: (meios: MeiosNfe) => Promise<T>,
): Promise<T> {
  const deadlineMs = Math.min(longestMs, ends - performance.now())
  const { source } = fontesNfe[fonte]
  const { now, config, guard } = ctx
  return guard({ source, deadlineMs, request_id }, (leftMs) =>
    run({ http, now, ambiente: config.SEFAZ_AMBIENTE, deadlineMs: leftMs }),
  )
}

/** A failed step. Asking again does not help where the certificate is refused, which is no outage of the source. */
function falhaOf(error: unknown) {
  const definitiva = error instanceof SourceError && error.kind === 'blocked' && !error.unavailable
  return { tipo: 'falha', mensagem: messageOf(error), definitiva } as const
}

/** What a client is told of a failed step. Throws what is no failure of an authority. */
function messageOf(error: unknown): string {
  if (error instanceof SourceError || error instanceof RotaNaoAtende) return error.message
  throw error
}
