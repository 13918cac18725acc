import type { Context } from '../context.ts'
import { type Certidao, semCertidao } from '../domain/certidao.ts'
import type { Inscricao } from '../domain/inscricao.ts'
import { endOfDay } from '../domain/periodo.ts'
import { type Uf, ufs } from '../domain/uf.ts'
import type { Estado } from '../sources/estado.ts'
import { estadoOf } from '../sources/registry.ts'
import { askRotas } from '../sources/rotas.ts'
import { consultaOf } from './consulta.ts'
import { findCached, findInscricoes } from './inscricao.ts'
import { statusOfFailure } from './source-failure.ts'
import type { Documento } from './validation.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The certificate of a document in a state, and whether it came from the cache. */
export type CertidaoAchada = { certidao: Certidao; cached: boolean }

/** Whether a page among these certifies anybody, so that the registrations tell who is no taxpayer. */
const needsInscricoes = (rotas: Estado['cnd']): boolean =>
  rotas.some(({ naoContribuinte }) => naoContribuinte === 'ie')

/** The UFs whose page gives a certificate to anybody, so that the registrations tell who is no taxpayer; in alphabetical order. */
export const certifiesAnybody: readonly Uf[] = ufs.filter((uf) => needsInscricoes(estadoOf(uf).cnd))

const keyOf = (uf: Uf, { tipo, documento }: Documento): string => `cnd/1:${uf}:${tipo}:${documento}`

/** The certificate, where it was asked within the last day and is still valid. */
export const findCertidaoCached = (ctx: Context, uf: Uf, asked: Documento): Promise<Certidao | undefined> =>
  ctx.cache.find<Certidao>(keyOf(uf, asked))

/**
 * The clearance certificate of a document in a state: from the cache, or asked of the state. Where its page certifies anybody,
 * who has no registration is no taxpayer, and the page is not asked. Throws SourceError when the state failed, RotaNaoAtende
 * when it does not take the question, ApiError when it refused the document.
 */
export async function findCertidao(
  ctx: Context,
  uf: Uf,
  asked: Documento,
  request_id: string,
  { cnd }: Pick<Estado, 'cnd'> = estadoOf(uf),
): Promise<CertidaoAchada> {
  const found = await findCertidaoCached(ctx, uf, asked)
  if (found) return { certidao: found, cached: true }
  const ends = performance.now() + ctx.config.CND_SECONDS * 1000
  const left = (): number => ends - performance.now()
  const known = await knownInscricoes(ctx, { uf, cnd, asked, request_id, deadlineMs: left() })
  // Not kept: as the lookup is for a day already, it would be told for two.
  if (needsInscricoes(cnd) && known?.inscricoes.length === 0)
    return {
      certidao: semCertidao('nao_contribuinte', `Contribuinte sem inscrição estadual em ${uf}.`),
      cached: known.cached,
    }
  const entry = {
    key: keyOf(uf, asked),
    ttlMs: (certidao: Certidao) => goodForMs(certidao, ctx.now()),
    loadMs: Math.max(0, left()),
  }
  const pergunta = { ...asked, inscricoes: known?.inscricoes }
  const { value, cached } = await ctx.cache.through(entry, (deadlineMs) =>
    askRotas(cnd, pergunta, consultaOf(ctx, { uf, request_id, deadlineMs })),
  )
  return { certidao: value, cached }
}

type Question = { uf: Uf; cnd: Estado['cnd']; asked: Documento; request_id: string; deadlineMs: number }

/**
 * The registrations, looked up where they decide, else where they are at hand; undefined where the state did not tell. What
 * its page then certifies is genuine all the same.
 */
async function knownInscricoes(
  ctx: Context,
  { uf, cnd, asked, request_id, deadlineMs }: Question,
): Promise<{ inscricoes: Inscricao[]; cached: boolean } | undefined> {
  if (!needsInscricoes(cnd)) {
    const inscricoes = await findCached(ctx, uf, asked)
    return inscricoes && { inscricoes, cached: true }
  }
  try {
    return await findInscricoes(ctx, uf, asked, request_id, deadlineMs)
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
