import type { Authorities, Reply } from './simulator-authority.ts'

/** The addresses that the tests ask. */
export const SVRS = { host: 'nfe.svrs.rs.gov.br', path: '/ws/NfeStatusServico/NfeStatusServico4.asmx' }
export const SVAN = {
  host: 'www.sefazvirtual.fazenda.gov.br',
  path: '/NFeStatusServico4/NFeStatusServico4.asmx',
}
export const PE = { host: 'nfe.sefaz.pe.gov.br', path: '/nfe-service/services/NFeStatusServico4' }
export const GO = { host: 'nfe.sefaz.go.gov.br', path: '/nfe/services/NFeStatusServico4' }
export const SP = { host: 'nfe.fazenda.sp.gov.br', path: '/ws/nfestatusservico4.asmx' }
export const CTE_SVRS = {
  host: 'cte.svrs.rs.gov.br',
  path: '/ws/CTeStatusServicoV4/CTeStatusServicoV4.asmx',
}
export const CTE_SVSP = { host: 'nfe.fazenda.sp.gov.br', path: '/CTeWS/WS/CTeStatusServicoV4.asmx' }

export type Server = { host: string; path: string }

const NFE = 'http://www.portalfiscal.inf.br/nfe'
const CTE = 'http://www.portalfiscal.inf.br/cte'

type Pergunta = { cUF?: string; tpAmb?: string; versao?: string; xServ?: string }

/** The question of the NF-e and the NFC-e (leiauteConsStatServ_v4.00.xsd). */
export const consStatServ = ({ cUF = '43', tpAmb = '1', versao = '4.00', xServ = 'STATUS' }: Pergunta = {}) =>
  `<consStatServ xmlns="${NFE}" versao="${versao}"><tpAmb>${tpAmb}</tpAmb><cUF>${cUF}</cUF><xServ>${xServ}</xServ></consStatServ>`

/** The question of the CT-e (consStatServTiposBasico_v4.00.xsd). */
export const consStatServCTe = (pergunta: Pergunta = {}) =>
  consStatServ(pergunta).replaceAll('consStatServ', 'consStatServCTe').replace(NFE, CTE)

const isCte = ({ path }: Server): boolean => path.includes('CTe')

/** An envelope around a message for that server. */
export function envelope(server: Server, message: string, soap: '1.1' | '1.2' = '1.2'): string {
  const [dados, wsdl] = isCte(server)
    ? ['cteDadosMsg', `${CTE}/wsdl/CTeStatusServicoV4`]
    : ['nfeDadosMsg', `${NFE}/wsdl/NFeStatusServico4`]
  const namespace =
    soap === '1.2' ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'
  return `<s:Envelope xmlns:s="${namespace}"><s:Body><${dados} xmlns="${wsdl}">${message}</${dados}></s:Body></s:Envelope>`
}

/** Sends a message in an envelope of that version. */
export function send(
  authorities: Authorities,
  server: Server,
  message: string,
  { soap = '1.2', certificate = 'empresa' }: { soap?: '1.1' | '1.2'; certificate?: string | null } = {},
): Promise<Reply> {
  const type = soap === '1.2' ? 'application/soap+xml' : 'text/xml'
  return authorities.ask(server.host, {
    path: server.path,
    headers: { 'content-type': `${type}; charset=utf-8` },
    body: envelope(server, message, soap),
    certificate,
  })
}

/** The code and the words of an answer. */
export function said({ text }: Reply): string {
  const leaf = (name: string): string => new RegExp(`<(?:\\w+:)?${name}>([^<]*)<`).exec(text)?.[1] ?? ''
  return `${leaf('cStat')} ${leaf('xMotivo')}`
}
