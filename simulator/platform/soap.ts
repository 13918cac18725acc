import type { Mensagem } from './mensagem.ts'
import { type Elemento, escapar } from './xml.ts'

/**
 * The two SOAP versions: their envelope namespace and media type (W3C SOAP 1.1, section 6.1.1; SOAP 1.2 part
 * 2, appendix A).
 */
export const versoesSoap = {
  '1.1': { envelope: 'http://schemas.xmlsoap.org/soap/envelope/', tipo: 'text/xml' },
  '1.2': { envelope: 'http://www.w3.org/2003/05/soap-envelope', tipo: 'application/soap+xml' },
} as const

export type VersaoSoap = keyof typeof versoesSoap

/** How an authority writes an envelope. */
export type EstiloEnvelope = {
  soap: VersaoSoap
  /** Prefix of the envelope's own elements. */
  prefixo: string
  /** The XML declaration, or ''. */
  declaracao: string
  /** The envelope declares `xsi` and `xsd`, as ASP.NET's does. */
  esquemas: boolean
}

const ESQUEMAS =
  ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'

/**
 * Reads the envelope of a request: its version and the content of its Body. Undefined unless it is a SOAP
 * envelope with one body entry.
 */
export function lerEnvelope(raiz: Elemento): { soap: VersaoSoap; entrada: Elemento } | undefined {
  if (raiz.nome !== 'Envelope') return undefined
  const soap = raiz.namespace === versoesSoap['1.2'].envelope ? '1.2' : '1.1'
  const corpo = raiz.filhos.find(({ nome }) => nome === 'Body')
  const entrada = corpo?.filhos.length === 1 ? corpo.filhos[0] : undefined
  const mesmos = raiz.namespace === versoesSoap[soap].envelope && corpo?.namespace === raiz.namespace
  return entrada && mesmos ? { soap, entrada } : undefined
}

/** Puts a body entry in an envelope of that style. */
export function escreverEnvelope(estilo: EstiloEnvelope, entrada: string): string {
  const { soap, prefixo, declaracao, esquemas } = estilo
  const { envelope } = versoesSoap[soap]
  return (
    `${declaracao}<${prefixo}:Envelope xmlns:${prefixo}="${envelope}"${esquemas ? ESQUEMAS : ''}>` +
    `<${prefixo}:Body>${entrada}</${prefixo}:Body></${prefixo}:Envelope>`
  )
}

/**
 * A SOAP Fault with its HTTP status: Sender faults of 1.2 go with 400, every other with 500 (SOAP 1.2 part 2,
 * table 20; SOAP 1.1, 6.2).
 */
export function escreverFault(
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
      ? `<${prefixo}:Fault><faultcode>${prefixo}:${codigo}</faultcode><faultstring>${escapar(motivo)}</faultstring></${prefixo}:Fault>`
      : `<${prefixo}:Fault><${prefixo}:Code><${prefixo}:Value>${prefixo}:${codigo}</${prefixo}:Value></${prefixo}:Code>` +
        `<${prefixo}:Reason><${prefixo}:Text xml:lang="pt-BR">${escapar(motivo)}</${prefixo}:Text></${prefixo}:Reason></${prefixo}:Fault>`
  return {
    status: codigo === 'Sender' ? 400 : 500,
    cabecalhos: { 'content-type': `${versoesSoap[soap].tipo}; charset=utf-8` },
    corpo: Buffer.from(escreverEnvelope(estilo, entrada)),
  }
}
