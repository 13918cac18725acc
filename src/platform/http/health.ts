import type { FastifyInstance } from 'fastify'
import { readBase } from '../../cnpj/lookup.ts'
import { situacaoDaSessao } from '../../rural/rules-sigef.ts'
import { certificadoEmVigor } from '../../sefaz/rodada.ts'
import { isVazio } from '../../sefaz/rules-quadro.ts'
import type { Context } from '../context.ts'
import { ping } from '../db/queries.ts'
import { avisoDeValidade } from '../wire/certificado.ts'

/**
 * For load balancers, without a key: `/health` says that the process runs, `/ready` that it can answer and
 * goes on. `banco` is false while the database does not answer, or the ledger's own connection takes no
 * commit.
 */
export function health(app: FastifyInstance, ctx: Context): void {
  app.get('/health', { schema: { hide: true }, exposeHeadRoute: true }, async () => ({ status: 'ok' }))
  app.get('/ready', { schema: { hide: true }, exposeHeadRoute: true }, async (_request, reply) => {
    const looks = await Promise.all([ping(ctx.store.db), ctx.store.ledger.ready()])
    const banco = !looks.includes(false)
    const versao = servedVersao(ctx)
    const canAnswer = banco && versao !== ''
    const status = ctx.isClosing ? 'encerrando' : canAnswer ? 'ok' : 'indisponivel'
    const certificado = certificadoOf(ctx)
    // It tells, and never decides: all that does not ask SIGEF is answered without its session.
    const sigef = await sigefOf(ctx, banco)
    return reply.code(status === 'ok' ? 200 : 503).send({
      status,
      banco,
      base_cnpj: versao,
      certificado,
      sigef,
      sefaz: monitorOf(ctx),
      rejeicoes: catalogoOf(ctx),
    })
  })
}

/** The version that look-ups are answered from; empty when none can be. */
function servedVersao(ctx: Context): string {
  try {
    return readBase(ctx).manifesto.versao
  } catch {
    return ''
  }
}

/**
 * The days that the operator's certificate still serves. Without one the web services cannot be asked, and
 * the rest can.
 */
function certificadoOf({ sources, now }: Context): { dias: number | null; aviso: string } {
  const { certificado } = sources
  if (!certificado)
    return { dias: null, aviso: 'sem certificado do operador (A1_FILE): as SEFAZ não respondem' }
  const { dias, aviso = '' } = avisoDeValidade(certificado, now())
  return { dias, aviso }
}

/** The session that answers in SIGEF: until when SIGEF keeps it, and until when its login renews it. */
async function sigefOf(
  { config, sources, store, now }: Context,
  banco: boolean,
): Promise<{ sessao: string; vence_em: Date | null; login_ate: Date | null; aviso: string }> {
  const told = { vence_em: null, login_ate: null, aviso: '' }
  if (config.SIGEF === 'desligado') return { sessao: 'desligada', ...told }
  // Without a database nothing is asked of it, so that this answer is never late.
  const dados = banco ? await store.sessoes.lookSoon() : 'away'
  if (dados === 'away') return { sessao: 'desconhecida', ...told }
  if (!dados && sources.sigef) return { sessao: 'simulador', ...told }
  const { situacao: sessao, aviso } = situacaoDaSessao(dados, now())
  return { sessao, vence_em: dados?.vence_em ?? null, login_ate: dados?.login_ate ?? null, aviso }
}

/** The rejection catalogue: its version and its entries, and what is wrong with its file. */
function catalogoOf({ store: { rejeicoes } }: Context): { versao: string; total: number; aviso: string } {
  const { versao = '', rejeicoes: entradas = [] } = rejeicoes.ler() ?? {}
  const falha = rejeicoes.falha()
  const aviso = falha && `o arquivo ${rejeicoes.arquivo} não pôde ser lido: ${falha}`
  return { versao, total: entradas.length, aviso }
}

type Monitor = { monitor: string; fonte: string | null; ultima_rodada: Date | null; aviso: string }

/** The monitor of the SEFAZ: whom it asks, and when its last round ended, on whichever node. */
function monitorOf(ctx: Context): Monitor {
  const { SEFAZ_MONITOR: monitor } = ctx.config
  if (monitor === 'desligado') return { monitor, fonte: null, ultima_rodada: null, aviso: '' }
  const fonte = certificadoEmVigor(ctx) ? 'servicos' : 'paginas'
  const quadro = ctx.store.sefaz.quadro()
  const ultima_rodada = quadro ? new Date(quadro.rodada.fim) : null
  const told = (aviso: string): Monitor => ({ monitor, fonte, ultima_rodada, aviso })
  if (!quadro) return told('nenhuma rodada terminou ainda')
  if (quadro.parado) return told('nenhuma rodada terminou nos últimos 10 minutos')
  if (quadro.rodada.semRede)
    return told(
      'nenhuma SEFAZ respondeu na última rodada: confira a rede desta máquina e o certificado do operador',
    )
  if (fonte === 'servicos') return told('')
  const why = 'sem certificado do operador em vigor (A1_FILE)'
  return told(
    quadro.rodada.fonte === 'paginas' && isVazio(quadro)
      ? `${why}, e as páginas públicas não puderam ser lidas: o monitor nada sabe das SEFAZ`
      : `${why}: o monitor lê só as páginas públicas, sem tempos e sem NFC-e`,
  )
}
