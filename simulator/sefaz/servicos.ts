import type { EstiloEnvelope, VersaoSoap } from '../platform/soap.ts'
import type { Doc } from './autorizadores.ts'

export type Estilo = EstiloEnvelope & {
  verAplic: string
  acentos: boolean
  involucro: string
  prefixoRetorno: string
  recuado: boolean
  fuso: '-03:00' | '-04:00'
}

/** A status service: its authorizers (two at SEFAZ GO), its addresses without `https://`, how it runs. */
export type ServicoDeStatus = {
  ids: readonly string[]
  doc: Doc
  producao: string
  homologacao: string
  motor: 'asp.net' | 'java'
  entende: readonly VersaoSoap[]
  estilo: Estilo
}

const DECLARACAO = '<?xml version="1.0" encoding="utf-8"?>'

const COMUM: Estilo = {
  soap: '1.2',
  prefixo: 'soap',
  declaracao: DECLARACAO,
  esquemas: false,
  verAplic: '4.00',
  acentos: true,
  involucro: 'nfeResultMsg',
  prefixoRetorno: '',
  recuado: false,
  fuso: '-03:00',
}

/** Where the states' servers differ. All of it is a guess, but that SVRS strips accents. */
const feitios: Readonly<Record<string, Partial<Estilo>>> = {
  am: { prefixo: 'env', verAplic: 'AM4.00', fuso: '-04:00' },
  ba: { verAplic: 'BA4.0', esquemas: true },
  go: { prefixo: 'soap12', verAplic: 'GO4.0' },
  mg: { prefixo: 'soapenv', verAplic: 'MG4.0', involucro: 'cteResultMsg' },
  ms: { prefixo: 'S', verAplic: 'MS4.0', fuso: '-04:00', involucro: 'cteResultMsg' },
  mt: { prefixo: 'soapenv', verAplic: 'MT4.0', declaracao: '', fuso: '-04:00', involucro: 'cteResultMsg' },
  pe: { prefixo: 'soap12', verAplic: 'PE4.0', prefixoRetorno: 'ns2', acentos: false },
  pr: { prefixo: 'env', verAplic: 'PR-v4.0', recuado: true },
  rs: { verAplic: 'RS202605251050', acentos: false, esquemas: true },
  sp: { verAplic: 'SP_NFE_PL009_V4', esquemas: true },
  svan: { verAplic: 'SVAN_4.0.0', esquemas: true, acentos: false },
  svrs: { verAplic: 'SVRS202605251050', acentos: false, esquemas: true },
  svsp: { verAplic: 'SP_CTE_4.00', esquemas: true },
}

/** No public client sends SOAP 1.1 to these (see the servers of CadConsultaCadastro4). */
const SO_12 = new Set(['am', 'go', 'mg', 'ms', 'mt'])

/** `{a|b}` has the part of production, then that of homologation. */
const linhas: readonly [ids: string, endereco: string][] = [
  ['nfe-am', '{nfe|homnfe}.sefaz.am.gov.br/services2/services/NfeStatusServico4'],
  ['nfe-ba', '{nfe|hnfe}.sefaz.ba.gov.br/webservices/NFeStatusServico4/NFeStatusServico4.asmx'],
  ['nfe-go nfce-go', '{nfe|homolog}.sefaz.go.gov.br/nfe/services/NFeStatusServico4'],
  ['nfe-mg', '{nfe|hnfe}.fazenda.mg.gov.br/nfe2/services/NFeStatusServico4'],
  ['nfe-ms', '{nfe|hom.nfe}.sefaz.ms.gov.br/ws/NFeStatusServico4'],
  ['nfe-mt', '{nfe|homologacao}.sefaz.mt.gov.br/nfews/v2/services/NfeStatusServico4'],
  ['nfe-pe', '{nfe|nfehomolog}.sefaz.pe.gov.br/nfe-service/services/NFeStatusServico4'],
  ['nfe-pr', '{nfe|homologacao.nfe}.sefa.pr.gov.br/nfe/NFeStatusServico4'],
  ['nfe-rs', '{nfe|nfe-homologacao}.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx'],
  ['nfe-sp', '{nfe|homologacao.nfe}.fazenda.sp.gov.br/ws/nfestatusservico4.asmx'],
  ['nfe-svan', '{www|hom}.sefazvirtual.fazenda.gov.br/NFeStatusServico4/NFeStatusServico4.asmx'],
  ['nfe-svrs', '{nfe|nfe-homologacao}.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx'],
  ['nfce-am', '{nfce|homnfce}.sefaz.am.gov.br/nfce-services/services/NfeStatusServico4'],
  ['nfce-mg', '{nfce|hnfce}.fazenda.mg.gov.br/nfce/services/NFeStatusServico4'],
  ['nfce-ms', '{nfce|hom.nfce}.sefaz.ms.gov.br/ws/NFeStatusServico4'],
  ['nfce-mt', '{nfce|homologacao}.sefaz.mt.gov.br/nfcews/services/NfeStatusServico4'],
  ['nfce-pr', '{nfce|homologacao.nfce}.sefa.pr.gov.br/nfce/NFeStatusServico4'],
  ['nfce-rs', '{nfce|nfce-homologacao}.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx'],
  ['nfce-sp', '{nfce|homologacao.nfce}.fazenda.sp.gov.br/ws/NFeStatusServico4.asmx'],
  ['nfce-svrs', '{nfce|nfce-homologacao}.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx'],
  ['cte-mg', '{cte|hcte}.fazenda.mg.gov.br/cte/services/CTeStatusServicoV4'],
  ['cte-ms', '{producao|homologacao}.cte.ms.gov.br/ws/CTeStatusServicoV4'],
  ['cte-mt', '{cte|homologacao}.sefaz.mt.gov.br/ctews2/services/CTeStatusServicoV4'],
  ['cte-pr', '{cte|homologacao.cte}.fazenda.pr.gov.br/cte4/CTeStatusServicoV4'],
  ['cte-svrs', '{cte|cte-homologacao}.svrs.rs.gov.br/ws/CTeStatusServicoV4/CTeStatusServicoV4.asmx'],
  ['cte-svsp', '{nfe|homologacao.nfe}.fazenda.sp.gov.br/CTeWS/WS/CTeStatusServicoV4.asmx'],
]

/** "Relação de Serviços Web" of the national portals, as public clients carry it in 2026. */
export const servicos: readonly ServicoDeStatus[] = linhas.map(([ids, modelo]) => {
  const [id = '', ...outros] = ids.split(' ')
  const [doc, sigla = ''] = id.split('-')
  const isCte = doc === 'cte'
  const feitio = feitios[sigla]
  return {
    ids: [id, ...outros],
    doc: isCte ? 'cte' : doc === 'nfce' ? 'nfce' : 'nfe',
    producao: modelo.replace(/\{(.*?)\|.*?\}/, '$1'),
    homologacao: modelo.replace(/\{.*?\|(.*?)\}/, '$1'),
    motor: modelo.endsWith('.asmx') ? 'asp.net' : 'java',
    // The official WSDLs of the NF-e have both bindings, those of the CT-e the newer one alone.
    entende: isCte || SO_12.has(sigla) ? ['1.2'] : ['1.2', '1.1'],
    estilo: {
      ...COMUM,
      ...feitio,
      involucro: isCte ? (feitio?.involucro ?? 'cteStatusServicoCTResult') : 'nfeResultMsg',
    },
  }
})
