import type { Uf } from '../documento/uf.ts'
import type { VersaoSoap } from '../platform/soap.ts'

export const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/CadConsultaCadastro4'

export type Servico = {
  nome: string
  ufs: readonly Uf[]
  producao: string
  homologacao: string
  caminho: string
  /**
   * ASP.NET takes a path in any case; of the Java servers only MT is known to answer a departure from the
   * WSDL.
   */
  motor: 'asp.net' | 'java'
  entende: readonly VersaoSoap[]
  /** MT wants one more element around the message, and answers a fault without it. */
  embrulho: boolean
  estilo: Estilo
}

/** How answers look: captured where the table says so, invented elsewhere. */
export type Estilo = {
  verAplic: string
  versao: string
  soap: VersaoSoap
  prefixo: string
  declaracao: string
  esquemas: boolean
  parametros: string
  prefixoRetorno: string
  recuado: boolean
  acentos: boolean
  /** The schema's minimum, plus situation and activity, or all. */
  campos: 'minimos' | 'medios' | 'completos'
  /** Whether it tells who may issue NF-e and CT-e; 4, "not told", when it does not. */
  credenciamento: boolean
  fuso: '-03:00' | '-04:00'
  /** States that answer queries by CPF; the others reject with 262. */
  consultaCpf: boolean
}

const DECLARACAO = '<?xml version="1.0" encoding="utf-8"?>'

const comum: Estilo = {
  verAplic: '4.00',
  versao: '2.00',
  soap: '1.2',
  prefixo: 'soap',
  declaracao: DECLARACAO,
  esquemas: false,
  parametros: '; charset=utf-8',
  prefixoRetorno: '',
  recuado: false,
  acentos: true,
  campos: 'medios',
  credenciamento: true,
  fuso: '-03:00',
  consultaCpf: true,
}

/** ASP.NET's answers declare `xsi` and `xsd`. */
const comumAspNet: Estilo = { ...comum, esquemas: true }

// How the Java servers but MT take a departure from the WSDL is not known. A public client of 2026 sends SOAP
// 1.1 to PE and PR.
const java = { motor: 'java', entende: ['1.2'], embrulho: false } as const
const javaAmbas = { motor: 'java', entende: ['1.2', '1.1'], embrulho: false } as const
// Both bindings are in the official WSDL.
const aspNet = { motor: 'asp.net', entende: ['1.2', '1.1'], embrulho: false } as const

/**
 * "Relação de Serviços Web" of the national portal (2026-09-18; homologation by public catalogues of 2026).
 */
export const servicos: readonly Servico[] = [
  {
    nome: 'SEFAZ AM',
    ufs: ['AM'],
    producao: 'nfe.sefaz.am.gov.br',
    homologacao: 'homnfe.sefaz.am.gov.br',
    caminho: '/services2/services/CadConsultaCadastro4',
    ...java,
    estilo: { ...comum, verAplic: 'AM4.00', prefixo: 'env', fuso: '-04:00', consultaCpf: false },
  },
  {
    nome: 'SEFAZ BA',
    ufs: ['BA'],
    producao: 'nfe.sefaz.ba.gov.br',
    homologacao: 'hnfe.sefaz.ba.gov.br',
    caminho: '/webservices/CadConsultaCadastro4/CadConsultaCadastro4.asmx',
    ...aspNet,
    estilo: { ...comumAspNet, verAplic: 'BA4.0', campos: 'completos' },
  },
  {
    // Only what the schema demands, and 4 for both indicators: captured on 2026-08-15.
    nome: 'SEFAZ GO',
    ufs: ['GO'],
    producao: 'nfe.sefaz.go.gov.br',
    homologacao: 'homolog.sefaz.go.gov.br',
    caminho: '/nfe/services/CadConsultaCadastro4',
    ...java,
    estilo: { ...comum, verAplic: 'GO4.0', prefixo: 'soap12', campos: 'minimos', credenciamento: false },
  },
  {
    nome: 'SEFAZ MG',
    ufs: ['MG'],
    producao: 'nfe.fazenda.mg.gov.br',
    homologacao: 'hnfe.fazenda.mg.gov.br',
    caminho: '/nfe2/services/CadConsultaCadastro4',
    ...java,
    estilo: { ...comum, verAplic: 'MG4.0', prefixo: 'soapenv', parametros: '' },
  },
  {
    nome: 'SEFAZ MS',
    ufs: ['MS'],
    producao: 'nfe.sefaz.ms.gov.br',
    homologacao: 'hom.nfe.sefaz.ms.gov.br',
    caminho: '/ws/CadConsultaCadastro4',
    ...java,
    estilo: { ...comum, verAplic: 'MS4.0', soap: '1.1', prefixo: 'S', fuso: '-04:00', consultaCpf: false },
  },
  {
    nome: 'SEFAZ MT',
    ufs: ['MT'],
    producao: 'nfe.sefaz.mt.gov.br',
    homologacao: 'homologacao.sefaz.mt.gov.br',
    caminho: '/nfews/v2/services/CadConsultaCadastro4',
    ...java,
    embrulho: true,
    estilo: {
      ...comum,
      verAplic: 'MT4.0',
      prefixo: 'soapenv',
      declaracao: '',
      fuso: '-04:00',
      campos: 'completos',
    },
  },
  {
    nome: 'SEFAZ PE',
    ufs: ['PE'],
    producao: 'nfe.sefaz.pe.gov.br',
    homologacao: 'nfehomolog.sefaz.pe.gov.br',
    caminho: '/nfe-service/services/CadConsultaCadastro4',
    ...javaAmbas,
    estilo: { ...comum, verAplic: 'PE4.0', prefixo: 'soap12', prefixoRetorno: 'ns2', acentos: false },
  },
  {
    nome: 'SEFA PR',
    ufs: ['PR'],
    producao: 'nfe.sefa.pr.gov.br',
    homologacao: 'homologacao.nfe.sefa.pr.gov.br',
    caminho: '/nfe/CadConsultaCadastro4',
    ...javaAmbas,
    estilo: { ...comum, verAplic: 'PR-v4.0', prefixo: 'env', recuado: true, campos: 'completos' },
  },
  {
    // Address, CNAE, regime and dates, with accents: captured. verAplic as its status service answered on
    // 2021-04-29.
    nome: 'SEFAZ SP',
    ufs: ['SP'],
    producao: 'nfe.fazenda.sp.gov.br',
    homologacao: 'homologacao.nfe.fazenda.sp.gov.br',
    caminho: '/ws/cadconsultacadastro4.asmx',
    ...aspNet,
    estilo: { ...comumAspNet, verAplic: 'SP_NFE_PL009_V4', campos: 'completos', consultaCpf: false },
  },
  {
    // No accents, a space after the version (captured on 2018-08-23).
    nome: 'SVRS',
    ufs: ['AC', 'ES', 'PB', 'RN', 'RS', 'SC'],
    producao: 'cad.svrs.rs.gov.br',
    homologacao: 'cad-homologacao.svrs.rs.gov.br',
    caminho: '/ws/cadconsultacadastro/cadconsultacadastro4.asmx',
    ...aspNet,
    estilo: {
      ...comumAspNet,
      verAplic: 'SVRS20180816144937',
      versao: '2.00 ',
      acentos: false,
      campos: 'completos',
    },
  },
]
