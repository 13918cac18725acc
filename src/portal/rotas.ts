import type { Uf } from '../documento/uf.ts'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import {
  avisosDaLeitura,
  faltaDePrazo,
  faltaNaResposta,
  isVazia,
  openRelato,
  type RespostaDoEstado,
} from './espera.ts'
import type { Meios, Pergunta, Rota } from './estado.ts'
import { asksAlways, disponibilidadeOf, opensInS, semProtocolo } from './estado.ts'

/** What the routes of a state are asked with. */
export type Consulta = {
  uf: Uf
  meios: Meios
  guard: Guard
  request_id: string
}

/** An answer with the id of the source that gave it, as `/api/v1/fontes` has it, and notices about it. */
export type Respondido<R> = { fonte: string; resposta: R; avisos: string[] }

type RotaPerguntada<P, R> = Rota & { consultar: (pergunta: P, meios: Meios) => Promise<R> }

/** The share of the time that the first route gets if another one can replace it. */
const FIRST_SHARE = 0.6

/**
 * Tries the routes in order; the next replaces one that does not take the question, or, if it needs no
 * captcha, one that is out of reach. If none answers, throws a failure: of an authority rather than
 * RotaNaoAtende, then one that may pass, then the first.
 */
export async function askRotas<P extends Pergunta, R extends RespostaDoEstado>(
  rotas: readonly RotaPerguntada<P, R>[],
  pergunta: P,
  consulta: Consulta,
): Promise<Respondido<R>> {
  const ends = performance.now() + consulta.meios.deadlineMs
  const failures: unknown[] = []
  for (const [at, rota] of rotas.entries()) {
    const why = whyNot(rota, pergunta, consulta)
    if (why) failures.push(new RotaNaoAtende(why))
    else if (at === 0 || mayReplace(rota, failures[0])) {
      const leftMs = ends - performance.now()
      const others = rotas
        .slice(at + 1)
        .some((other) => !asksAlways(other) && !whyNot(other, pergunta, consulta))
      try {
        return await askOne(rota, pergunta, consulta, others ? leftMs * FIRST_SHARE : leftMs)
      } catch (error) {
        failures.push(error)
        if (!isReplaceable(error)) break
      }
    }
  }
  const ofAuthorities = failures.filter((error) => !(error instanceof RotaNaoAtende))
  const told = ofAuthorities.length > 0 ? ofAuthorities : failures
  throw told.find(mayPass) ?? told[0]
}

const mayPass = (error: unknown): boolean =>
  (error instanceof SourceError || error instanceof RotaNaoAtende) && error.retryS !== null

/**
 * Asks one route. Throws SourceError `parse` if the answer lacks what the route always gives (`Rota.espera`).
 */
function askOne<P extends Pergunta, R extends RespostaDoEstado>(
  rota: RotaPerguntada<P, R>,
  pergunta: P,
  { uf, guard, request_id, meios }: Consulta,
  deadlineMs: number,
): Promise<Respondido<R>> {
  const { source, paceMs, espera } = rota
  return guard({ source, deadlineMs, request_id, paceMs }, async (leftMs, note) => {
    const started = performance.now()
    const { relato, ouvido } = openRelato((rotulos) => note({ rotulos }))
    const asked = rota.consultar(pergunta, { ...meios, deadlineMs: leftMs, relato })
    const answer = await asked.catch((error) => throwUntilOpen(error, rota, meios.now()))
    const falta =
      faltaNaResposta(answer, ouvido, { uf, ...(espera && { espera }) }) ?? faltaDePrazo(answer, meios.now())
    if (!falta) {
      const avisos = avisosDaLeitura(answer, ouvido, rota)
      note({ vazia: isVazia(answer), incompleta: avisos.length > 0 })
      return { fonte: source.id, resposta: answer, avisos }
    }
    const elapsedMs = Math.round(performance.now() - started)
    throw new SourceError('parse', `${source.nome} mudou o que responde: ${falta}.`, {
      source: source.id,
      elapsedMs,
    })
  })
}

/** Throws the failure; that of a portal outside its hours tells when it opens. */
function throwUntilOpen(error: unknown, { horario }: Rota, now: Date): never {
  if (horario && error instanceof SourceError && error.codigo === 'fechado')
    error.retryS = opensInS(horario, now) ?? error.retryS
  throw error
}

const isReplaceable = (error: unknown): boolean =>
  error instanceof RotaNaoAtende || (error instanceof SourceError && error.unavailable)

/** Whether a route may replace the first one. After a failure, only a route without a captcha may. */
const mayReplace = (rota: Rota, failed: unknown): boolean =>
  failed instanceof RotaNaoAtende || !asksAlways(rota)

/** Says in Portuguese why a route cannot be asked here. Undefined if it can. */
function whyNot(
  rota: Rota,
  { tipo }: Pergunta,
  { uf, meios }: Pick<Consulta, 'uf' | 'meios'>,
): string | undefined {
  const { source, url, aceita, captcha } = rota
  if (!aceita.includes(tipo))
    return `${source.nome} não oferece consulta por ${words[tipo]}. Consulte por ${aceita.map((one) => words[one]).join(' ou ')}.`
  const situacao = disponibilidadeOf(rota, uf, { ...meios, certificado: meios.certificado !== undefined })
  if (situacao === 'protocolo-desconhecido') return semProtocolo(rota)
  if (situacao === 'sem-certificado')
    return `${source.nome} só responde a quem apresenta um certificado digital, e este serviço está sem o do operador (A1_FILE).`
  if (situacao === 'sem-solucao-de-captcha')
    return `${source.nome} pede um captcha (${captcha === 'nenhum' ? '' : captcha.tipo}) a cada consulta, e este serviço está sem quem o resolva em ${uf} (CAPTCHA_WEBHOOK_URL). Consulte na página dela (${url}).`
  return undefined
}

const words = { cpf: 'CPF', cnpj: 'CNPJ', ie: 'inscrição estadual' } as const
