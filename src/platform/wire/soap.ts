import { quoteOf } from '../texto.ts'
import type { ClientCertificate } from './dial.ts'
import type { Source } from './fonte.ts'
import { OUTAGE_S, SourceError } from './fonte.ts'
import type { Http, Reply } from './http.ts'
import { retryAfterOf } from './http.ts'
import { findElement, parseXml, textOf, type XmlNode } from './xml.ts'

/** One call of a SEFAZ web service (MOC 7.0, "Padrão de comunicação"; official WSDLs). */
export type SoapCall = {
  source: Source
  url: string
  namespace: string
  operation: string
  /** The content of the Body, with nothing between the tags: an authority refuses even a line break (588). */
  body: string
  answer: string | readonly string[]
  certificate?: ClientCertificate | undefined
  /** False for a call that registers something. It is then never sent twice. */
  repeatable?: boolean
  deadlineMs: number
}

const ENVELOPE = 'http://www.w3.org/2003/05/soap-envelope'

/**
 * Posts a SOAP 1.2 envelope and gives the answer's element, found by its local name. Throws SourceError:
 * `blocked` for a page with 403 or 429, `http` for other refusals and for faults, `parse` for anything else.
 */
export async function callSoap(
  http: Http,
  call: SoapCall,
): Promise<{ answer: XmlNode; elapsedMs: number; tempos: Reply['tempos']; text: () => string }> {
  const { source, url, namespace, operation, certificate, repeatable = true, deadlineMs } = call
  const action = `${namespace}/${operation}`
  const reply = await http.send({
    source,
    method: 'POST',
    url,
    headers: { 'content-type': `application/soap+xml; charset=utf-8; action="${action}"` },
    body: `<?xml version="1.0" encoding="utf-8"?><soap12:Envelope xmlns:soap12="${ENVELOPE}"><soap12:Body>${call.body}</soap12:Body></soap12:Envelope>`,
    deadlineMs,
    repeatable,
    certificate,
  })
  const { elapsedMs, tempos } = reply
  const document = readXml(reply)
  const answer = findFirst(document, [call.answer].flat())
  if (answer !== undefined && reply.status === 200) return { answer, elapsedMs, tempos, text: reply.text }
  const fault = findElement(document, 'Fault')
  throw fault === undefined ? notAnAnswer(reply, source) : refusedByFault(fault, reply, source)
}

function findFirst(document: XmlNode, names: readonly string[]): XmlNode {
  for (const name of names) {
    const found = findElement(document, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** An error status may come in any charset, and tells enough. */
function readXml({ status, headers, body, text }: Reply): XmlNode | undefined {
  if (String(headers['content-type'] ?? '').includes('html')) return undefined
  return parseXml(status === 200 ? text() : body.toString())
}

function isCut(text: string): boolean {
  const at = text.lastIndexOf('<')
  return (
    text.trim() === '' ||
    (/<[\w-]*:?Envelope[\s>]/.test(text) && !/^<\/[\w-]*:?Envelope/.test(text.slice(at)))
  )
}

function notAnAnswer(reply: Reply, source: Source): SourceError {
  const { status, elapsedMs } = reply
  const details = { source: source.id, elapsedMs, status, retryS: retryAfterOf(reply) }
  if (status === 403 || status === 429) {
    const message = `${source.nome} recusou a conexão (HTTP ${status}): o certificado apresentado ou o endereço de onde este serviço pergunta não foi aceito.`
    return new SourceError('blocked', message, details)
  }
  if (status === 200 && isCut(reply.text()))
    return new SourceError('parse', `${source.nome} enviou uma resposta que não chegou inteira.`, {
      ...details,
      retryS: OUTAGE_S,
    })
  if (status === 200)
    return new SourceError('parse', `${source.nome} respondeu algo que não é a resposta do serviço.`, details)
  return new SourceError('http', `${source.nome} respondeu com o erro HTTP ${status}.`, details)
}

const actionUnknown =
  /HTTP Header SOAPAction|without a valid action|ActionNotSupported|ContractFilter mismatch|action[^.]{0,40} not (?:recognized|supported)|EPR\) for the Operation not found/i

/** The service's own side failed: the same message may pass later (SOAP 1.2 Part 1, 5.4.6; 1.1, 4.4.1). */
const itsOwnSide = /(?:^|:)(?:Receiver|Server)(?:\.|$)/

/** The service's own answer: the same question helps only if the fault is not the sender's. */
function refusedByFault(fault: XmlNode, { elapsedMs, status }: Reply, source: Source): SourceError {
  const reason = textOf(findElement(fault, 'Reason'), 'Text') || textOf(fault, 'faultstring')
  const code = textOf(findElement(fault, 'Code'), 'Value') || textOf(fault, 'faultcode')
  const message = `${source.nome} não processou o pedido${reason && `: "${quoteOf(reason)}"`}.`
  const isAction = actionUnknown.test(reason)
  return new SourceError('http', message, {
    source: source.id,
    elapsedMs,
    status,
    unavailable: false,
    codigo: isAction ? 'soap-action' : undefined,
    retryS: itsOwnSide.test(code.trim()) && !isAction ? OUTAGE_S : null,
  })
}
