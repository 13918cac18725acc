import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { ApiError, errorCodes } from '../platform/errors.ts'
import { textoDosBytes } from '../platform/http/bodies.ts'
import { signalOfLeaving } from '../platform/http/connections.ts'
import { READY, serveStatic } from '../platform/http/ready.ts'
import { networkOf, openAddressCount } from '../platform/limits.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'
import { cabecalhosPublicos } from '../platform/pages/moldura.ts'
import { comOrigem, DeFora, isOfOurPages } from '../platform/pages/origem.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'
import type { Catalogo } from './catalogo.ts'
import { diagnose } from './diagnostico/diagnosticar.ts'
import { pastaDosEsquemas } from './esquema/calendario.ts'
import { catalogoVigente } from './lookup.ts'
import { CAMPOS, CORRIGIDO, DIAGNOSTICO, INDICE, MAIOR_INFORMADO } from './page-busca.ts'
import { CAMPO_DA_NOTA, notaGuardada } from './page-laudo.ts'
import { writeFormulario, writeLaudo } from './page-paginas.ts'
import type { RejeicoesRoom } from './rejeicoes.ts'
import type { Rejeicao } from './rules.ts'
import type { Corrigido, Laudo } from './rules-laudo.ts'
import { DiagnosticoDemorado, DiagnosticoRecusado } from './rules-laudo.ts'
import { pastaDasTabelas } from './tabelas.ts'

/** A form of ours has three fields. */
const MAIS_CAMPOS = 20

/** The headers of one field: its name, the name of its file, a type. */
const CABECALHO = 4096

/** What browsers send, and programs: one boundary and nothing else. */
const FRONTEIRA = /^multipart\/form-data\s*;\s*boundary=(?:"([^"\s;]{1,70})"|([^"\s;,]{1,70}))\s*$/i

const E_COMERCIAL = 0x26

/** Looked at before the form is read: one with thousands of fields would block everybody for seconds. */
function isFormularioModesto(body: Buffer, type: string): boolean {
  if (!/^multipart\//i.test(type)) return count(body, E_COMERCIAL) < MAIS_CAMPOS
  const [, entreAspas, nua] = FRONTEIRA.exec(type) ?? []
  const fronteira = entreAspas ?? nua
  return fronteira !== undefined && isCurto(body, Buffer.from(`--${fronteira}`))
}

function count(body: Buffer, octeto: number): number {
  let quantos = 0
  for (let at = body.indexOf(octeto); at >= 0 && quantos < MAIS_CAMPOS; at = body.indexOf(octeto, at + 1))
    quantos++
  return quantos
}

function isCurto(body: Buffer, delimitador: Buffer): boolean {
  let partes = 0
  for (let at = body.indexOf(delimitador); at >= 0; at = body.indexOf(delimitador, at + 1)) {
    const inicio = at + delimitador.length
    const resto = body.subarray(inicio, inicio + CABECALHO)
    const isFim = resto.length < CABECALHO || resto.subarray(0, 2).toString() === '--'
    if (++partes > MAIS_CAMPOS || !(isFim || resto.includes('\r\n\r\n'))) return false
  }
  return partes > 0
}

/** What a form may weigh: an XML of 1 MiB, and what the form puts around it. */
const MAIOR_FORMULARIO = (1024 + 64) * 1024

type FormularioLido = {
  xml: string
  informado: { cstat?: number; motivo?: string }
  avisos: readonly string[]
  /** The rejection on whose page the form stood. */
  pagina?: number
}

const ilegivel = new ApiError(
  'CORPO_INVALIDO',
  'O formulário não pôde ser lido. Envie de novo o arquivo XML, ou cole o texto dele.',
)

async function readCampos(body: unknown, type: string): Promise<FormData> {
  if (!Buffer.isBuffer(body) || !isFormularioModesto(body, type)) throw ilegivel
  return new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw ilegivel
  })
}

async function readNotaGuardada(body: unknown, type = ''): Promise<string> {
  const xml = notaGuardada(textoDe(await readCampos(body, type), CAMPO_DA_NOTA))
  if (xml === undefined) throw ilegivel
  return xml
}

/** Reads a form that was sent: its file, or else its text. Throws an ApiError for what is none. */
async function readFormulario(body: unknown, type = ''): Promise<FormularioLido> {
  const form = await readCampos(body, type)
  const { xml, avisos } = await readXml(form)
  const informado = readInformado(textoDe(form, CAMPOS.informado))
  const pagina = textoDe(form, CAMPOS.pagina)
  return { xml, avisos, informado, ...(CODIGO.test(pagina) ? { pagina: Number(pagina) } : {}) }
}

async function readXml(form: FormData): Promise<Pick<FormularioLido, 'xml' | 'avisos'>> {
  const file = form.get(CAMPOS.arquivo)
  if (file === null || typeof file === 'string' || file.size === 0)
    return { xml: textoDe(form, CAMPOS.xml), avisos: [] }
  return textoDosBytes(new Uint8Array(await file.arrayBuffer()))
}

const textoDe = (form: FormData, campo: string): string => {
  const value = form.get(campo)
  return typeof value === 'string' ? value : ''
}

const CODIGO = /^\d{3,4}$/

function readInformado(texto: string): FormularioLido['informado'] {
  const words = texto.trim().slice(0, MAIOR_INFORMADO)
  if (words === '') return {}
  return CODIGO.test(words) ? { cstat: Number(words) } : { motivo: words }
}

const POR_MINUTO = 10

/** All forms are one owner of turns in the queue: they never keep the accounts out. */
const DONO = 'formulario'

/** One form is diagnosed at a time, and turns go round the addresses: a thread is left for the accounts. */
const FILA = { places: 1, waiting: 32, perOwner: 2 }

const ESPERA_MS = 10_000

/** The form for an XML, and where it is sent: without a key, and nothing of it is kept. */
export function diagnosticos(app: FastifyInstance, room: RejeicoesRoom, moldura: MolduraDoSite): void {
  const enviados = openAddressCount({ limit: POR_MINUTO, now: room.now })
  const emSuaVez = createQueue(FILA)
  const { prefixo } = moldura
  const caminho = DIAGNOSTICO.slice(INDICE.length - 1)
  serveStatic(app, caminho, {
    type: 'text/html',
    headers: cabecalhosPublicos,
    make: () => writeFormulario(moldura),
  })
  for (const outro of [caminho.replace(/\/$/, ''), '/diagnosticar', '/corrigido'])
    app.get(outro, READY, async (_request, reply) => reply.redirect(prefixo + DIAGNOSTICO, 301))

  comOrigem(app)
  app.addContentTypeParser(
    ['multipart/form-data', 'application/x-www-form-urlencoded'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
  const admit: onRequestHookHandler = (request, reply, done) => {
    reply.header('cache-control', 'no-store')
    if (!isOfOurPages(request, moldura)) return done(deFora)
    const waitS = enviados.waitS(request.ip)
    if (waitS !== undefined) return done(demais(waitS))
    enviados.add(request.ip)
    done()
  }
  const formulario = { schema: { hide: true }, bodyLimit: MAIOR_FORMULARIO, onRequest: admit }
  app.post('/diagnosticar', {
    ...formulario,
    handler: async (request, reply) => {
      const {
        xml,
        informado,
        avisos,
        pagina = 0,
      } = await readFormulario(request.body, request.headers['content-type'])
      const rejeicao = catalogoVigente(room).porCodigo.get(pagina)
      return respond({ xml, informado, rejeicao }, { request, reply }, (laudo, catalogo) =>
        writeLaudo({ laudo, xml, catalogo, avisos, rejeicao }, moldura),
      )
    },
  })
  // The note comes back with the page, and is diagnosed once more: nothing of it was kept.
  app.post(CORRIGIDO.slice(INDICE.length - 1), {
    ...formulario,
    handler: async (request, reply) => {
      const xml = await readNotaGuardada(request.body, request.headers['content-type'])
      return respond({ xml, informado: {}, rejeicao: undefined }, { request, reply }, ({ corrigido }) => {
        if (corrigido) return download(corrigido, reply)
        reply.code(errorCodes.REQUISICAO_INVALIDA.status)
        return writeFormulario(moldura, { motivo: NADA_CERTO, rejeicao: undefined })
      })
    },
  })

  const esquemas = pastaDosEsquemas(room.config.DATA_DIR)
  const tabelas = pastaDasTabelas(room.config.DATA_DIR)

  async function respond(
    { xml, informado, rejeicao }: Pedido,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    write: (laudo: Laudo, catalogo: Catalogo) => string,
  ): Promise<string> {
    reply.type('text/html; charset=utf-8')
    const catalogo = catalogoVigente(room)
    try {
      const espera = { signal: signalOfLeaving(reply.raw), waitMs: ESPERA_MS }
      const laudo = await emSuaVez({ owner: networkOf(request.ip), ...espera }, () =>
        diagnose(
          { xml, ...informado, agora: room.now(), catalogo: catalogo.arquivo, esquemas, tabelas },
          { owner: DONO, ...espera },
        ),
      )
      return write(laudo, catalogo)
    } catch (error) {
      if (error instanceof QueueFull) throw error.part === 'owner' ? cheiaDoEndereco : cheia
      const code = codigoDe(error)
      if (!code || !(error instanceof Error)) throw error
      reply.code(errorCodes[code].status)
      return writeFormulario(moldura, { motivo: error.message, rejeicao })
    }
  }
}

/** A note to diagnose; `rejeicao` is the one on whose page the form stood. */
type Pedido = Pick<FormularioLido, 'xml' | 'informado'> & { rejeicao: Rejeicao | undefined }

function download({ xml, chave }: Corrigido, reply: FastifyReply): string {
  reply
    .type('application/xml; charset=utf-8')
    .header('content-disposition', `attachment; filename="${chave ?? 'nota'}-corrigido.xml"`)
  return xml
}

const NADA_CERTO =
  'Não há correção certa para este XML. Envie o arquivo da nota de novo e veja o que o diagnóstico diz.'

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
