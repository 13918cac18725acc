import type { Chamador, Pedido } from '../autoridade.ts'
import type { Mensagem } from './mensagem.ts'
import { escreverPagina } from './pagina.ts'
import { type EstiloEnvelope, escreverFault, lerEnvelope, type VersaoSoap, versoesSoap } from './soap.ts'
import { acaoDe, type DescricaoSoap, escreverWsdl } from './wsdl.ts'
import type { Elemento } from './xml.ts'

/** A SOAP service as the server in front of it knows it. */
export type ServicoSoap = DescricaoSoap & {
  /** What it runs on: ASP.NET (IIS) has its own error pages. */
  motor: 'asp.net' | 'java'
  /** Local names of what a Body may hold, in the service's namespace. */
  entradas: readonly string[]
  /** How it writes its faults. */
  estilo: EstiloEnvelope
}

/** A request that came through: who asks, in which version of SOAP, and the message; `lida` is left out when its octets are no UTF-8 (rule 402). */
export type Entrada = {
  chamador: Chamador
  soap: VersaoSoap
  lida?: { xml: string; entrada: Elemento }
}

/**
 * What a server checks before the service proper sees a message: certificate, method, media type, envelope, action and wrapper.
 * What it refuses it answers itself.
 */
export function receber(servico: ServicoSoap, pedido: Pedido): Entrada | { recusa: Mensagem } {
  const { chamador } = pedido
  if (!chamador) return { recusa: exigirCertificado(servico) }
  const recusa = conferirMetodo(servico, pedido)
  if (recusa) return { recusa }
  const { tipo, charset, acao } = lerTipo(pedido.cabecalhos['content-type'])
  const soap = servico.entende.find((versao) => versoesSoap[versao].tipo === tipo)
  if (!soap) return { recusa: escreverPagina(415, '415 - Unsupported Media Type') }
  const xml = decodificar(pedido.corpo, charset)
  if (xml === undefined) return { chamador, soap }
  const falhar = (motivo: string) => ({
    recusa: escreverFault({ ...servico.estilo, soap }, { culpa: 'cliente', motivo }),
  })
  const envelope = lerEnvelope(xml)
  if (envelope?.soap !== soap) return falhar('Unable to read request: there is an error in the XML document.')
  const certa = acaoDe(servico)
  // The action is compulsory in 1.1 only (SOAP 1.1, 6.1.1; SOAP 1.2 part 2, appendix A).
  const pedida =
    soap === '1.1' ? String(pedido.cabecalhos.soapaction ?? '').replaceAll('"', '') : (acao ?? certa)
  if (pedida !== certa) return falhar(`Server did not recognize the value of the action: ${pedida}.`)
  const { entrada } = envelope
  if (entrada.namespace !== servico.wsdl || !servico.entradas.includes(entrada.nome))
    return falhar('The operation was not found in the Body.')
  return { chamador, soap, lida: { xml, entrada } }
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

function lerTipo(cabecalho = ''): { tipo: string; charset: string; acao: string | undefined } {
  const [tipo = '', ...resto] = cabecalho.split(';').map((parte) => parte.trim())
  const parametros = new Map(
    resto.map((parte): [string, string] => {
      const [nome = '', ...valor] = parte.split('=')
      return [nome.toLowerCase(), valor.join('=').replaceAll('"', '')]
    }),
  )
  const charset = parametros.get('charset')?.toLowerCase() ?? 'utf-8'
  return { tipo: tipo.toLowerCase(), charset, acao: parametros.get('action') }
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
