export const NFE = 'http://www.portalfiscal.inf.br/nfe'
export const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/CadConsultaCadastro4'

const envelopes = {
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
}

/** A ConsCad 2.00 that asks about one number. */
export function consCad(uf: string, field: 'CNPJ' | 'CPF' | 'IE', value: string): string {
  return (
    `<ConsCad xmlns="${NFE}" versao="2.00"><infCons><xServ>CONS-CAD</xServ><UF>${uf}</UF>` +
    `<${field}>${value}</${field}></infCons></ConsCad>`
  )
}

/** Any content in an envelope. `wrapper` opens and closes around it. */
export function envelope(content: string, soap: '1.1' | '1.2' = '1.2'): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="${envelopes[soap]}"><e:Body>` +
    `${content}</e:Body></e:Envelope>`
  )
}

/** A message as a client of that state sends it. */
export function wrap(uf: string, message: string): string {
  const data = `<nfeDadosMsg xmlns="${WSDL}">${message}</nfeDadosMsg>`
  return envelope(uf === 'MT' ? `<nfeDadosMsg xmlns="${WSDL}">${data}</nfeDadosMsg>` : data)
}

export const SOAP12 = { 'content-type': 'application/soap+xml; charset=utf-8' }
export const SOAP11 = { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${WSDL}/consultaCadastro"` }
