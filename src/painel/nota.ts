import { createHmac } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { ApiError } from '../platform/errors.ts'
import { campoDe } from '../platform/pages/forms.ts'
import { MAIOR_SENHA } from './experimentar/formulario.ts'
import type { PedidoDaPagina } from './experimentar/pedido.ts'

/** An A1 file has 3 to 12 KiB, with a long chain 20. */
const MAIOR_CERTIFICADO = 64 * 1024

/** The whole form: the file, its few fields, and what the browser puts around them. */
const MAIOR_FORMULARIO_DA_NOTA = 80 * 1024

/**
 * Reads forms with a certificate, in memory alone: one file, few fields. What has more is refused before it
 * is read to its end.
 */
export async function lerFormulariosDaNota(scope: FastifyInstance): Promise<void> {
  const lendo = new WeakSet<FastifyRequest>()
  scope.addHook('onRequest', recusarGrande)
  scope.addHook('preValidation', (request, _reply, done) => {
    lendo.add(request)
    done()
  })
  await scope.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: {
      files: 1,
      fileSize: MAIOR_CERTIFICADO,
      fields: 8,
      parts: 9,
      fieldNameSize: 50,
      fieldSize: 1_024,
      headerPairs: 10,
    },
  })
  scope.addHook('preValidation', (request, _reply, done) => {
    lendo.delete(request)
    done()
  })
  // Of a body that is no form the parser throws errors without a code; the next handler tells them.
  scope.setErrorHandler((error, request) => {
    throw lendo.has(request) && !('code' in Object(error)) ? ilegivel : error
  })
}

const ilegivel = new ApiError(
  'CORPO_INVALIDO',
  'O formulário não pôde ser lido até o fim. Envie-o de novo pela página.',
)

/** A browser says how long a form is. */
const recusarGrande: onRequestHookHandler = ({ method, headers }, _reply, done) => {
  if (method !== 'POST') return done()
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (length <= MAIOR_FORMULARIO_DA_NOTA) return done()
  done(
    new ApiError(
      Number.isNaN(length) ? 'CORPO_INVALIDO' : 'CORPO_MUITO_GRANDE',
      'O formulário pode ter no máximo 80 KiB, e o certificado, 64 KiB. Envie só o arquivo .pfx ou .p12.',
    ),
  )
}

/**
 * Puts the certificate and its password into what is asked, and takes them off the request: no log and no
 * error must find them there.
 */
export function comCertificado(pedido: PedidoDaPagina, request: FastifyRequest): PedidoDaPagina {
  const file: unknown = Reflect.get(Object(request.body), 'certificado')
  const certificado = Buffer.isBuffer(file) ? file.toString('base64') : ''
  const senha = campoDe(request, 'senha').slice(0, MAIOR_SENHA)
  if (Buffer.isBuffer(file)) file.fill(0)
  request.body = undefined
  return { ...pedido, corpo: { ...pedido.corpo, certificado, senha } }
}

/**
 * The same form with the same content is the same call, so that a page that is loaded again sends no second
 * event and costs nothing. `formulario` is a number of the form's own.
 */
export const chaveDeRepeticao = ({ corpo }: PedidoDaPagina, formulario: string): string =>
  createHmac('sha256', formulario).update(JSON.stringify(corpo)).digest('base64url')
