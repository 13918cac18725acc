import { NFE } from '../platform/nfe-xml.ts'
import type { ServicoDoAutorizador } from './autorizador.ts'
import { servicos as deStatus, type Estilo } from './servicos.ts'

/** The messages of NFeConsultaProtocolo4, by the names of its WSDL and of its schema. */
export const mensagem = {
  servico: 'NFeConsultaProtocolo4',
  wsdl: `${NFE}/wsdl/NFeConsultaProtocolo4`,
  operacao: 'nfeConsultaNF',
  dados: 'nfeDadosMsg',
  namespace: NFE,
  pergunta: 'consSitNFe',
  retorno: 'retConsSitNFe',
}

/** `{a|b}` has the part of production, then that of homologation. */
const linhas: readonly [id: string, endereco: string][] = [
  ['nfe-am', '{nfe|homnfe}.sefaz.am.gov.br/services2/services/NfeConsulta4'],
  ['nfe-ba', '{nfe|hnfe}.sefaz.ba.gov.br/webservices/NFeConsultaProtocolo4/NFeConsultaProtocolo4.asmx'],
  ['nfe-go', '{nfe|homolog}.sefaz.go.gov.br/nfe/services/NFeConsultaProtocolo4'],
  ['nfe-mg', '{nfe|hnfe}.fazenda.mg.gov.br/nfe2/services/NFeConsultaProtocolo4'],
  ['nfe-ms', '{nfe|hom.nfe}.sefaz.ms.gov.br/ws/NFeConsultaProtocolo4'],
  ['nfe-mt', '{nfe|homologacao}.sefaz.mt.gov.br/nfews/v2/services/NfeConsulta4'],
  ['nfe-pe', '{nfe|nfehomolog}.sefaz.pe.gov.br/nfe-service/services/NFeConsultaProtocolo4'],
  ['nfe-pr', '{nfe|homologacao.nfe}.sefa.pr.gov.br/nfe/NFeConsultaProtocolo4'],
  ['nfe-rs', '{nfe|nfe-homologacao}.sefazrs.rs.gov.br/ws/NfeConsulta/NfeConsulta4.asmx'],
  ['nfe-sp', '{nfe|homologacao.nfe}.fazenda.sp.gov.br/ws/nfeconsultaprotocolo4.asmx'],
  ['nfe-svan', '{www|hom}.sefazvirtual.fazenda.gov.br/NFeConsultaProtocolo4/NFeConsultaProtocolo4.asmx'],
  ['nfe-svrs', '{nfe|nfe-homologacao}.svrs.rs.gov.br/ws/NfeConsulta/NfeConsulta4.asmx'],
]

/**
 * The 12 addresses of the NF-e ("Relação de Serviços Web", as public clients carry it in 2026). The server of
 * each is the one of its status service, and writes as that does.
 */
export const servicos: readonly (ServicoDoAutorizador & { estilo: Estilo })[] = linhas.map(([id, modelo]) => {
  const status = deStatus.find(({ ids }) => ids.includes(id))
  if (!status) throw new Error(`${id} não tem serviço de status`)
  const { motor, entende, estilo } = status
  const producao = modelo.replace(/\{(.*?)\|.*?\}/, '$1')
  const homologacao = modelo.replace(/\{.*?\|(.*?)\}/, '$1')
  const { servico, wsdl, operacao, dados } = mensagem
  const endereco = `https://${producao}`
  const soap = { servico, wsdl, operacao, entradas: [dados], endereco, entende, motor, estilo }
  return { nome: `Situação da NF-e ${id}`, id, producao, homologacao, soap, estilo }
})
