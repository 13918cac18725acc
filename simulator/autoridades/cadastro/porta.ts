import type { Chamador, Pedido } from '../../autoridade.ts'
import type { Mensagem } from '../mensagem.ts'
import { escreverPagina } from '../pagina.ts'
import { escreverFault, lerEnvelope, type VersaoSoap, versoesSoap } from '../soap.ts'
import type { Elemento } from '../xml.ts'
import { type Leitura, lerConsCad } from './pedido.ts'
import type { Servico } from './servico.ts'
import { ACAO, escreverWsdl, WSDL } from './wsdl.ts'

/** A request that came through: who asks what, and in which version of SOAP. Else what the server itself answers. */
export type Entrada = { chamador: Chamador; leitura: Leitura; soap: VersaoSoap } | { recusa: Mensagem }

/** What a server checks before the service proper sees a message: certificate, method, media type, envelope, action and wrapper. */
export function receber(servico: Servico, pedido: Pedido): Entrada {
  const { chamador } = pedido
  if (!chamador) return { recusa: exigirCertificado(servico) }
  const recusa = conferirMetodo(servico, pedido)
  if (recusa) return { recusa }
  const { tipo, charset, acao } = lerTipo(pedido.cabecalhos['content-type'])
  const soap = servico.entende.find((versao) => versoesSoap[versao].tipo === tipo)
  if (!soap) return { recusa: escreverPagina(415, '415 - Unsupported Media Type') }
  const xml = decodificar(pedido.corpo, charset)
  if (xml === undefined) return { chamador, soap, leitura: { cStat: 402, lido: {} } }
  const falhar = (motivo: string): Entrada => ({
    recusa: escreverFault({ ...servico.estilo, soap }, { culpa: 'cliente', motivo }),
  })
  const envelope = lerEnvelope(xml)
  if (envelope?.soap !== soap) return falhar('Unable to read request: there is an error in the XML document.')
  // The action is compulsory in 1.1 only (SOAP 1.1, 6.1.1; SOAP 1.2 part 2, appendix A).
  const pedida =
    soap === '1.1' ? String(pedido.cabecalhos.soapaction ?? '').replaceAll('"', '') : (acao ?? ACAO)
  if (pedida !== ACAO) return falhar(`Server did not recognize the value of the action: ${pedida}.`)
  if (!isDaOperacao(envelope.entrada)) return falhar('The operation was not found in the Body.')
  return { chamador, soap, leitura: lerDados(servico, xml, envelope.entrada) }
}

/** The page of IIS, and what a Java server behind Apache says. */
function exigirCertificado({ motor }: Servico): Mensagem {
  const iis = '403.7 - Forbidden: SSL client certificate is required.'
  return escreverPagina(403, motor === 'asp.net' ? iis : '403 Forbidden')
}

function conferirMetodo(servico: Servico, pedido: Pedido): Mensagem | undefined {
  if (pedido.metodo === 'POST') return undefined
  if (pedido.metodo !== 'GET') return naoPermitido()
  if (pedido.consulta.has('wsdl')) {
    const wsdl = escreverWsdl(servico)
    return {
      status: 200,
      cabecalhos: { 'content-type': 'text/xml; charset=utf-8' },
      corpo: Buffer.from(wsdl),
    }
  }
  return servico.motor === 'java'
    ? naoPermitido()
    : escreverPagina(200, 'CadConsultaCadastro4 Web Service', 'consultaCadastro')
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

function isDaOperacao({ nome, namespace }: Elemento): boolean {
  return namespace === WSDL && (nome === 'nfeDadosMsg' || nome === 'consultaCadastro')
}

/**
 * The message inside its wrapper. MT reads it only inside a second element, `nfeDadosMsg` again or one named after the operation
 * (both are in use by public clients), and answers 215 without it (reported on 2019-09-16).
 */
function lerDados({ embrulho }: Servico, xml: string, entrada: Elemento): Leitura {
  const [unico] = entrada.filhos
  const dentro = embrulho ? unico : entrada
  const certo = dentro?.nome === 'nfeDadosMsg' && isDaOperacao(dentro)
  if (!dentro || !certo || (embrulho && entrada.filhos.length > 1)) return { cStat: 215, lido: {} }
  return lerConsCad(xml.slice(dentro.conteudo.inicio, dentro.conteudo.fim), dentro.filhos)
}
