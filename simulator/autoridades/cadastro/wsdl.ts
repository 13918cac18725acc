import { versoesSoap } from '../soap.ts'
import type { Servico } from './servico.ts'

/** Namespace of the service (official WSDL of CadConsultaCadastro4). */
export const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/CadConsultaCadastro4'

/** The service's only operation, as SOAPAction and `action` name it. */
export const ACAO = `${WSDL}/consultaCadastro`

/** A shortened WSDL of the service: its operation and bindings, the messages as `any`. */
export function escreverWsdl({ producao, caminho, entende }: Servico): string {
  const ligacoes = entende.map((versao) => {
    const ns =
      versao === '1.2' ? 'http://schemas.xmlsoap.org/wsdl/soap12/' : 'http://schemas.xmlsoap.org/wsdl/soap/'
    const nome = `CadConsultaCadastro4Soap${versao === '1.2' ? '12' : ''}`
    return (
      `<wsdl:binding name="${nome}" type="tns:CadConsultaCadastro4Soap">` +
      `<s:binding xmlns:s="${ns}" transport="http://schemas.xmlsoap.org/soap/http"/>` +
      `<wsdl:operation name="consultaCadastro"><s:operation xmlns:s="${ns}" soapAction="${ACAO}" style="document"/></wsdl:operation>` +
      `</wsdl:binding><!-- ${versoesSoap[versao].tipo} https://${producao}${caminho} -->`
    )
  })
  return `<?xml version="1.0" encoding="utf-8"?><wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="${WSDL}" targetNamespace="${WSDL}">${ligacoes.join('')}</wsdl:definitions>`
}
