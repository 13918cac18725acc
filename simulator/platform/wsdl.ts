import { type VersaoSoap, versoesSoap } from './soap.ts'

/** A service as its WSDL names it. */
export type DescricaoSoap = {
  /** `CadConsultaCadastro4`. */
  servico: string
  /** Target namespace of its WSDL. */
  wsdl: string
  /** Its only operation. */
  operacao: string
  /** Full address. */
  endereco: string
  entende: readonly VersaoSoap[]
}

/** The operation, as SOAPAction and `action` name it: the namespace, a slash, the name (official WSDLs). */
export function acaoDe({ wsdl, operacao }: Pick<DescricaoSoap, 'wsdl' | 'operacao'>): string {
  return `${wsdl}/${operacao}`
}

/** A shortened WSDL of a service: its operation and bindings, the messages as `any`. */
export function escreverWsdl(descricao: DescricaoSoap): string {
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
