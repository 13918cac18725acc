import type { Context } from '../context.ts'
import { type Certidao, semCertidao } from '../domain/certidao.ts'
import { ApiError } from '../domain/errors.ts'
import type { Inscricao } from '../domain/inscricao.ts'
import { endOfDay } from '../domain/periodo.ts'
import { type Uf, ufs, unidades } from '../domain/uf.ts'
import type { Estado, RotaCnd } from '../sources/estado.ts'
import { estados } from '../sources/registry.ts'
import { askRotas } from '../sources/rotas.ts'
import { consultaOf } from './consulta.ts'
import { findCached, findInscricoes } from './inscricao.ts'
import { statusOfFailure } from './source-failure.ts'
import type { Documento } from './validation.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The certificate of a document in a state, and whether it came from the cache. */
export type CertidaoAchada = { certidao: Certidao; cached: boolean }

/** The UFs whose page gives a certificate to anybody, so that the registrations tell who is no taxpayer; in alphabetical order. */
export const certifiesAnybody: readonly Uf[] = ufs.filter(
  (uf) => estados.get(uf)?.cnd?.naoContribuinte === 'ie',
)

const keyOf = (uf: Uf, { tipo, documento }: Documento): string => `cnd/1:${uf}:${tipo}:${documento}`

/** The certificate, where it was asked within the last day and is still valid. */
export const findCertidaoCached = (ctx: Context, uf: Uf, asked: Documento): Promise<Certidao | undefined> =>
  ctx.cache.find<Certidao>(keyOf(uf, asked))

/**
 * The clearance certificate of a document in a state: from the cache, or asked of the state, which may be after its
 * registrations. Throws SourceError when the state failed, RotaNaoAtende when it does not take the question, ApiError when it
 * is not connected or refused the document.
 */
export async function findCertidao(
  ctx: Context,
  uf: Uf,
  asked: Documento,
  request_id: string,
  estado: Pick<Estado, 'cnd'> | undefined = estados.get(uf),
): Promise<CertidaoAchada> {
  const cnd = estado?.cnd
  if (!cnd) throw notConnected(uf)
  const entry = {
    key: keyOf(uf, asked),
    ttlMs: (certidao: Certidao) => goodForMs(certidao, ctx.now()),
    loadMs: ctx.config.CND_SECONDS * 1000,
  }
  const { value, cached } = await ctx.cache.through(entry, (deadlineMs) =>
    askCertidao(ctx, { uf, cnd, asked, request_id, deadlineMs }),
  )
  return { certidao: value, cached }
}

type Question = { uf: Uf; cnd: RotaCnd; asked: Documento; request_id: string; deadlineMs: number }

/** Where the page certifies anybody, who has no registration is no taxpayer of the state, and the page is not asked. */
async function askCertidao(ctx: Context, question: Question): Promise<Certidao> {
  const { uf, cnd, asked, request_id, deadlineMs } = question
  const ends = performance.now() + deadlineMs
  const decides = cnd.naoContribuinte === 'ie'
  const inscricoes = decides ? await lookUp(ctx, question) : await findCached(ctx, uf, asked)
  if (decides && inscricoes?.length === 0)
    return semCertidao('nao_contribuinte', `Contribuinte sem inscrição estadual em ${uf}.`)
  const leftMs = ends - performance.now()
  return askRotas([cnd], { ...asked, inscricoes }, consultaOf(ctx, { uf, request_id, deadlineMs: leftMs }))
}

/** The registrations; undefined where the state did not tell. What its page then certifies is genuine all the same. */
async function lookUp(
  ctx: Context,
  { uf, asked, request_id, deadlineMs }: Question,
): Promise<Inscricao[] | undefined> {
  try {
    return (await findInscricoes(ctx, uf, asked, request_id, deadlineMs)).inscricoes
  } catch (error) {
    if (!statusOfFailure(error)) throw error
    return undefined
  }
}

/** A day, and no longer than the certificate is valid (decisions, "Caches"). */
function goodForMs({ validade }: Certidao, now: Date): number {
  const ends = endOfDay(validade)
  return ends === undefined ? DAY_MS : Math.min(DAY_MS, ends.getTime() - now.getTime())
}

function notConnected(uf: Uf): ApiError {
  const detail = `A consulta de certidão (CND) em ${unidades[uf].nome} (${uf}) ainda não está ligada nesta versão. Nada foi cobrado.`
  return new ApiError('SITE_INDISPONIVEL', detail)
}
