import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Context } from '../platform/context.ts'
import { ApiError, errorCodes } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/connections.ts'
import { READY, serveStatic } from '../platform/http/ready.ts'
import { networkOf, openAddressCount } from '../platform/limits.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'
import { cabecalhosPublicos } from '../platform/pages/moldura.ts'
import { comOrigem, DeFora, isOfOurPages } from '../platform/pages/origem.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'
import { diagnosticar } from './diagnostico/diagnosticar.ts'
import { DiagnosticoDemorado, DiagnosticoRecusado } from './diagnostico/recusa.ts'
import { CORRIGIDO, DIAGNOSTICO, INDICE } from './enderecos.ts'
import { pastaDosEsquemas } from './esquema/instalados.ts'
import {
  type FormularioLido,
  lerFormulario,
  lerNotaGuardada,
  MAIOR_FORMULARIO,
} from './formulario-enviado.ts'
import type { Catalogo } from './ler.ts'
import { escreverFormulario, escreverLaudo } from './page-paginas.ts'
import type { Rejeicao } from './rejeicao.ts'
import type { Corrigido, Laudo } from './rules-laudo.ts'
import { pastaDasTabelas } from './tabelas/instaladas.ts'

/** The diagnoses that an address may ask for a minute. */
const POR_MINUTO = 10

/** All forms are one owner of turns in the queue: they never keep the accounts out. */
const DONO = 'formulario'

/** One form is diagnosed at a time, and turns go round the addresses: a thread is left for the accounts. */
const FILA = { places: 1, waiting: 32, perOwner: 2 }

/** How long a form waits for its turn. */
const ESPERA_MS = 10_000

/** The form for an XML, and where it is sent: without a key, and nothing of it is kept. */
export function diagnosticos(
  app: FastifyInstance,
  ctx: Pick<Context, 'config' | 'now'>,
  { moldura, ler }: { moldura: MolduraDoSite; ler: () => Catalogo },
): void {
  const enviados = openAddressCount({ limit: POR_MINUTO, now: ctx.now })
  const emSuaVez = createQueue(FILA)
  const { prefixo } = moldura
  const caminho = DIAGNOSTICO.slice(INDICE.length - 1)
  serveStatic(app, caminho, {
    type: 'text/html',
    headers: cabecalhosPublicos,
    make: () => escreverFormulario(moldura),
  })
  for (const outro of [caminho.replace(/\/$/, ''), '/diagnosticar', '/corrigido'])
    app.get(outro, READY, async (_request, reply) => reply.redirect(prefixo + DIAGNOSTICO, 301))

  comOrigem(app)
  app.addContentTypeParser(
    ['multipart/form-data', 'application/x-www-form-urlencoded'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
  const admitir: onRequestHookHandler = (request, reply, done) => {
    reply.header('cache-control', 'no-store')
    if (!isOfOurPages(request, moldura)) return done(deFora)
    const waitS = enviados.waitS(request.ip)
    if (waitS !== undefined) return done(demais(waitS))
    enviados.add(request.ip)
    done()
  }
  const formulario = { schema: { hide: true }, bodyLimit: MAIOR_FORMULARIO, onRequest: admitir }
  app.post('/diagnosticar', {
    ...formulario,
    handler: async (request, reply) => {
      const {
        xml,
        informado,
        avisos,
        pagina = 0,
      } = await lerFormulario(request.body, request.headers['content-type'])
      const rejeicao = ler().porCodigo.get(pagina)
      return responder({ xml, informado, rejeicao }, { request, reply }, (laudo, catalogo) =>
        escreverLaudo({ laudo, xml, catalogo, avisos, rejeicao }, moldura),
      )
    },
  })
  // The note comes back with the page, and is diagnosed once more: nothing of it was kept.
  app.post(CORRIGIDO.slice(INDICE.length - 1), {
    ...formulario,
    handler: async (request, reply) => {
      const xml = await lerNotaGuardada(request.body, request.headers['content-type'])
      return responder({ xml, informado: {}, rejeicao: undefined }, { request, reply }, ({ corrigido }) => {
        if (corrigido) return baixar(corrigido, reply)
        reply.code(errorCodes.REQUISICAO_INVALIDA.status)
        return escreverFormulario(moldura, { motivo: NADA_CERTO, rejeicao: undefined })
      })
    },
  })

  const esquemas = pastaDosEsquemas(ctx.config.DATA_DIR)
  const tabelas = pastaDasTabelas(ctx.config.DATA_DIR)

  async function responder(
    { xml, informado, rejeicao }: Pedido,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    escrever: (laudo: Laudo, catalogo: Catalogo) => string,
  ): Promise<string> {
    reply.type('text/html; charset=utf-8')
    const catalogo = ler()
    try {
      const espera = { signal: signalOfLeaving(reply.raw), waitMs: ESPERA_MS }
      const laudo = await emSuaVez({ owner: networkOf(request.ip), ...espera }, () =>
        diagnosticar(
          { xml, ...informado, agora: ctx.now(), catalogo: catalogo.arquivo, esquemas, tabelas },
          { owner: DONO, ...espera },
        ),
      )
      return escrever(laudo, catalogo)
    } catch (error) {
      if (error instanceof QueueFull) throw error.part === 'owner' ? cheiaDoEndereco : cheia
      const code = codigoDe(error)
      if (!code || !(error instanceof Error)) throw error
      reply.code(errorCodes[code].status)
      return escreverFormulario(moldura, { motivo: error.message, rejeicao })
    }
  }
}

/** A note to diagnose; `rejeicao` is the one on whose page the form stood. */
type Pedido = Pick<FormularioLido, 'xml' | 'informado'> & { rejeicao: Rejeicao | undefined }

/** The corrected note as a file, by the name of its key. */
function baixar({ xml, chave }: Corrigido, reply: FastifyReply): string {
  reply
    .type('application/xml; charset=utf-8')
    .header('content-disposition', `attachment; filename="${chave ?? 'nota'}-corrigido.xml"`)
  return xml
}

const NADA_CERTO =
  'Não há correção certa para este XML. Envie o arquivo da nota de novo e veja o que o diagnóstico diz.'

/** What the form is answered with, and told why. */
function codigoDe(error: unknown): 'REQUISICAO_INVALIDA' | 'PROCESSAMENTO_FALHOU' | undefined {
  if (error instanceof DiagnosticoRecusado) return 'REQUISICAO_INVALIDA'
  return error instanceof DiagnosticoDemorado ? 'PROCESSAMENTO_FALHOU' : undefined
}

const deFora = new DeFora('Abra o diagnóstico e envie o XML por ela.')

const demais = (retryS: number): ApiError =>
  new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `São ${POR_MINUTO} diagnósticos por minuto de cada endereço. Tente de novo em ${retryS} s.`,
    { retryS },
  )

const cheia = new ApiError(
  'RATE_LIMIT_EXCEEDED',
  'Há muitos diagnósticos na fila agora. Tente de novo em alguns segundos.',
  { retryS: 5 },
)

const cheiaDoEndereco = new ApiError(
  'RATE_LIMIT_EXCEEDED',
  'Já há diagnósticos deste endereço na fila. Espere a resposta deles e envie este de novo.',
  { retryS: 5 },
)
