import { NFE } from '../platform/nfe-xml.ts'
import type { Doc } from './autorizadores.ts'

/** The namespace of everything about a CT-e. */
const CTE = 'http://www.portalfiscal.inf.br/cte'

/** The messages of a status service, by the names of its WSDL and of its schema. */
export type MensagemDeStatus = {
  servico: string
  wsdl: string
  operacao: string
  /** The element in the Body, that holds the question. */
  dados: string
  namespace: string
  pergunta: string
  retorno: string
}

const daNfe: MensagemDeStatus = {
  servico: 'NFeStatusServico4',
  wsdl: `${NFE}/wsdl/NFeStatusServico4`,
  operacao: 'nfeStatusServicoNF',
  dados: 'nfeDadosMsg',
  namespace: NFE,
  pergunta: 'consStatServ',
  retorno: 'retConsStatServ',
}

/** Leiaute 4.00 of all three. No message says its model: it is the address's. */
export const mensagens: Readonly<Record<Doc, MensagemDeStatus>> = {
  nfe: daNfe,
  nfce: daNfe,
  cte: {
    servico: 'CTeStatusServicoV4',
    wsdl: `${CTE}/wsdl/CTeStatusServicoV4`,
    operacao: 'cteStatusServicoCT',
    dados: 'cteDadosMsg',
    namespace: CTE,
    pergunta: 'consStatServCTe',
    retorno: 'retConsStatServCTe',
  },
}
