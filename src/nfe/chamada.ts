import { SourceError } from '../platform/wire/fonte.ts'
import { callSoap } from '../platform/wire/soap.ts'
import { textOf, type XmlNode } from '../platform/wire/xml.ts'
import { recusaDoCertificado } from './certificado-recusado.ts'
import type { FonteNfe } from './fonte.ts'
import type { MeiosNfe } from './meios.ts'
import type { CodigoSefaz } from './nfe.ts'

export const NFE = 'http://www.portalfiscal.inf.br/nfe'

/** The length of TMotivo (tiposBasico_v4.00.xsd). */
const MAX_XMOTIVO = 255

/** A call of a web service of the national environment. */
export type Chamada = {
  fonte: FonteNfe
  /** The last part of its WSDL's namespace. */
  servico: string
  operation: string
  body: string
  /** The local name of the answer's element. */
  answer: string
}

/** An answer. `naoServe` makes its failure from a Portuguese predicate: `respondeu sobre outra nota`. */
export type RespostaNacional = { answer: XmlNode; naoServe: (why: string) => SourceError }

/**
 * Makes the call with the client's certificate. Throws SourceError (recusaDoCertificado if the certificate is
 * refused).
 */
export async function callNacional(
  { http, ambiente, deadlineMs }: MeiosNfe,
  { fonte, servico, operation, body, answer }: Chamada,
): Promise<RespostaNacional> {
  const { source, enderecos } = fonte
  const namespace = `${NFE}/wsdl/${servico}`
  const call = {
    source,
    url: enderecos[ambiente],
    namespace,
    operation,
    body,
    answer,
    // The authority counts a repeated query twice, and an event may be registered although its answer was
    // lost.
    repeatable: false,
    deadlineMs,
  }
  try {
    const { answer: found, elapsedMs } = await callSoap(http, call)
    const naoServe = (why: string): SourceError =>
      new SourceError('parse', `${source.nome} ${why}.`, { source: source.id, elapsedMs })
    return { answer: found, naoServe }
  } catch (error) {
    throw recusaDoCertificado(error, source) ?? error
  }
}

/** Reads the code of an element, with its words. Throws SourceError `parse` if there is none. */
export function readCodigo(element: XmlNode, { naoServe }: RespostaNacional): CodigoSefaz {
  const cStat = textOf(element, 'cStat')
  if (!/^\d{3,4}$/.test(cStat)) throw naoServe('respondeu sem o código do resultado (cStat)')
  return { cStat, xMotivo: textOf(element, 'xMotivo').slice(0, MAX_XMOTIVO) }
}
