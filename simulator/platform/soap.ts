import type { Chamador, Mensagem, Pedido } from './autoridade.ts'
import { type Elemento, escapeXml, NFE, readXml, walk } from './xml.ts'

/** Envelope namespace and media type (SOAP 1.1, 6.1.1; SOAP 1.2 part 2, appendix A). */
export const versoesSoap = {
  '1.1': { envelope: 'http://schemas.xmlsoap.org/soap/envelope/', tipo: 'text/xml' },
  '1.2': { envelope: 'http://www.w3.org/2003/05/soap-envelope', tipo: 'application/soap+xml' },
} as const

export type VersaoSoap = keyof typeof versoesSoap

export type EstiloEnvelope = {
  soap: VersaoSoap
  prefixo: string
  declaracao: string
  /** The envelope declares `xsi` and `xsd`, as ASP.NET's does. */
  esquemas: boolean
}

const ESQUEMAS =
  ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'

/** The version and the one entry of the Body; undefined unless it is a SOAP envelope. */
function readEnvelope(raiz: Elemento): { soap: VersaoSoap; entrada: Elemento } | undefined {
  if (raiz.nome !== 'Envelope') return undefined
  const soap = raiz.namespace === versoesSoap['1.2'].envelope ? '1.2' : '1.1'
  const corpo = raiz.filhos.find(({ nome }) => nome === 'Body')
  const entrada = corpo?.filhos.length === 1 ? corpo.filhos[0] : undefined
  const mesmos = raiz.namespace === versoesSoap[soap].envelope && corpo?.namespace === raiz.namespace
  return entrada && mesmos ? { soap, entrada } : undefined
}

export function writeEnvelope(estilo: EstiloEnvelope, entrada: string): string {
  const { soap, prefixo, declaracao, esquemas } = estilo
  const { envelope } = versoesSoap[soap]
  return (
    `${declaracao}<${prefixo}:Envelope xmlns:${prefixo}="${envelope}"${esquemas ? ESQUEMAS : ''}>` +
    `<${prefixo}:Body>${entrada}</${prefixo}:Body></${prefixo}:Envelope>`
  )
}

/** Sender faults of SOAP 1.2 go with 400, every other with 500 (part 2, table 20; SOAP 1.1, 6.2). */
export function writeFault(
  estilo: EstiloEnvelope,
  { culpa, motivo }: { culpa: 'cliente' | 'servidor'; motivo: string },
): Mensagem {
  const { soap, prefixo } = estilo
  const codigo = {
    '1.1': { cliente: 'Client', servidor: 'Server' },
    '1.2': { cliente: 'Sender', servidor: 'Receiver' },
  }[soap][culpa]
  const entrada =
    soap === '1.1'
      ? `<${prefixo}:Fault><faultcode>${prefixo}:${codigo}</faultcode><faultstring>${escapeXml(motivo)}</faultstring></${prefixo}:Fault>`
      : `<${prefixo}:Fault><${prefixo}:Code><${prefixo}:Value>${prefixo}:${codigo}</${prefixo}:Value></${prefixo}:Code>` +
        `<${prefixo}:Reason><${prefixo}:Text xml:lang="pt-BR">${escapeXml(motivo)}</${prefixo}:Text></${prefixo}:Reason></${prefixo}:Fault>`
  return {
    status: codigo === 'Sender' ? 400 : 500,
    cabecalhos: { 'content-type': `${versoesSoap[soap].tipo}; charset=utf-8` },
    corpo: Buffer.from(writeEnvelope(estilo, entrada)),
  }
}

type DescricaoSoap = {
  servico: string
  wsdl: string
  operacao: string
  endereco: string
  entende: readonly VersaoSoap[]
}

/** The operation, as SOAPAction and `action` name it: the namespace, a slash, the name (official WSDLs). */
const acaoDe = ({ wsdl, operacao }: Pick<DescricaoSoap, 'wsdl' | 'operacao'>): string => `${wsdl}/${operacao}`

function writeWsdl(descricao: DescricaoSoap): string {
  const { servico, wsdl, operacao, endereco, entende } = descricao
  const ligacoes = entende.map((versao) => {
    const ns =
      versao === '1.2' ? 'http://schemas.xmlsoap.org/wsdl/soap12/' : 'http://schemas.xmlsoap.org/wsdl/soap/'
    const nome = `${servico}Soap${versao === '1.2' ? '12' : ''}`
    return (
      `<wsdl:binding name="${nome}" type="tns:${servico}Soap">` +
      `<s:binding xmlns:s="${ns}" transport="http://schemas.xmlsoap.org/soap/http"/>` +
      `<wsdl:operation name="${operacao}"><s:operation xmlns:s="${ns}" soapAction="${acaoDe(descricao)}" style="document"/></wsdl:operation>` +
      `</wsdl:binding><!-- ${versoesSoap[versao].tipo} ${endereco} -->`
    )
  })
  return `<?xml version="1.0" encoding="utf-8"?><wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="${wsdl}" targetNamespace="${wsdl}">${ligacoes.join('')}</wsdl:definitions>`
}

/** An HTML page as a server of an authority shows it for an error or a notice. */
export function writePagina(status: number, titulo: string, texto = titulo): Mensagem {
  const [t, p] = [escapeXml(titulo), escapeXml(texto)]
  return {
    status,
    cabecalhos: { 'content-type': 'text/html; charset=utf-8' },
    corpo: Buffer.from(
      `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\r\n` +
        `<html xmlns="http://www.w3.org/1999/xhtml">\r\n<head><title>${t}</title></head>\r\n` +
        `<body><div id="content"><h2>${t}</h2><h3>${p}</h3></div></body>\r\n</html>\r\n`,
    ),
  }
}

export type ServicoSoap = DescricaoSoap & {
  /** The server's software. How ASP.NET (IIS) takes a message is known; how the Java servers do is not. */
  motor: 'asp.net' | 'java'
  entradas: readonly string[]
  estilo: EstiloEnvelope
}

/** A request that passed the server's checks. `lida` is left out when the octets are not UTF-8 (rule 402). */
export type Entrada = {
  chamador: Chamador
  soap: VersaoSoap
  lida?: { xml: string; entrada: Elemento }
}

/** Checks what comes before the rules. The SOAP version is the envelope's. */
export function receiveSoap(servico: ServicoSoap, pedido: Pedido): Entrada | { recusa: Mensagem } {
  const { chamador } = pedido
  if (!chamador) return { recusa: requireCertificado(servico) }
  const recusa = checkMetodo(servico, pedido)
  if (recusa) return { recusa }
  const { tipo, charset } = readTipo(pedido.cabecalhos['content-type'])
  const soap = servico.entende.find((versao) => versoesSoap[versao].tipo === tipo)
  if (!soap) return { recusa: writePagina(415, '415 - Unsupported Media Type') }
  const xml = decode(pedido.corpo, charset)
  if (xml === undefined) return { chamador, soap }
  const raiz = readXml(xml)
  if (!raiz && servico.motor === 'asp.net') return { recusa: MALFORMADO }
  const envelope = raiz && readEnvelope(raiz)
  if (!envelope || !servico.entende.includes(envelope.soap))
    return { recusa: fail(servico, soap, 'Unable to read request: there is an error in the XML document.') }
  const { entrada } = envelope
  if (!findOperacao(servico, envelope, pedido.cabecalhos.soapaction))
    return {
      recusa: fail(servico, envelope.soap, 'Unable to handle request. The action was not recognized.'),
    }
  return { chamador, soap: envelope.soap, lida: { xml, entrada } }
}

/** ASP.NET's answer to a body that is not well-formed. */
const MALFORMADO: Mensagem = { status: 400, cabecalhos: {}, corpo: Buffer.alloc(0) }

/** ASP.NET sends every fault with 500. */
function fail({ motor, estilo }: ServicoSoap, soap: VersaoSoap, motivo: string): Mensagem {
  const fault = writeFault({ ...estilo, soap }, { culpa: 'cliente', motivo })
  return motor === 'asp.net' ? { ...fault, status: 500 } : fault
}

/**
 * The Body's element decides. A wrong action of SOAP 1.1 is refused by assumption; one of 1.2 does not
 * matter.
 */
function findOperacao(
  servico: ServicoSoap,
  { soap, entrada }: { soap: VersaoSoap; entrada: Elemento },
  soapaction: unknown,
): boolean {
  const pedida = soap === '1.1' ? String(soapaction ?? '').replaceAll('"', '') : ''
  const conhecida = entrada.namespace === servico.wsdl && servico.entradas.includes(entrada.nome)
  return conhecida && ['', acaoDe(servico)].includes(pedida)
}

/** The page of IIS, and what a Java server behind Apache says. */
function requireCertificado({ motor }: ServicoSoap): Mensagem {
  const iis = '403.7 - Forbidden: SSL client certificate is required.'
  return writePagina(403, motor === 'asp.net' ? iis : '403 Forbidden')
}

function checkMetodo(servico: ServicoSoap, pedido: Pedido): Mensagem | undefined {
  if (pedido.metodo === 'POST') return undefined
  if (pedido.metodo !== 'GET') return naoPermitido()
  if (pedido.consulta.has('wsdl')) {
    return {
      status: 200,
      cabecalhos: { 'content-type': 'text/xml; charset=utf-8' },
      corpo: Buffer.from(writeWsdl(servico)),
    }
  }
  return servico.motor === 'java'
    ? naoPermitido()
    : writePagina(200, `${servico.servico} Web Service`, servico.operacao)
}

function naoPermitido(): Mensagem {
  const pagina = writePagina(405, '405 - HTTP verb used to access this page is not allowed.')
  return { ...pagina, cabecalhos: { ...pagina.cabecalhos, allow: 'GET, POST' } }
}

function readTipo(cabecalho = ''): { tipo: string; charset: string } {
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
function decode(corpo: Buffer, charset: string): string | undefined {
  const [, declarado = 'utf-8'] =
    /^(?:\xEF\xBB\xBF)?<\?xml[^?]*encoding=["']([^"']*)/.exec(corpo.toString('latin1', 0, 200)) ?? []
  if (charset !== 'utf-8' || declarado.toLowerCase() !== 'utf-8') return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(corpo)
  } catch {
    return undefined
  }
}

/** Namespace of signatures (xmldsig-core-schema_v1.01.xsd). */
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

/** Rules 404, 587 and 588 about the text as it was sent (MOC 7.0, "Validação da Área de Dados"). */
export function checkTexto(area: string, elementos: readonly Elemento[]): number | undefined {
  const todos = elementos.flatMap(walk)
  if (todos.some(({ prefixo }) => prefixo)) return 404
  const declara = todos.some(({ atributos }) =>
    Object.keys(atributos).some((nome) => nome.startsWith('xmlns:')),
  )
  if (declara || !elementos.every((elemento) => hasNamespace(elemento, NFE))) return 587
  return /^\s|>\s+<|\s$/.test(area) ? 588 : undefined
}

function hasNamespace(elemento: Elemento, herdado: string): boolean {
  const seu = elemento.nome === 'Signature' ? DSIG : herdado
  return elemento.namespace === seu && elemento.filhos.every((filho) => hasNamespace(filho, seu))
}

export const atributosDe = ({ atributos }: Elemento): string[] =>
  Object.keys(atributos).filter((nome) => !/^xmlns(?::|$)/.test(nome))

export const isFolha = (elemento: Elemento): boolean =>
  elemento.filhos.length === 0 && atributosDe(elemento).length === 0

export const semTexto = ({ texto }: Elemento): boolean => texto.trim() === ''
