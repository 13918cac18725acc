import type { Chamador, Pedido } from './autoridade.ts'
import { escreverPagina } from './autoridades-pagina.ts'
import type { Mensagem } from './mensagem.ts'
import { type EstiloEnvelope, escreverFault, lerEnvelope, type VersaoSoap, versoesSoap } from './soap.ts'
import { acaoDe, type DescricaoSoap, escreverWsdl } from './wsdl.ts'
import { type Elemento, lerXml } from './xml.ts'

/** A SOAP service as the server in front of it knows it. */
export type ServicoSoap = DescricaoSoap & {
  /** The server's software. How ASP.NET (IIS) takes a message is known; how the Java servers do is not. */
  motor: 'asp.net' | 'java'
  /** Local names of the elements that a Body may hold, in the service's namespace. */
  entradas: readonly string[]
  /** How it writes its faults. */
  estilo: EstiloEnvelope
}

/**
 * A request that passed the server's checks: the caller, the SOAP version and the message. `lida` is left out
 * when the octets are not UTF-8 (rule 402).
 */
export type Entrada = {
  chamador: Chamador
  soap: VersaoSoap
  lida?: { xml: string; entrada: Elemento }
}

/**
 * Checks certificate, method, media type, XML, envelope and operation, and answers a refusal. The SOAP
 * version is the envelope's, whatever the media type says.
 */
export function receber(servico: ServicoSoap, pedido: Pedido): Entrada | { recusa: Mensagem } {
  const { chamador } = pedido
  if (!chamador) return { recusa: exigirCertificado(servico) }
  const recusa = conferirMetodo(servico, pedido)
  if (recusa) return { recusa }
  const { tipo, charset } = lerTipo(pedido.cabecalhos['content-type'])
  const soap = servico.entende.find((versao) => versoesSoap[versao].tipo === tipo)
  if (!soap) return { recusa: escreverPagina(415, '415 - Unsupported Media Type') }
  const xml = decodificar(pedido.corpo, charset)
  if (xml === undefined) return { chamador, soap }
  const raiz = lerXml(xml)
  if (!raiz && servico.motor === 'asp.net') return { recusa: MALFORMADO }
  const envelope = raiz && lerEnvelope(raiz)
  if (!envelope || !servico.entende.includes(envelope.soap))
    return { recusa: falhar(servico, soap, 'Unable to read request: there is an error in the XML document.') }
  const { entrada } = envelope
  if (!acharOperacao(servico, envelope, pedido.cabecalhos.soapaction))
    return {
      recusa: falhar(servico, envelope.soap, 'Unable to handle request. The action was not recognized.'),
    }
  return { chamador, soap: envelope.soap, lida: { xml, entrada } }
}

/** ASP.NET's answer to a body that is not well-formed. */
const MALFORMADO: Mensagem = { status: 400, cabecalhos: {}, corpo: Buffer.alloc(0) }

/** ASP.NET sends every fault with 500. */
function falhar({ motor, estilo }: ServicoSoap, soap: VersaoSoap, motivo: string): Mensagem {
  const fault = escreverFault({ ...estilo, soap }, { culpa: 'cliente', motivo })
  return motor === 'asp.net' ? { ...fault, status: 500 } : fault
}

/**
 * Whether the Body's element is one of the service's. Then an unknown action of SOAP 1.2, or a missing one of
 * 1.1, does not matter; that a wrong one of 1.1 is refused is assumed.
 */
function acharOperacao(
  servico: ServicoSoap,
  { soap, entrada }: { soap: VersaoSoap; entrada: Elemento },
  soapaction: unknown,
): boolean {
  const pedida = soap === '1.1' ? String(soapaction ?? '').replaceAll('"', '') : ''
  const conhecida = entrada.namespace === servico.wsdl && servico.entradas.includes(entrada.nome)
  return conhecida && ['', acaoDe(servico)].includes(pedida)
}

/** The page of IIS, and what a Java server behind Apache says. */
function exigirCertificado({ motor }: ServicoSoap): Mensagem {
  const iis = '403.7 - Forbidden: SSL client certificate is required.'
  return escreverPagina(403, motor === 'asp.net' ? iis : '403 Forbidden')
}

function conferirMetodo(servico: ServicoSoap, pedido: Pedido): Mensagem | undefined {
  if (pedido.metodo === 'POST') return undefined
  if (pedido.metodo !== 'GET') return naoPermitido()
  if (pedido.consulta.has('wsdl')) {
    return {
      status: 200,
      cabecalhos: { 'content-type': 'text/xml; charset=utf-8' },
      corpo: Buffer.from(escreverWsdl(servico)),
    }
  }
  return servico.motor === 'java'
    ? naoPermitido()
    : escreverPagina(200, `${servico.servico} Web Service`, servico.operacao)
}

function naoPermitido(): Mensagem {
  const pagina = escreverPagina(405, '405 - HTTP verb used to access this page is not allowed.')
  return { ...pagina, cabecalhos: { ...pagina.cabecalhos, allow: 'GET, POST' } }
}

function lerTipo(cabecalho = ''): { tipo: string; charset: string } {
  const [tipo = '', ...resto] = cabecalho.split(';').map((parte) => parte.trim())
  const parametros = new Map(
    resto.map((parte): [string, string] => {
      const [nome = '', ...valor] = parte.split('=')
      return [nome.toLowerCase(), valor.join('=').replaceAll('"', '')]
    }),
  )
  const charset = parametros.get('charset')?.toLowerCase() ?? 'utf-8'
  return { tipo: tipo.toLowerCase(), charset }
}

/** Rule 402: header, XML declaration and bytes must all be UTF-8. */
function decodificar(corpo: Buffer, charset: string): string | undefined {
  const [, declarado = 'utf-8'] =
    /^(?:\xEF\xBB\xBF)?<\?xml[^?]*encoding=["']([^"']*)/.exec(corpo.toString('latin1', 0, 200)) ?? []
  if (charset !== 'utf-8' || declarado.toLowerCase() !== 'utf-8') return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(corpo)
  } catch {
    return undefined
  }
}
