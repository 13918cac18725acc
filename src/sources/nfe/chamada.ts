import { SourceError } from '../../domain/fonte/source-error.ts'
import type { CodigoSefaz } from '../../domain/nfe/nfe.ts'
import { callSoap } from '../soap/soap.ts'
import { textOf, type XmlNode } from '../soap/xml.ts'
import { recusaDoCertificado } from './certificado-recusado.ts'
import type { FonteNfe } from './fonte.ts'
import type { MeiosNfe } from './meios.ts'

export const NFE = 'http://www.portalfiscal.inf.br/nfe'

/** TMotivo, tiposBasico_v4.00.xsd. */
const MAX_XMOTIVO = 255

/** One call of a web service of the national environment. */
export type Chamada = {
  fonte: FonteNfe
  /** The last part of its WSDL's namespace. */
  servico: string
  operation: string
  body: string
  /** Local name of the element that answers. */
  answer: string
}

/** An answer, with how to say that it is not what it should be: a Portuguese predicate, `respondeu sobre outra nota`. */
export type RespostaNacional = { answer: XmlNode; naoServe: (why: string) => SourceError }

/** Makes the call with the client's certificate. Throws SourceError; see recusaDoCertificado for one that is refused. */
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
    // A query sent twice is counted twice there, and an event may stand although its answer was lost.
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

/** The code in an element, with the words that came with it. Throws SourceError `parse` where there is none. */
export function readCodigo(element: XmlNode, { naoServe }: RespostaNacional): CodigoSefaz {
  const cStat = textOf(element, 'cStat')
  if (!/^\d{3,4}$/.test(cStat)) throw naoServe('respondeu sem o código do resultado (cStat)')
  return { cStat, xMotivo: textOf(element, 'xMotivo').slice(0, MAX_XMOTIVO) }
}
