import { codeOf, type Source, SourceError } from '../platform/wire/fonte.ts'
import type { Http } from '../platform/wire/http.ts'
import { callSoap, textOf, type XmlNode } from '../platform/wire/xml.ts'
import type { Rota } from '../portal/estado.ts'
import type { CodigoSefaz } from './rules.ts'

export type AmbienteNfe = 'producao' | 'homologacao'

export type MeiosNfe = {
  /** The call's own door, which presents the client's certificate in each request. */
  http: Http
  ambiente: AmbienteNfe
  now: () => Date
  deadlineMs: number
}

/** `tpAmb` (TAmb, tiposBasico_v4.00.xsd). */
export const tpAmbOf = (ambiente: AmbienteNfe): '1' | '2' => (ambiente === 'producao' ? '1' : '2')

export type FonteNfe = Pick<Rota, 'familia' | 'source' | 'certeza' | 'origem' | 'em' | 'nota'> & {
  enderecos: Readonly<Record<AmbienteNfe, string>>
}

const NOME = 'O Ambiente Nacional da NF-e'
const LISTA = 'Portal Nacional da NF-e, lista de web services'

export const fontesNfe = {
  distribuicao: {
    familia: 'nfe-distribuicao',
    source: { id: 'AN/distribuicao', nome: NOME },
    enderecos: {
      producao: 'https://www1.nfe.fazenda.gov.br/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
      homologacao: 'https://hom1.nfe.fazenda.gov.br/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
    },
    certeza: 'verificado',
    origem: LISTA,
    em: '2026-06-23',
    nota: 'NFeDistribuicaoDFe, por chave. Aceita 20 consultas por hora de cada CNPJ ou CPF, contadas com as dos outros programas da empresa; acima disso, bloqueia por 1 hora, que recomeça a cada nova tentativa.',
  },
  eventos: {
    familia: 'nfe-evento',
    source: { id: 'AN/eventos', nome: NOME },
    enderecos: {
      producao: 'https://www.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
      homologacao: 'https://hom1.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
    },
    certeza: 'verificado',
    origem: LISTA,
    em: '2026-06-23',
    nota: 'NFeRecepcaoEvento4, manifestação do destinatário. Clientes abertos também usam o host www1.',
  },
  portal: {
    familia: 'nfe-portal',
    source: { id: 'AN/portal', nome: 'O portal nacional da NF-e' },
    enderecos: {
      producao: 'https://www.nfe.fazenda.gov.br/portal/',
      homologacao: 'https://hom.nfe.fazenda.gov.br/portal/',
    },
    certeza: 'verificado',
    origem: 'código aberto de download',
    em: '2026',
    nota: 'Pede hCaptcha em toda consulta e o certificado só no download. O endereço de homologação e os textos das recusas, menos o de quem não participa da nota, são de memória.',
  },
} satisfies Record<string, FonteNfe>

/** OpenSSL's names: in the handshake of TLS 1.2, in place of the answer in TLS 1.3, for weak keys. */
const REFUSALS =
  /^ERR_.*(?:ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)|(?:EE|CA)_KEY_TOO_SMALL|MD_TOO_WEAK)/

const isRefusal = (code: string): code is `ERR_${string}` => REFUSALS.test(code)

/** `blocked`, and no outage: another client's certificate may pass. */
export function recusaDoCertificado(error: unknown, source: Source): SourceError | undefined {
  if (!(error instanceof SourceError)) return undefined
  const { status, elapsedMs, cause } = error
  const tls = codeOf(cause)
  if (status === 403) return certificadoRecusado(source, { elapsedMs, status, cause: error })
  return isRefusal(tls) ? certificadoRecusado(source, { elapsedMs, codigo: tls, cause }) : undefined
}

type Recusa = { elapsedMs: number; cause: unknown } & ({ status: number } | { codigo: `ERR_${string}` })

function certificadoRecusado(source: Source, recusa: Recusa): SourceError {
  const how = 'status' in recusa ? `com o erro HTTP ${recusa.status}` : 'na conexão segura'
  const message = `${source.nome} recusou o certificado enviado na requisição (${how}). Confira se é um e-CNPJ ou e-CPF da ICP-Brasil, em vigor e não revogado.`
  return new SourceError('blocked', message, { source: source.id, unavailable: false, ...recusa })
}

export const NFE = 'http://www.portalfiscal.inf.br/nfe'

const MAX_XMOTIVO = 255

export type Chamada = {
  fonte: FonteNfe
  /** The last part of its WSDL's namespace. */
  servico: string
  operation: string
  body: string
  answer: string
}

/** An answer. `naoServe` makes its failure from a Portuguese predicate: `respondeu sobre outra nota`. */
export type RespostaNacional = { answer: XmlNode; naoServe: (why: string) => SourceError }

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
    // The authority counts a repeated query twice, and an event may stand although its answer was lost.
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
