export type EnderecoDeStatus = { producao: string; homologacao: string }

/** Origin: the national portals' lists of web services, as public clients carry them in 2026. */
export const enderecos: Readonly<Record<string, EnderecoDeStatus>> = {
  'nfe-am': {
    producao: 'nfe.sefaz.am.gov.br/services2/services/NfeStatusServico4',
    homologacao: 'homnfe.sefaz.am.gov.br/services2/services/NfeStatusServico4',
  },
  'nfe-ba': {
    producao: 'nfe.sefaz.ba.gov.br/webservices/NFeStatusServico4/NFeStatusServico4.asmx',
    homologacao: 'hnfe.sefaz.ba.gov.br/webservices/NFeStatusServico4/NFeStatusServico4.asmx',
  },
  'nfe-go': {
    producao: 'nfe.sefaz.go.gov.br/nfe/services/NFeStatusServico4',
    homologacao: 'homolog.sefaz.go.gov.br/nfe/services/NFeStatusServico4',
  },
  'nfe-mg': {
    producao: 'nfe.fazenda.mg.gov.br/nfe2/services/NFeStatusServico4',
    homologacao: 'hnfe.fazenda.mg.gov.br/nfe2/services/NFeStatusServico4',
  },
  'nfe-ms': {
    producao: 'nfe.sefaz.ms.gov.br/ws/NFeStatusServico4',
    homologacao: 'hom.nfe.sefaz.ms.gov.br/ws/NFeStatusServico4',
  },
  'nfe-mt': {
    producao: 'nfe.sefaz.mt.gov.br/nfews/v2/services/NfeStatusServico4',
    homologacao: 'homologacao.sefaz.mt.gov.br/nfews/v2/services/NfeStatusServico4',
  },
  'nfe-pe': {
    producao: 'nfe.sefaz.pe.gov.br/nfe-service/services/NFeStatusServico4',
    homologacao: 'nfehomolog.sefaz.pe.gov.br/nfe-service/services/NFeStatusServico4',
  },
  'nfe-pr': {
    producao: 'nfe.sefa.pr.gov.br/nfe/NFeStatusServico4',
    homologacao: 'homologacao.nfe.sefa.pr.gov.br/nfe/NFeStatusServico4',
  },
  'nfe-rs': {
    producao: 'nfe.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
    homologacao: 'nfe-homologacao.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
  },
  'nfe-sp': {
    producao: 'nfe.fazenda.sp.gov.br/ws/nfestatusservico4.asmx',
    homologacao: 'homologacao.nfe.fazenda.sp.gov.br/ws/nfestatusservico4.asmx',
  },
  'nfe-svan': {
    producao: 'www.sefazvirtual.fazenda.gov.br/NFeStatusServico4/NFeStatusServico4.asmx',
    homologacao: 'hom.sefazvirtual.fazenda.gov.br/NFeStatusServico4/NFeStatusServico4.asmx',
  },
  'nfe-svrs': {
    producao: 'nfe.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
    homologacao: 'nfe-homologacao.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
  },
  'nfce-am': {
    producao: 'nfce.sefaz.am.gov.br/nfce-services/services/NfeStatusServico4',
    homologacao: 'homnfce.sefaz.am.gov.br/nfce-services/services/NfeStatusServico4',
  },
  'nfce-go': {
    producao: 'nfe.sefaz.go.gov.br/nfe/services/NFeStatusServico4',
    homologacao: 'homolog.sefaz.go.gov.br/nfe/services/NFeStatusServico4',
  },
  'nfce-mg': {
    producao: 'nfce.fazenda.mg.gov.br/nfce/services/NFeStatusServico4',
    homologacao: 'hnfce.fazenda.mg.gov.br/nfce/services/NFeStatusServico4',
  },
  'nfce-ms': {
    producao: 'nfce.sefaz.ms.gov.br/ws/NFeStatusServico4',
    homologacao: 'hom.nfce.sefaz.ms.gov.br/ws/NFeStatusServico4',
  },
  'nfce-mt': {
    producao: 'nfce.sefaz.mt.gov.br/nfcews/services/NfeStatusServico4',
    homologacao: 'homologacao.sefaz.mt.gov.br/nfcews/services/NfeStatusServico4',
  },
  'nfce-pr': {
    producao: 'nfce.sefa.pr.gov.br/nfce/NFeStatusServico4',
    homologacao: 'homologacao.nfce.sefa.pr.gov.br/nfce/NFeStatusServico4',
  },
  'nfce-rs': {
    producao: 'nfce.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
    homologacao: 'nfce-homologacao.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
  },
  'nfce-sp': {
    producao: 'nfce.fazenda.sp.gov.br/ws/NFeStatusServico4.asmx',
    homologacao: 'homologacao.nfce.fazenda.sp.gov.br/ws/NFeStatusServico4.asmx',
  },
  'nfce-svrs': {
    producao: 'nfce.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
    homologacao: 'nfce-homologacao.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
  },
  'cte-mg': {
    producao: 'cte.fazenda.mg.gov.br/cte/services/CTeStatusServicoV4',
    homologacao: 'hcte.fazenda.mg.gov.br/cte/services/CTeStatusServicoV4',
  },
  'cte-ms': {
    producao: 'producao.cte.ms.gov.br/ws/CTeStatusServicoV4',
    homologacao: 'homologacao.cte.ms.gov.br/ws/CTeStatusServicoV4',
  },
  'cte-mt': {
    producao: 'cte.sefaz.mt.gov.br/ctews2/services/CTeStatusServicoV4',
    homologacao: 'homologacao.sefaz.mt.gov.br/ctews2/services/CTeStatusServicoV4',
  },
  'cte-pr': {
    producao: 'cte.fazenda.pr.gov.br/cte4/CTeStatusServicoV4',
    homologacao: 'homologacao.cte.fazenda.pr.gov.br/cte4/CTeStatusServicoV4',
  },
  'cte-svrs': {
    producao: 'cte.svrs.rs.gov.br/ws/CTeStatusServicoV4/CTeStatusServicoV4.asmx',
    homologacao: 'cte-homologacao.svrs.rs.gov.br/ws/CTeStatusServicoV4/CTeStatusServicoV4.asmx',
  },
  'cte-svsp': {
    producao: 'nfe.fazenda.sp.gov.br/CTeWS/WS/CTeStatusServicoV4.asmx',
    homologacao: 'homologacao.nfe.fazenda.sp.gov.br/CTeWS/WS/CTeStatusServicoV4.asmx',
  },
}

export function enderecoOf(id: string): EnderecoDeStatus {
  const found = enderecos[id]
  if (!found) throw new Error(`${id} has no address`)
  return found
}
