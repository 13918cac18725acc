import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { dataBrasileira } from '../documento/dia.ts'
import { JobsFull } from '../platform/jobs/jobs.ts'
import type { JobKind } from '../platform/jobs/kind.ts'
import { SourceStatusError } from '../platform/wire/source-status.ts'
import type { FederalRoom } from './federal.ts'
import {
  type CertidaoFederal,
  decidePasso,
  type ModoFederal,
  type PassoFederal,
  type RecusaFederal,
  type SituacaoFederal,
} from './rules.ts'
import type { RotaOferecida } from './source.ts'
import type { RegistroFederal } from './store.ts'

const HOUR_MS = 60 * 60_000

type Chamada = Pick<SituacaoFederal, 'emCurso' | 'emitirNova' | 'issuesNova' | 'agora'>

/** What is kept of a CNPJ, for the decision. A `positiva` stands for an hour: its debt may be paid. */
export function situacaoOf({ guardada, recusada }: RegistroFederal, chamada: Chamada): SituacaoFederal {
  const isOld =
    guardada?.certidao.status === 'positiva' &&
    chamada.agora.getTime() - guardada.conferidaEm.getTime() > HOUR_MS
  return {
    guardada: guardada && !isOld ? { ...guardada, validade: guardada.certidao.validade } : undefined,
    recusadaEm: recusada?.em,
    ...chamada,
  }
}

export const canIssueAnew = (rotas: readonly RotaOferecida[]): boolean =>
  rotas.some(({ issuesNova, falta }) => issuesNova && falta === '')

const emitir = Type.Union([Type.Literal('se-preciso'), Type.Literal('sempre')])

const payload = Type.Object({ chave: Type.String(), selado: Type.String(), emitir })

/** One at a time for a CNPJ, on all nodes. The CNPJ is sealed in it. */
export const emissaoFederal: JobKind<typeof payload> = {
  kind: 'emitir-cnd-federal',
  payload,
  key: ({ chave }) => chave,
}

export const FimDoTrabalho = Type.Union([
  Type.Object({ tipo: Type.Literal('feito') }),
  Type.Object({
    tipo: Type.Literal('falha'),
    emitir,
    mensagem: Type.String(),
    retryS: Type.Union([Type.Number(), Type.Null()]),
  }),
])

export type FimDoTrabalho = Static<typeof FimDoTrabalho>

export type PerguntaDoCliente = { cnpj: string; emitirNova: boolean }

/** An answer of the authority, kept or new. `consultado_em` is when it gave it (ISO 8601 UTC). */
export type CndFederal = { cached: boolean; fonte: string; consultado_em: string; avisos: string[] } & (
  | { tipo: 'certidao'; certidao: CertidaoFederal; modo: ModoFederal }
  | { tipo: 'recusa'; recusa: RecusaFederal }
)

/** A captcha and a paid query stand behind each issuance. Each account has its share. */
const most = { open: 500, own: 50 }
const FULL_S = 60

export async function findKept(
  room: FederalRoom,
  pergunta: PerguntaDoCliente,
): Promise<CndFederal | undefined> {
  const { registro, passo } = await decide(room, pergunta, false)
  return answerOf({ registro, passo, cached: true })
}

/** A failure is logged, and the next caller gets the issuance once more. */
export async function endAnuncio({ certidoes, log }: FederalRoom, cnpj: string): Promise<void> {
  await certidoes.deliver(cnpj).catch((err: unknown) => {
    log.error({ err }, 'the announcement of a federal certificate was not ended')
  })
}

type ChamadaFederal = { request_id: string; conta: string; leaving: AbortSignal }

/** Throws SourceStatusError: EM_PROCESSAMENTO where the job goes on, PROVIDER_ERROR where it failed. */
export async function findCndFederal(
  room: FederalRoom,
  pergunta: PerguntaDoCliente,
  { request_id, conta, leaving }: ChamadaFederal,
): Promise<CndFederal> {
  const { certidoes, jobs } = room
  const ends = performance.now() + room.config.CND_FEDERAL_SECONDS * 1000
  const { chave } = certidoes.seal(pergunta.cnpj)
  const asked = new Set<PassoFederal['passo']>()
  let waited = false
  for (;;) {
    const running = await jobs.findOpen(emissaoFederal.kind, chave)
    const { registro, passo } = await decide(room, pergunta, running !== undefined)
    const answer = answerOf({ registro, passo, cached: !waited })
    if (answer) return answer
    if (passo.passo === 'sem-rota') throw withoutRota(passo.validade)
    // The same is not asked for again and again, whatever it brings.
    if (asked.has(passo.passo)) throw new SourceStatusError('PROVIDER_ERROR', NOTHING)
    const { id, isNew } =
      running === undefined ? await enqueue(room, { pergunta, passo, conta }) : { id: running, isNew: false }
    // Another caller may have begun since we looked. Then its question runs, and ours is still to be asked.
    if (isNew) asked.add(passo.passo)
    // The lines of what the job asks have its id as `request_id`.
    room.log.info({ request_id, job: emissaoFederal.kind, job_id: id }, 'waiting for a job')
    const leftMs = Math.max(0, ends - performance.now())
    const end = await jobs.waitFor(id, leftMs, leaving)
    if (!end) {
      await certidoes.announce(pergunta.cnpj, id)
      throw new SourceStatusError('EM_PROCESSAMENTO', WORKING)
    }
    waited = true
    if (end.state === 'dead') throw new SourceStatusError('PROVIDER_ERROR', NOTHING)
    throwFailure(end.result, isNew ? undefined : wantedBy(room, pergunta))
  }
}

const WORKING =
  'A Receita Federal ainda prepara a certidão, e a emissão continua. Consulte de novo: a mesma emissão será entregue.'
const NOTHING = 'A Receita Federal não concluiu a emissão da certidão.'
const FULL_CONTA = `Esta conta já tem ${most.own} emissões de certidão federal em andamento: espere que alguma termine.`
const CROWDED = 'Há emissões de certidão federal demais em andamento neste serviço.'

type Decided = { registro: RegistroFederal; passo: PassoFederal }

async function decide(
  { now, certidoes, rotas }: FederalRoom,
  { cnpj, emitirNova }: PerguntaDoCliente,
  emCurso: boolean,
): Promise<Decided> {
  const registro = await certidoes.find(cnpj)
  const chamada = { emCurso, emitirNova, issuesNova: canIssueAnew(rotas), agora: now() }
  return { registro, passo: decidePasso(situacaoOf(registro, chamada)) }
}

type Answering = Decided & { cached: boolean }

function answerOf({ registro: { guardada, recusada }, passo, cached }: Answering): CndFederal | undefined {
  if (passo.passo === 'entregar' && guardada) {
    const { certidao, fonte, conferidaEm } = guardada
    const consultado_em = conferidaEm.toISOString()
    return { tipo: 'certidao', certidao, modo: passo.modo, cached, fonte, consultado_em, avisos: [] }
  }
  if (passo.passo === 'recusar' && recusada) {
    const { em, ...recusa } = recusada
    return { tipo: 'recusa', ...recusa, cached, consultado_em: em.toISOString() }
  }
  return undefined
}

const wantedBy = ({ rotas }: FederalRoom, { emitirNova }: PerguntaDoCliente): 'sempre' | 'se-preciso' =>
  emitirNova && canIssueAnew(rotas) ? 'sempre' : 'se-preciso'

function enqueue(
  { certidoes, jobs }: FederalRoom,
  { pergunta, passo: { passo }, conta }: { pergunta: PerguntaDoCliente; passo: PassoFederal; conta: string },
): Promise<{ id: string; isNew: boolean }> {
  const emitir = passo === 'emitir' ? 'sempre' : 'se-preciso'
  const payload = { ...certidoes.seal(pergunta.cnpj), emitir } as const
  return jobs.enqueue(emissaoFederal, payload, { conta, most }).catch(refuseFull)
}

function refuseFull(error: unknown): never {
  if (!(error instanceof JobsFull)) throw error
  throw new SourceStatusError('PROVIDER_ERROR', error.isOwn ? FULL_CONTA : CROWDED, { retryS: FULL_S })
}

/** Another caller's failure is this caller's too, unless it asked for something else (`wanted`). */
function throwFailure(result: unknown, wanted: 'sempre' | 'se-preciso' | undefined): void {
  if (!Check(FimDoTrabalho, result))
    throw new Error('a job of the federal certificate left an unknown result')
  if (result.tipo === 'feito') return
  if (wanted !== undefined && wanted !== result.emitir) return
  throw new SourceStatusError('PROVIDER_ERROR', result.mensagem, { retryS: result.retryS })
}

const withoutRota = (validade: string): SourceStatusError =>
  new SourceStatusError(
    'PROVIDER_ERROR',
    `A certidão existente vale até ${dataBrasileira(validade)}, e este serviço não tem por onde emitir outra antes disso: só a página da Receita Federal emite, e ela não está disponível aqui.`,
    { retryS: null },
  )
