import type { Source } from '../../domain/fonte/source.ts'
import { SourceError } from '../../domain/fonte/source-error.ts'
import type { Autorizador, Doc } from '../../domain/sefaz/autorizadores.ts'
import type { LeituraSefaz, Resultado } from '../../domain/sefaz/leitura.ts'
import { quoteOf } from '../../domain/texto/citacao.ts'
import { type Uf, unidades } from '../../domain/uf.ts'
import { callSoap } from '../soap/soap.ts'
import { textOf, type XmlNode } from '../soap/xml.ts'
import type { ClientCertificate } from '../transport/dial.ts'
import type { Http } from '../transport/http.ts'
import { enderecos } from './enderecos.ts'

/** What a probe needs. */
export type MeiosDaSonda = {
  http: Http
  certificado: ClientCertificate
  ambiente: 'producao' | 'homologacao'
  limiteMs: number
}

/** What the authorizer said of its service. */
export type StatusDoServico = { cStat: number; xMotivo: string; elapsedMs: number }

type Mensagem = {
  wsdl: string
  operation: string
  dados: string
  pedido: string
  xmlns: string
  answer: string
}

const nfe: Mensagem = {
  wsdl: 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeStatusServico4',
  operation: 'nfeStatusServicoNF',
  dados: 'nfeDadosMsg',
  pedido: 'consStatServ',
  xmlns: 'http://www.portalfiscal.inf.br/nfe',
  answer: 'retConsStatServ',
}

const mensagens: Readonly<Record<Doc, Mensagem>> = {
  nfe,
  // The model is the address's.
  nfce: nfe,
  cte: {
    wsdl: 'http://www.portalfiscal.inf.br/cte/wsdl/CTeStatusServicoV4',
    operation: 'cteStatusServicoCT',
    dados: 'cteDadosMsg',
    pedido: 'consStatServCTe',
    xmlns: 'http://www.portalfiscal.inf.br/cte',
    answer: 'retConsStatServCTe',
  },
}

/**
 * Asks one authorizer about its service, naming a state (`consStatServ` 4.00, leiauteConsStatServ_v4.00.xsd;
 * CT-e: consStatServTiposBasico_v4.00.xsd). Throws SourceError where there is no answer of the service.
 */
export async function consultarStatus(
  { id, doc, nome }: Pick<Autorizador, 'id' | 'doc' | 'nome'>,
  uf: Uf,
  { http, certificado, ambiente, limiteMs }: MeiosDaSonda,
): Promise<StatusDoServico> {
  const { wsdl, operation, dados, pedido, xmlns, answer } = mensagens[doc]
  const tpAmb = ambiente === 'producao' ? 1 : 2
  const message = `<${pedido} xmlns="${xmlns}" versao="4.00"><tpAmb>${tpAmb}</tpAmb><cUF>${unidades[uf].codigo}</cUF><xServ>STATUS</xServ></${pedido}>`
  const source: Source = { id: `BR/status/${id}`, nome }
  const reply = await callSoap(http, {
    source,
    url: `https://${enderecoOf(id)[ambiente]}`,
    namespace: wsdl,
    operation,
    body: `<${dados} xmlns="${wsdl}">${message}</${dados}>`,
    answer,
    certificate: certificado,
    deadlineMs: limiteMs,
  })
  return readStatus(reply.answer, source, reply.elapsedMs)
}

function enderecoOf(id: string): { producao: string; homologacao: string } {
  const found = enderecos[id]
  if (!found) throw new Error(`${id} has no address`)
  return found
}

function readStatus(answer: XmlNode, source: Source, elapsedMs: number): StatusDoServico {
  const cStat = textOf(answer, 'cStat')
  // The current schema allows three or four digits.
  if (!/^\d{3,4}$/.test(cStat))
    throw new SourceError('parse', `${source.nome} não disse o código do serviço.`, {
      source: source.id,
      elapsedMs,
    })
  return { cStat: Number(cStat), xMotivo: quoteOf(textOf(answer, 'xMotivo')), elapsedMs }
}

/** The service is in operation. Every other code is an error: 108, 109, 113, 114, 656, a refusal. */
const EM_OPERACAO = 107

/** Makes a reading of what a probe met. Only SourceErrors are failures of the authority. */
export async function sondar(
  autorizador: Autorizador,
  em: number,
  meios: MeiosDaSonda,
): Promise<LeituraSefaz> {
  const [uf] = autorizador.ufs
  if (!uf) throw new Error(`${autorizador.id} serves no state`)
  const reading = (resultado: Resultado, rest: Partial<LeituraSefaz>): LeituraSefaz => ({
    autorizador: autorizador.id,
    em,
    resultado,
    conexaoMs: null,
    tlsMs: null,
    respostaMs: null,
    cStat: null,
    motivo: '',
    desmentida: null,
    ...rest,
  })
  try {
    const { cStat, xMotivo, elapsedMs } = await consultarStatus(autorizador, uf, meios)
    const isUp = cStat === EM_OPERACAO
    return reading(isUp ? 'resposta' : 'erro', {
      respostaMs: elapsedMs,
      cStat,
      motivo: isUp ? '' : xMotivo || `cStat ${cStat}`,
    })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return reading(error.kind === 'timeout' ? 'timeout' : 'erro', { motivo: error.message })
  }
}
