import { isMesmaEmpresa } from '../documento/documento.ts'
import { openVisit, type PerguntaDaNota, take, type Visit } from './fluxo.ts'
import type { Feito } from './nfe.ts'
import type { RecursosDaNota } from './recursos.ts'
import { type Andamento, type EventoFeito, eventosOf } from './rules.ts'
import { type DesfechoDaNota, type Passo, proximoPasso } from './rules-manifestacao.ts'

/** The events that a flow starts with, and the place where it writes down new ones. */
export type Retomada = {
  /** The events of a call with the same Idempotency-Key that was interrupted. */
  eventos: readonly EventoFeito[]
  /** Called as soon as the outcome of an event is known. The flow waits for it. */
  note: (eventos: readonly EventoFeito[]) => Promise<unknown>
}

/** The end of a flow, with all its steps. */
export type Fim = { andamento: Andamento; desfecho: DesfechoDaNota }

/**
 * Takes the steps that `proximoPasso` decides until one answers. Failures of authorities are steps too: it
 * throws only our own failures, and none after an event was sent.
 */
export async function retrieve(
  pergunta: PerguntaDaNota,
  retomada: Retomada,
  recursos: RecursosDaNota,
): Promise<Fim> {
  const feitos: Feito[] = [...retomada.eventos]
  const visit = openVisit(pergunta, recursos)
  try {
    for (;;) {
      const andamento = andamentoOf(pergunta, feitos, recursos)
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

/**
 * Writes the events down. A failure to do so is only logged: the answer must reach the client all the same.
 */
async function noteEventos(
  eventos: readonly EventoFeito[],
  { note }: Retomada,
  { request_id, recursos }: Visit,
): Promise<void> {
  try {
    await note(eventos)
  } catch (err) {
    recursos.log.error({ err, request_id }, 'an event could not be written down')
  }
}

/** Asks what the authority knows of the key. This changes nothing there. */
export async function look(pergunta: PerguntaDaNota, recursos: RecursosDaNota): Promise<Andamento> {
  const visit = openVisit(pergunta, recursos)
  const feitos: Feito[] = []
  try {
    for (;;) {
      const andamento = andamentoOf(pergunta, feitos, recursos)
      const passo = proximoPasso(andamento)
      if (passo.fazer !== 'consultar') return andamento
      feitos.push(await take(passo, visit))
    }
  } finally {
    await visit.http.close()
  }
}

function andamentoOf(
  { chave, certificado, interessado, escolhido, manifestar }: PerguntaDaNota,
  feitos: readonly Feito[],
  { config, now }: RecursosDaNota,
): Andamento {
  return {
    manifestar,
    assina: certificado.chave.startsWith('RSA'),
    interessado,
    emitente: chave.emitente.documento === interessado.documento,
    outroEmitente: !escolhido && isMesmaEmpresa(chave.emitente.documento, interessado.documento),
    letras: /[A-Z]/.test(chave.chave + interessado.documento),
    mes: { ano: chave.ano, mes: chave.mes },
    prazos: { ciencia: config.NFE_CIENCIA_DIAS, confirmacao: config.NFE_CONFIRMACAO_DIAS },
    agora: now(),
    feitos,
  }
}

/**
 * A failure of our own after or during an event becomes a step, because the event's fate must be told. Throws
 * it where no event was sent.
 */
function failedAfter(
  { fazer }: Exclude<Passo, DesfechoDaNota>,
  feitos: readonly Feito[],
  err: unknown,
  { request_id, recursos }: Visit,
): Feito {
  const isEvento = fazer === 'ciencia' || fazer === 'confirmacao'
  if (!isEvento && eventosOf({ feitos }).length === 0) throw err
  recursos.log.error({ err, request_id }, 'a step failed after an event')
  const falha = { tipo: 'falha', mensagem: 'Ocorreu um erro inesperado no serviço.' } as const
  if (isEvento) return { passo: fazer, desfecho: falha }
  return { passo: 'consulta', resposta: falha }
}
