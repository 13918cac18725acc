import { oldest } from '../documento/dia.ts'
import type { Uf } from '../documento/uf.ts'
import type { PorChamada } from '../platform/cache/cache.ts'
import { statusOfFailure } from '../platform/http/problem.ts'
import { OUTAGE_S, RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import type { Pergunta } from '../portal/estado.ts'
import { consultaOf } from '../portal/rotas.ts'
import type { Inscricao, InscricaoParcial } from '../portal/rules-inscricao.ts'
import type { InscricaoRoom, InscricoesAchadas } from './inscricao.ts'
import { askCcc, CCC_MS, fonteCcc } from './source-ccc.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

type Mostradas = { inscricoes: InscricaoParcial[]; cached: boolean; consultado_em: string }

/** Asks at the first need, and only once: all states of a call share its answer or its failure. */
export type Ccc = () => Promise<Mostradas>

/** Undefined when the register is not asked: by CPF or IE, or with CCC=nenhum. */
export function openCcc(
  room: InscricaoRoom,
  { tipo, documento }: Pergunta,
  chamada: PorChamada,
): Ccc | undefined {
  if (tipo !== 'cnpj' || !room.ccc) return undefined
  let asked: Promise<Mostradas> | undefined
  return () => {
    asked ??= findMostradas(room, documento, chamada)
    return asked
  }
}

async function findMostradas(
  room: InscricaoRoom,
  cnpj: string,
  { request_id, maxAgeMs }: PorChamada,
): Promise<Mostradas> {
  const { turnos, guard, pace } = room
  const entry = { key: `ccc/1:${cnpj}`, ttlMs: goodForMs, loadMs: CCC_MS, maxAgeMs }
  const { value, cached, since } = await room.cache.through(entry, (deadlineMs) => {
    const { meios } = consultaOf(room, { uf: 'BA', request_id, deadlineMs })
    return askCcc(cnpj, { meios, guard, turnos, pace, request_id })
  })
  return { inscricoes: value, cached, consultado_em: since }
}

/** As in a state: a new registration may be made within the hour. */
const goodForMs = ({ length }: InscricaoParcial[]): number => (length === 0 ? HOUR_MS : DAY_MS)

type Question = {
  uf: Uf
  why: RotaNaoAtende
  askByIe: (ie: string) => Promise<InscricoesAchadas>
  leftMs: () => number
}

const MAIS_PERGUNTAS = 10

/**
 * For a state that takes no CNPJ. Undefined if the register has none or fails; throws SourceError `parse` if
 * the state does not know a number.
 */
export async function findByCcc(
  ccc: Ccc,
  { uf, why, askByIe, leftMs }: Question,
): Promise<InscricoesAchadas | undefined> {
  const mostradas = await inTime(ccc(), leftMs()).catch((error: unknown) => {
    if (!statusOfFailure(error)) throw error
    return undefined
  })
  if (!mostradas) throw withoutCcc(why)
  const inscricoes = mostradas.inscricoes.filter(({ uf_ie }) => uf_ie === uf)
  if (inscricoes.length === 0) return undefined
  const { cached, consultado_em } = mostradas
  const parcial = (failure: string): InscricoesAchadas => ({
    inscricoes,
    cached,
    fonte: fonteCcc.source.id,
    consultado_em,
    avisos: [`De ${uf} responde só o cadastro nacional (CCC), com número, nome e situação. ${failure}`],
  })
  if (inscricoes.length > MAIS_PERGUNTAS) return parcial(why.message)
  try {
    const found = await Promise.all(inscricoes.map((one) => askByIe(one.inscricao_estadual)))
    return wholeOf(uf, { ...mostradas, inscricoes }, found)
  } catch (error) {
    const failure = statusOfFailure(error)
    if (!failure || isContradiction(error)) throw error
    // The client asked by CNPJ. It does not help to say that the state takes no numbers either.
    return parcial(error instanceof RotaNaoAtende ? why.message : failure.error_message)
  }
}

/** The state's own failure, which may pass: later the register may answer in its place. */
const withoutCcc = ({ message, codigo }: RotaNaoAtende): RotaNaoAtende =>
  new RotaNaoAtende(`${message} O cadastro nacional (CCC) também não respondeu desta vez.`, {
    retryS: OUTAGE_S,
    ...(codigo !== undefined && { codigo }),
  })

function wholeOf(uf: Uf, mostradas: Mostradas, found: readonly InscricoesAchadas[]): InscricoesAchadas {
  const [first] = found
  const inscricoes = found.flatMap((one) => one.inscricoes)
  const isOther = ({ cpf_cnpj }: Inscricao): boolean =>
    cpf_cnpj !== '' && cpf_cnpj !== mostradas.inscricoes[0]?.cpf_cnpj
  if (!first || found.some((one) => one.inscricoes.length === 0) || inscricoes.some(isOther))
    throw new SourceError('parse', `O cadastro nacional (CCC) e o de ${uf} se contradizem.`, {
      source: first?.fonte ?? fonteCcc.source.id,
      elapsedMs: 0,
      codigo: CONTRADICAO,
    })
  return {
    inscricoes,
    cached: mostradas.cached && found.every((one) => one.cached),
    fonte: first.fonte,
    consultado_em: oldest(mostradas.consultado_em, ...found.map((one) => one.consultado_em)),
    avisos: [
      `${uf} não atendeu à consulta por CNPJ: os números vieram do cadastro nacional (CCC), e o que se diz de cada um, do próprio estado.`,
    ],
  }
}

const CONTRADICAO = 'contradicao'

const isContradiction = (error: unknown): boolean =>
  error instanceof SourceError && error.codigo === CONTRADICAO

/** The value of a promise if it comes within `leftMs`. The work goes on for the next caller. */
async function inTime<T>(answer: Promise<T>, leftMs: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), leftMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
