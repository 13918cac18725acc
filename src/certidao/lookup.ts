import { endOfDay } from '../documento/dia.ts'
import type { Documento } from '../documento/documento.ts'
import { type Uf, ufs } from '../documento/uf.ts'
import { estadoOf } from '../estados/estado.ts'
import { openCcc } from '../inscricao/ccc.ts'
import type { InscricaoRoom, InscricoesAchadas } from '../inscricao/inscricao.ts'
import {
  type ChamadaTodos,
  type DaChamada,
  type Entrada,
  fanOut,
  findCached,
  findInscricoes,
} from '../inscricao/lookup.ts'
import type { PorChamada } from '../platform/cache/cache.ts'
import { retryOf, statusOfFailure } from '../platform/http/problem.ts'
import { formatInstante } from '../platform/wire/certificado.ts'
import { nomeNaFrase, type RetryS, RotaNaoAtende } from '../platform/wire/fonte.ts'
import type { Estado } from '../portal/estado.ts'
import { askRotas, consultaOf } from '../portal/rotas.ts'
import { type Certidao, semCertidao } from '../portal/rules-certidao.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

type Kept = { certidao: Certidao; fonte: string; avisos: string[] }

/** A certificate, when the state gave it (ISO 8601 UTC), and whether it was kept. */
export type CertidaoAchada = Kept & { cached: boolean; consultado_em: string }

/** Where a page certifies anybody, only the registrations show that a document is no taxpayer's. */
const needsInscricoes = (rotas: Estado['cnd']): boolean =>
  rotas.some(({ naoContribuinte }) => naoContribuinte === 'ie')

/** In alphabetical order. */
export const certifiesAnybody: readonly Uf[] = ufs.filter((uf) => needsInscricoes(estadoOf(uf).cnd))

/** These pages take a CPF, and no lookup shows that a CPF is no taxpayer's. */
const certifiesAnyCpf: readonly Uf[] = certifiesAnybody.filter((uf) => {
  const { ie, cnd } = estadoOf(uf)
  return (
    cnd.some(({ aceita }) => aceita.includes('cpf')) &&
    !ie.some(
      ({ aceita, refusesCpf, certeza }) =>
        aceita.includes('cpf') && !refusesCpf && certeza !== 'desconhecido',
    )
  )
})

export const ofAnyCpf =
  `Por CPF, em ${certifiesAnyCpf.join(', ')} nenhuma consulta diz quem não tem inscrição estadual: quem não tem recebe a certidão ` +
  'que a página dá a qualquer um, em geral negativa, e avisos o diz.'

const keyOf = (uf: Uf, { tipo, documento }: Documento): string => `cnd/3:${uf}:${tipo}:${documento}`

export async function findCertidaoCached(
  room: InscricaoRoom,
  uf: Uf,
  asked: Documento,
  maxAgeMs?: PorChamada['maxAgeMs'],
): Promise<CertidaoAchada | undefined> {
  const kept = await room.cache.find<Kept>(keyOf(uf, asked), maxAgeMs)
  return kept && found(uf, kept.value, { cached: true, since: kept.since }, estadoOf(uf))
}

/** The answer of a kept certificate. What it covers is told by the route's data of now. */
const found = (
  uf: Uf,
  kept: Kept,
  { cached, since }: { cached: boolean; since: string },
  { cnd }: Pick<Estado, 'cnd'>,
): CertidaoAchada => ({
  ...kept,
  avisos: [...kept.avisos, ...avisoDaAbrangencia(uf, kept, cnd)],
  cached,
  consultado_em: since,
})

const partes = {
  inscritos: 'os débitos inscritos em dívida ativa',
  'nao-inscritos': 'os débitos não inscritos em dívida ativa',
}

/** Says which debts a certificate leaves out, where it reads as one of somebody regular. */
function avisoDaAbrangencia(uf: Uf, { certidao, fonte }: Kept, cnd: Estado['cnd']): string[] {
  const abrange = cnd.find(({ source }) => source.id === fonte)?.abrange
  const { status } = certidao
  if (status !== 'negativa' && status !== 'positiva_com_efeitos_de_negativa') return []
  if (abrange?.debitos !== 'inscritos' && abrange?.debitos !== 'nao-inscritos') return []
  const fora = abrange.debitos === 'inscritos' ? 'nao-inscritos' : 'inscritos'
  const resto = abrange.resto ? ` Desses certifica ${abrange.resto}.` : ''
  return [
    `Esta certidão de ${uf} abrange só ${partes[abrange.debitos]}: ${partes[fora]} ficam de fora, e quem os tem também a recebe.${resto}`,
  ]
}

/**
 * If the state's page certifies anybody, a document without a registration is no taxpayer's. Throws as
 * findInscricoes.
 */
export async function findCertidao(
  room: InscricaoRoom,
  uf: Uf,
  asked: Documento,
  { ccc, ...chamada }: Omit<DaChamada, 'deadlineMs'>,
  { cnd }: Pick<Estado, 'cnd'> = estadoOf(uf),
): Promise<CertidaoAchada> {
  const { request_id, maxAgeMs } = chamada
  const kept = await findCertidaoCached(room, uf, asked, maxAgeMs)
  if (kept) return kept
  const ends = performance.now() + room.config.CND_SECONDS * 1000
  const left = (): number => ends - performance.now()
  const { known, avisos, retryS } = await knownInscricoes(room, {
    uf,
    cnd,
    asked,
    ...chamada,
    ccc,
    deadlineMs: left(),
  })
  // Not kept: the registrations are kept for a day, so two caches would make it two days old.
  if (needsInscricoes(cnd) && known?.inscricoes.length === 0) {
    // A certificate may still be kept, too old for this call. Nobody must be shown it after this.
    if (maxAgeMs !== undefined) await room.cache.forget(keyOf(uf, asked))
    return {
      certidao: semCertidao('nao_contribuinte', ''),
      fonte: known.fonte,
      avisos: [avisoDeSemInscricao(uf, known)],
      cached: known.cached,
      consultado_em: known.consultado_em,
    }
  }
  const entry = {
    key: keyOf(uf, asked),
    ttlMs: ({ certidao }: Kept) => goodForMs(certidao, room.now()),
    loadMs: Math.max(0, left()),
    maxAgeMs,
  }
  const pergunta = { ...asked, inscricoes: known?.inscricoes }
  const { value, cached, since } = await room.cache.through(entry, async (deadlineMs) => {
    const consulta = consultaOf(room, { uf, request_id, deadlineMs })
    const {
      resposta,
      fonte,
      avisos: daLeitura,
    } = await askRotas(cnd, pergunta, consulta).catch((error) => throwForInscricao(error, retryS))
    return { certidao: resposta, fonte, avisos: [...avisos, ...daLeitura] }
  })
  return found(uf, value, { cached, since }, { cnd })
}

/** Says who told that there is no registration, and when: the page of certificates was not asked. */
function avisoDeSemInscricao(uf: Uf, { fonte, consultado_em }: InscricoesAchadas): string {
  const rota = estadoOf(uf).ie.find(({ source }) => source.id === fonte)
  const quem = rota ? nomeNaFrase(rota.source) : 'o cadastro'
  return `Contribuinte sem inscrição estadual em ${uf}: quem o disse foi ${quem} (${fonte}), em ${formatInstante(new Date(consultado_em))}. A página de certidões, que certifica também quem não tem inscrição, não foi consultada.`
}

type Question = DaChamada & { uf: Uf; cnd: Estado['cnd']; asked: Documento }

/** `retryS` is of the failure to learn the registrations. */
type Known = { known: InscricoesAchadas | undefined; avisos: string[]; retryS: RetryS }

/** Where the state does not tell the registrations, its certificate is still genuine. */
async function knownInscricoes(
  room: InscricaoRoom,
  { uf, cnd, asked, ...chamada }: Question,
): Promise<Known> {
  // Where a page only asks for the number, one that was kept serves, however old.
  if (!needsInscricoes(cnd)) return { known: await findCached(room, uf, asked), avisos: [], retryS: null }
  try {
    return { known: await findInscricoes(room, uf, asked, chamada), avisos: [], retryS: null }
  } catch (error) {
    if (!(error instanceof Error && statusOfFailure(error))) throw error
    // It does not say when to ask again: the answer is kept with it, and is the same until then.
    const aviso = `Não se sabe se este ${asked.tipo.toUpperCase()} tem inscrição estadual em ${uf}, e a página de certidões de ${uf} certifica também quem não tem. ${error.message}`
    return { known: undefined, avisos: [aviso], retryS: retryOf(error) }
  }
}

/** The failure of a page that wants the registration passes if the registration may be learned. */
function throwForInscricao(error: unknown, retryS: RetryS): never {
  if (retryS === null || !(error instanceof RotaNaoAtende && error.needsInscricao)) throw error
  const message = `${error.message} A inscrição não pôde ser consultada desta vez.`
  throw new RotaNaoAtende(message, { retryS, cause: error })
}

/** Keeps a status that may change soon for an hour and any other for a day. Never past its validity. */
function goodForMs({ status, validade }: Certidao, now: Date): number {
  const longest = changesSoon.has(status) ? HOUR_MS : DAY_MS
  const ends = endOfDay(validade)
  return ends === undefined ? longest : Math.min(longest, ends.getTime() - now.getTime())
}

/** A debt may be paid, and a registration made, within the day. */
const changesSoon: ReadonlySet<Certidao['status']> = new Set(['positiva', 'sem_certidao', 'nao_contribuinte'])

export type EntradaCnd = Entrada & { result: Certidao | null }

export function findCertidoesTodos(
  room: InscricaoRoom,
  asked: Documento,
  call: ChamadaTodos<EntradaCnd>,
): Promise<EntradaCnd[]> {
  const { request_id, maxAgeMs } = call
  const chamada = { request_id, maxAgeMs, ccc: call.ccc ?? openCcc(room, asked, call) }
  return fanOut(
    { room, call },
    {
      deadlineMs: room.config.CND_TODOS_SECONDS * 1000,
      ask: async (uf) => {
        const found = await findCertidao(room, uf, asked, chamada)
        const { certidao, fonte, consultado_em, avisos } = found
        return { result: certidao, fonte, consultado_em, avisos }
      },
      failed: (status, dizeres): { result: Certidao | null } => ({ result: unusable(status, dizeres) }),
    },
  )
}

const unusable = ({ error_code }: Entrada['source_status'], dizeres: string): Certidao | null =>
  SEM_RESPOSTA.has(error_code) ? null : semCertidao('erro', dizeres)

const SEM_RESPOSTA: ReadonlySet<string> = new Set(['SITE_INDISPONIVEL', 'ERRO_INTERNO', 'BANCO_INDISPONIVEL'])
