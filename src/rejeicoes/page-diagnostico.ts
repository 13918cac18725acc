import multipart from '@fastify/multipart'
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  errorCodes as falhas,
  type onRequestHookHandler,
} from 'fastify'
import { ApiError, errorCodes } from '../platform/errors.ts'
import { textoDosBytes } from '../platform/http/bodies.ts'
import { signalOfLeaving } from '../platform/http/outcome.ts'
import { READY, serveStatic } from '../platform/http/ready.ts'
import { networkOf, openAddressCount } from '../platform/limits.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'
import { cabecalhosPublicos, DeFora, isOfOurPages, sendOrigin } from '../platform/pages/moldura.ts'
import { codeOf } from '../platform/wire/fonte.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'
import { type Catalogo, NOTA_DE_EXEMPLO } from './catalogo.ts'
import { diagnose } from './diagnostico/diagnostico.ts'
import { pastaDosEsquemas } from './esquema/calendario.ts'
import { catalogoVigente } from './lookup.ts'
import { CAMPOS, CORRIGIDO, DIAGNOSTICO, INDICE, MAIOR_INFORMADO } from './page-busca.ts'
import { CAMPO_DA_NOTA, notaGuardada } from './page-laudo.ts'
import { writeFormulario, writeLaudo } from './page-paginas.ts'
import type { RejeicoesRoom } from './rejeicoes.ts'
import type { Rejeicao } from './rules.ts'
import { type Corrigido, DiagnosticoDemorado, DiagnosticoRecusado, type Laudo } from './rules-laudo.ts'
import { pastaDasTabelas } from './tabelas.ts'

/** What a form may weigh: an XML of 1 MiB, and what the form puts around it. */
const MAIOR_FORMULARIO = (1024 + 64) * 1024

/**
 * A form of ours has four fields. One with thousands would block everybody for seconds, and a header that is
 * longer is lost, with the field that it names.
 */
const LIMITES = { parts: 19, headerSize: 4096, fileSize: MAIOR_FORMULARIO, fieldSize: MAIOR_FORMULARIO }

/** What a form asks. */
type FormularioLido = {
  xml: string
  /** What the authority answered. */
  informado: { cstat?: number; motivo?: string }
  /** What the reader should know of how the file was read. */
  avisos: readonly string[]
  /** Whether the note came as text. */
  colado: boolean
  /** The rejection on whose page the form stood. */
  pagina?: number
}

const ilegivel = new ApiError(
  'CORPO_INVALIDO',
  'O formulário não pôde ser lido. Envie de novo o arquivo XML, ou cole o texto dele.',
)

/** The fields of a form by their names, the first of several. */
type Campos = ReadonlyMap<string, unknown>

/** Reads a form that was sent. Throws an ApiError for what is none of ours. */
async function readFields(request: FastifyRequest): Promise<Campos> {
  const campos = new Map<string, unknown>()
  for await (const [nome, valor] of request.isMultipart() ? partsOf(request) : pairsOf(request))
    if (!campos.has(nome)) campos.set(nome, valor)
  return campos
}

function* pairsOf({ body }: FastifyRequest): Iterable<[nome: string, valor: string]> {
  const isModest = typeof body === 'string' && body.split('&', LIMITES.parts + 2).length <= LIMITES.parts + 1
  if (!isModest) throw ilegivel
  yield* new URLSearchParams(body)
}

async function* partsOf(request: FastifyRequest): AsyncIterable<[nome: string, valor: unknown]> {
  if (Number(request.headers['content-length']) > MAIOR_FORMULARIO) throw grande()
  let octetos = 0
  let isOurs = false
  try {
    for await (const part of request.parts()) {
      const valor = part.type === 'file' ? await part.toBuffer() : part.value
      octetos += Buffer.byteLength(Buffer.isBuffer(valor) ? valor : String(valor))
      // A value that is cut off ends at the limit.
      if (octetos >= MAIOR_FORMULARIO) throw grande()
      isOurs ||= NOSSOS.has(part.fieldname)
      yield [part.fieldname, valor]
    }
  } catch (error) {
    throw /TOO_LARGE/.test(codeOf(error)) ? grande() : ilegivel
  }
  if (!isOurs) throw ilegivel
}

const NOSSOS: ReadonlySet<string> = new Set([...Object.values(CAMPOS), CAMPO_DA_NOTA])

const grande = (): Error => new falhas.FST_ERR_CTP_BODY_TOO_LARGE()

/** Reads the note that the page of a diagnosis carried. Throws an ApiError for what is none. */
async function readNotaGuardada(request: FastifyRequest): Promise<string> {
  const xml = notaGuardada(textoDe(await readFields(request), CAMPO_DA_NOTA))
  if (xml === undefined) throw ilegivel
  return xml
}

/** Reads a form that was sent: its file, or else its text. Throws an ApiError for what is none. */
async function readFormulario(request: FastifyRequest): Promise<FormularioLido> {
  const campos = await readFields(request)
  if (campos.has(CAMPOS.exemplo)) return { xml: NOTA_COM_610, informado: {}, avisos: [], colado: false }
  const arquivo = campos.get(CAMPOS.arquivo)
  const { xml, avisos, colado } =
    Buffer.isBuffer(arquivo) && arquivo.length > 0
      ? { ...textoDosBytes(arquivo), colado: false }
      : { xml: textoDe(campos, CAMPOS.xml), avisos: [], colado: textoDe(campos, CAMPOS.xml) !== '' }
  const informado = readInformado(textoDe(campos, CAMPOS.informado))
  const pagina = textoDe(campos, CAMPOS.pagina)
  return { xml, avisos, colado, informado, ...(CODIGO.test(pagina) ? { pagina: Number(pagina) } : {}) }
}

/** The total is 10 reais too high. */
const NOTA_COM_610 = NOTA_DE_EXEMPLO.replace('<vNF>3822.00<', '<vNF>3832.00<')

/** A text that was copied from a file may begin with its mark of the byte order. */
function textoDe(campos: Campos, campo: string): string {
  const valor = campos.get(campo)
  return typeof valor === 'string' ? valor.replace(/^\uFEFF/, '') : ''
}

const CODIGO = /^\d{3,4}$/

/** A code alone, or the words of a rejection. */
function readInformado(texto: string): FormularioLido['informado'] {
  const words = texto.trim().slice(0, MAIOR_INFORMADO)
  if (words === '') return {}
  return CODIGO.test(words) ? { cstat: Number(words) } : { motivo: words }
}

/** The diagnoses that an address may ask for a minute. */
const POR_MINUTO = 10

/** All forms are one owner of turns in the queue: they never keep the accounts out. */
const DONO = 'formulario'

/** One form is diagnosed at a time, and turns go round the addresses: a thread is left for the accounts. */
const FILA = { places: 1, waiting: 32, perOwner: 2 }

/** How long a form waits for its turn. */
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

  sendOrigin(app)
  app.register(multipart, { limits: LIMITES })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
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
      const { xml, informado, avisos, colado, pagina = 0 } = await readFormulario(request)
      const rejeicao = catalogoVigente(room).porCodigo.get(pagina)
      return respond({ xml, informado, rejeicao, colado }, { request, reply }, (laudo, catalogo) =>
        writeLaudo({ laudo, xml, catalogo, avisos, rejeicao }, moldura),
      )
    },
  })
  // The note comes back with the page, and is diagnosed once more: nothing of it was kept.
  app.post(CORRIGIDO.slice(INDICE.length - 1), {
    ...formulario,
    handler: async (request, reply) => {
      const xml = await readNotaGuardada(request)
      return respond(
        { xml, informado: {}, rejeicao: undefined, colado: false },
        { request, reply },
        ({ corrigido }) => {
          if (corrigido) return download(corrigido, reply)
          reply.code(errorCodes.REQUISICAO_INVALIDA.status)
          return writeFormulario(moldura, { motivo: NADA_CERTO, rejeicao: undefined, colado: false })
        },
      )
    },
  })

  const esquemas = pastaDosEsquemas(room.config.DATA_DIR)
  const tabelas = pastaDasTabelas(room.config.DATA_DIR)

  async function respond(
    { xml, informado, rejeicao, colado }: Pedido,
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
      return writeFormulario(moldura, { motivo: error.message, rejeicao, colado })
    }
  }
}

/** A note to diagnose; `rejeicao` is the one on whose page the form stood. */
type Pedido = Pick<FormularioLido, 'xml' | 'informado' | 'colado'> & { rejeicao: Rejeicao | undefined }

/** The corrected note as a file, by the name of its key. */
function download({ xml, chave }: Corrigido, reply: FastifyReply): string {
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
