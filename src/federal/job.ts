import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { formatDocumento, maskDocumento } from '../documento/documento.ts'
import { type Job, type JobCall, type JobDone, JobRefused } from '../platform/jobs/kind.ts'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import type { FederalRoom } from './federal.ts'
import { canIssueAnew, emissaoFederal, type FimDoTrabalho, situacaoOf } from './lookup.ts'
import { decidePasso } from './rules.ts'
import type {
  AndamentoFederal,
  MeiosFederais,
  PerguntaFederal,
  RespostaFederal,
  RotaOferecida,
} from './source.ts'
import { type Confianca, MOST_RECUSADOS, type RegistroFederal } from './store.ts'

export type ConsultaFederal = {
  rotas: readonly RotaOferecida[]
  meios: MeiosFederais
  confianca: Confianca
  log: Log
}

type Log = { warn: (fields: { rota: string }, message: string) => void }

const FIRST_SHARE = 0.6
const HOUR_S = 60 * 60

/** The next route replaces one that is out of reach, unless that one may have begun an issuance. */
export async function askRotasFederais(
  pergunta: PerguntaFederal,
  consulta: ConsultaFederal,
): Promise<{ fonte: string; resposta: RespostaFederal }> {
  const ends = performance.now() + consulta.meios.deadlineMs
  const asked = rotasFor(pergunta, consulta)
  const failures: unknown[] = []
  for (const [at, rota] of asked.entries()) {
    const leftMs = ends - performance.now()
    const others = asked.slice(at + 1).some(({ falta }) => falta === '')
    let noted: AndamentoFederal | undefined
    const noteAndamento = async (andamento: AndamentoFederal): Promise<void> => {
      await consulta.meios.noteAndamento(andamento)
      noted = andamento
    }
    const meios = { ...consulta.meios, noteAndamento, deadlineMs: others ? leftMs * FIRST_SHARE : leftMs }
    try {
      return { fonte: rota.source.id, resposta: await askOne(rota, pergunta, { ...consulta, meios }) }
    } catch (error) {
      failures.push(error)
      if (!isReplaceable(error) || isAtWork(noted, meios.now())) break
    }
  }
  const ofAuthorities = failures.filter((error) => !(error instanceof RotaNaoAtende))
  const told = ofAuthorities.length > 0 ? ofAuthorities : failures
  throw told.find(mayPass) ?? ofAuthorities[0] ?? lacking(failures)
}

/** What every route lacks here: an operator who brings it to one of them mends them all. */
function lacking(failures: readonly unknown[]): RotaNaoAtende {
  const reasons = failures.flatMap((error) => (error instanceof RotaNaoAtende ? [error.message] : []))
  return new RotaNaoAtende(reasons.join(' ') || SEM_ROTA)
}

/** The routes to ask, in order. While an issuance may be at work, another route would begin a second. */
function rotasFor({ emitir }: PerguntaFederal, { rotas, meios }: ConsultaFederal): readonly RotaOferecida[] {
  const { andamento } = meios
  const able = rotas.filter(({ issuesNova }) => emitir !== 'sempre' || issuesNova)
  const began = rotas.find(({ id, falta }) => falta === '' && id === andamento?.rota)
  if (!began || !isUnderway(andamento)) return able
  return isAtWork(andamento, meios.now()) ? [began] : [began, ...able.filter((rota) => rota !== began)]
}

/** How long an issuance of which nothing is heard counts as being at work. */
const AT_WORK_MS = 15 * 60_000

const isAtWork = (andamento: AndamentoFederal | undefined, now: Date): boolean =>
  andamento !== undefined && isUnderway(andamento) && now.getTime() - Date.parse(andamento.desde) < AT_WORK_MS

const SEM_ROTA = 'Este serviço não tem por onde emitir outra certidão federal (CND_FEDERAL_ROTAS).'

/** Whether the authority was heard to begin, so that another route would issue a second one. */
const isUnderway = (andamento: AndamentoFederal | undefined): boolean =>
  andamento?.chave !== undefined || andamento?.cookies !== undefined

const mayPass = (error: unknown): boolean =>
  (error instanceof SourceError || error instanceof RotaNaoAtende) && error.retryS !== null

const isWorking = (error: unknown): boolean =>
  error instanceof SourceError && error.codigo === 'em-processamento'

const isReplaceable = (error: unknown): boolean =>
  error instanceof RotaNaoAtende || (error instanceof SourceError && error.unavailable && !isWorking(error))

/** Asks one route, unless it refuses everybody. Such a refusal is no answer. */
async function askOne(
  rota: RotaOferecida,
  pergunta: PerguntaFederal,
  { meios, confianca, log }: ConsultaFederal,
): Promise<RespostaFederal> {
  const { id, source, falta } = rota
  if (falta !== '') throw new RotaNaoAtende(falta)
  const goesOn = isUnderway(meios.andamento) && meios.andamento?.rota === id
  if (!goesOn && (await confianca.of(id)) === 'nenhuma') throw disbelieved(rota)
  const resposta = await rota.ask(pergunta, meios)
  if (resposta.tipo === 'certidao') {
    if (await confianca.noteCertidao(id))
      log.warn({ rota: source.id }, 'a rota da certidão federal voltou a dar certidão, e volta a ser usada')
    return resposta
  }
  if (!saysInsufficient(resposta.recusa)) return resposta
  const { grau, perdida } = await confianca.noteRecusa(id, pergunta.cnpj)
  if (perdida)
    log.warn(
      { rota: source.id },
      `a rota da certidão federal recusou ${MOST_RECUSADOS} empresas seguidas e deu certidão a nenhuma: deixa de ser usada, salvo uma pergunta por hora (docs/operations/receita-federal.md)`,
    )
  if (grau === 'nenhuma') throw disbelieved(rota)
  return resposta
}

/** Whether a refusal may be one that everybody gets. The registration's own status is a reason of its own. */
const saysInsufficient = ({ status, dizeres }: { status: string; dizeres: string }): boolean =>
  status === 'positiva' && !/inapta|baixada|suspensa|nula/i.test(dizeres)

const disbelieved = ({ source: { nome } }: RotaOferecida): RotaNaoAtende =>
  new RotaNaoAtende(
    `${nome} respondeu a ${MOST_RECUSADOS} empresas seguidas que faltam informações, e nenhuma recebeu certidão: a resposta pode ser falsa, e não é aceita até que saia uma.`,
    { retryS: HOUR_S },
  )

type Payload = Static<typeof emissaoFederal.payload>

type Emissao = Pick<
  FederalRoom,
  'now' | 'log' | 'certidoes' | 'confianca' | 'http' | 'guard' | 'captcha' | 'pace' | 'rotas'
>

const MINUTE_MS = 60_000
/** A new certificate wants two captchas one after the other, and a person takes a minute for each. */
const ROUND_MS = 3 * MINUTE_MS
/** A run gives its place to others before the runner ends it. */
const RUN_MS = 8 * MINUTE_MS
const LEAST_MS = 5_000

/** An issuance that began goes on in the next round, run or process: the authority sees one. */
export const issueCertidao = (room: Emissao): Job<typeof emissaoFederal.payload> => ({
  ...emissaoFederal,
  // With their pauses they outlive half an hour without the authority.
  attempts: 8,
  backoffMs: 15_000,
  keptMs: 60 * MINUTE_MS,
  atOnce: 10,
  run: (payload, call) => work({ room, payload, call }),
})

type Working = { room: Emissao; payload: Payload; call: JobCall }

async function work(working: Working): Promise<JobDone> {
  const { room, payload } = working
  const { now, certidoes, rotas } = room
  const cnpj = certidoes.open(payload)
  if (cnpj === undefined) throw new JobRefused('foi pedido com outro segredo do servidor, ou noutro ambiente')
  const registro = await certidoes.find(cnpj)
  const emitirNova = payload.emitir === 'sempre'
  const chamada = { emCurso: false, emitirNova, issuesNova: canIssueAnew(rotas), agora: now() }
  const { passo } = decidePasso(situacaoOf(registro, chamada))
  const andamento = readAndamento(registro, now())
  // Another job has got it meanwhile, or this one was cut after its end.
  if (!andamento && passo !== 'perguntar' && passo !== 'emitir') return { result: FEITO }
  return obtain(working, { cnpj, emitir: passo === 'emitir' ? 'sempre' : 'se-preciso', andamento })
}

const FEITO: FimDoTrabalho = { tipo: 'feito' }

type Obtaining = PerguntaFederal & { andamento: AndamentoFederal | undefined }

async function obtain(working: Working, { andamento, ...pergunta }: Obtaining): Promise<JobDone> {
  const { room, call } = working
  const { certidoes } = room
  const { cnpj, emitir } = pergunta
  const underway = followAndamento(working, cnpj, andamento)
  try {
    const { fonte, resposta } = await askUntilEnd(working, pergunta, underway)
    if (resposta.tipo === 'recusa') {
      const kept = { recusa: resposta.recusa, fonte, avisos: [] }
      return { result: FEITO, write: (on) => certidoes.keepRecusa(on, cnpj, kept) }
    }
    const { certidao, emitida } = resposta
    const isNew = emitida || emitir === 'sempre'
    const emissao = isNew ? call.id : null
    return { result: FEITO, write: (on) => certidoes.keep(on, cnpj, { certidao, fonte, emissao }) }
  } catch (error) {
    if (isPapelRecusado(error)) {
      // Its title reads as an outcome, so the reason is told in its place (2026-11).
      const recusa = { status: 'erro', dizeres: error.message } as const
      const kept = { recusa, fonte: error.source, avisos: [] }
      return { result: FEITO, write: (on) => certidoes.keepRecusa(on, cnpj, kept) }
    }
    const isOpen = isUnderway(underway.current())
    // The next attempt asks what became of it.
    if (isOpen && isCut(error)) throw error
    const result = failureOf(error, pergunta)
    return isOpen ? { result } : { result, write: (on) => certidoes.dropAndamento(on, cnpj) }
  }
}

const isCut = (error: unknown): boolean =>
  isWorking(error) || (error instanceof SourceError && ['network', 'timeout'].includes(error.kind))

async function askUntilEnd(
  { room, call: { id, signal } }: Working,
  pergunta: PerguntaFederal,
  { current, noteAndamento }: Underway,
): ReturnType<typeof askRotasFederais> {
  const { now, log, confianca, http, guard, captcha, pace, rotas } = room
  const ends = performance.now() + RUN_MS
  for (;;) {
    signal.throwIfAborted()
    const andamento = current()
    const deadlineMs = Math.min(ROUND_MS, ends - performance.now())
    const meios = {
      http,
      guard,
      captcha,
      pace,
      now,
      request_id: id,
      deadlineMs,
      signal,
      andamento,
      noteAndamento,
    }
    try {
      return await askRotasFederais(pergunta, { rotas, meios, confianca, log })
    } catch (error) {
      if (!isWorking(error) || !isUnderway(current()) || ends - performance.now() < LEAST_MS) throw error
    }
  }
}

type Underway = {
  current: () => AndamentoFederal | undefined
  noteAndamento: (andamento: AndamentoFederal) => Promise<void>
}

function followAndamento(
  { room, call }: Working,
  cnpj: string,
  first: AndamentoFederal | undefined,
): Underway {
  let last = first
  return {
    current: () => last,
    noteAndamento: async (andamento) => {
      // Where another run has taken over, its notes are the newer ones.
      call.signal.throwIfAborted()
      await room.certidoes.noteAndamento(cnpj, andamento)
      last = andamento
    },
  }
}

const Andamento = Type.Object({
  rota: Type.Enum(['contrato', 'portal']),
  desde: Type.String(),
  chave: Type.Optional(Type.String()),
  cookies: Type.Optional(Type.String()),
  esperarAte: Type.Optional(Type.String()),
})

const DAY_MS = 24 * 60 * MINUTE_MS

/** One of yesterday is none any more, nor one ahead of a clock that was set back. */
function readAndamento({ andamento: read }: RegistroFederal, agora: Date): AndamentoFederal | undefined {
  if (!Check(Andamento, read)) return undefined
  const elapsedMs = agora.getTime() - Date.parse(read.desde)
  return elapsedMs < DAY_MS && elapsedMs > -MOST_AHEAD_MS ? read : undefined
}

/** The clocks of two nodes differ by less. */
const MOST_AHEAD_MS = 15 * MINUTE_MS

/** Whether the authority gave a paper that cannot be delivered. A contradiction without a title has none. */
const isPapelRecusado = (error: unknown): error is SourceError =>
  error instanceof SourceError &&
  (error.codigo === 'certidao-invalida' || (error.codigo === 'contradicao' && error.dizeres !== ''))

/** The failure that the callers of a job are told. One of our own is thrown, and tried again. */
function failureOf(error: unknown, { cnpj, emitir }: PerguntaFederal): FimDoTrabalho {
  if (!(error instanceof SourceError || error instanceof RotaNaoAtende)) throw error
  const { message, retryS } = error
  // Operators read results, and the authority's words may name the company.
  const mensagem = message
    .replaceAll(cnpj, maskDocumento(cnpj))
    .replaceAll(formatDocumento(cnpj), maskDocumento(cnpj))
  return { tipo: 'falha', emitir, mensagem, retryS: retryS === null ? null : Math.max(retryS, LEAST_RETRY_S) }
}

/** "Retry in a few minutes" (specification, PROVIDER_ERROR). */
const LEAST_RETRY_S = 180
