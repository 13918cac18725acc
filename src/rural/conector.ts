import { createHmac } from 'node:crypto'
import type { Documento } from '../documento/documento.ts'
import type { CodigoDaFalha, RetryS } from '../platform/wire/fonte.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import type { Http, Reply } from '../platform/wire/http.ts'
import { retryAfterOf } from '../platform/wire/http.ts'
import { parseJson } from '../portal/pagina.ts'
import { fonteCnir } from './cnir-fonte.ts'
import { type FichaDoTitular, readFicha } from './source-cnir.ts'

const { source } = fonteCnir

/** The operator's connector (docs/cnir-connector.md): its address, and the secret that signs questions. */
export type Conector = { url: string; segredo: string; http: Http }

type Chamada = { request_id: string; deadlineMs: number; now: () => Date }

/**
 * Asks the connector about a document. Undefined if nobody has it; throws SourceError for everything that the
 * contract does not name.
 */
export async function askConector(
  { url, segredo, http }: Conector,
  { tipo, documento }: Documento,
  { request_id, deadlineMs, now }: Chamada,
): Promise<FichaDoTitular | undefined> {
  const body = JSON.stringify({ documento, tipo, request_id })
  const timestamp = String(Math.floor(now().getTime() / 1000))
  const hmac = createHmac('sha256', segredo).update(`${timestamp}.${body}`).digest('hex')
  const reply = await http.send({
    source,
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-consulta-timestamp': timestamp,
      'x-consulta-signature': `v1=${hmac}`,
      'x-consulta-deadline-ms': String(Math.max(1, Math.round(deadlineMs))),
    },
    body,
    deadlineMs,
    repeatable: true,
  })
  const json = parseJson(reply)
  if (reply.status === 404 && isEmpty(json)) return undefined
  if (reply.status !== 200) throw refused(reply)
  const ficha = readFicha(json, { tipo, documento })
  if (typeof ficha === 'string') throw failure('parse', `respondeu fora do contrato: ${ficha}`, reply)
  return ficha
}

/** `{}`: nobody has the document. A 404 with anything else is a wrong path. */
const isEmpty = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json).length === 0

function refused(reply: Reply): SourceError {
  const { status } = reply
  if (status === 401 || status === 403)
    return failure(
      'http',
      `recusou este serviço (HTTP ${status}). Operador: confira CNIR_SECRET e o relógio`,
      reply,
      {
        unavailable: true,
        codigo: 'credencial',
        retryS: null,
      },
    )
  const retryS = retryAfterOf(reply)
  return failure('http', `não respondeu à consulta (HTTP ${status})`, reply, { retryS })
}

type Details = { unavailable?: boolean; codigo?: CodigoDaFalha; retryS?: RetryS | undefined }

const failure = (
  kind: 'http' | 'parse',
  why: string,
  { status, elapsedMs }: Reply,
  details: Details = {},
): SourceError =>
  new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs, status, ...details })
