import type { Uf } from '../../src/documento/uf.ts'
import type { LayoutCertidao } from '../../src/portal/certidao-campos.ts'
import type { LeituraCertidao } from '../../src/portal/certidao-resposta.ts'
import type { Certidao } from '../../src/portal/rules-certidao.ts'

export const CNPJ = '11222333000181'
export const CPF = '52998224725'

/** The input to the reading of a state's certificate, for the CNPJ of these tests. */
export const leitura = (uf: Uf, more: Partial<LeituraCertidao> = {}): LeituraCertidao => ({
  source: { id: `${uf}/cnd`, nome: `A SEFAZ-${uf}` },
  uf,
  documento: CNPJ,
  elapsedMs: 12,
  layout: {},
  ...more,
})

/** The lines of MT's certificate, under a title. */
export const MT = (titulo: string, sigla: string): string[] => [
  'ESTADO DE MATO GROSSO',
  'PROCURADORIA GERAL DO ESTADO',
  'SECRETARIA DE ESTADO DE FAZENDA',
  `${titulo} DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS GERIDOS PELA PROCURADORIA-GERAL DO ESTADO E PELA SECRETARIA DE ESTADO DE FAZENDA`,
  '',
  `${sigla} Nº 0064988861`,
  'Data da emissão: 21/09/2026 Hora da emissão: 10:11:12',
  'CNPJ: 11.222.333/0001-81 EMPRESA DE TESTE LTDA',
  'CERTIFICAMOS que, até a data e hora em epígrafe, não consta, nas bases informatizadas e integradas ao sistema de processamento de dados da CND, pendência, em nome do sujeito passivo acima indicado.',
  'A Certidão Positiva com Efeitos de Negativa de que trata a Portaria 008/2018 tem validade de 60 dias.',
  'Certidão válida até: 19/11/2026.',
  'Número de Autenticação: T7BTLL22TUKKB2K2',
]

export const mtLayout: LayoutCertidao = { codigo: /NUMERO DE AUTENTICACAO: ([A-Z0-9]{16})/ }

type Lidos = Pick<Certidao, 'status' | 'status_raw' | 'protocolo' | 'emissao' | 'validade'>
/** A state's certificate, and the expected reading of it. */
type Modelo = { uf: Uf; lines: string[]; more?: Partial<LeituraCertidao>; lidos: Lidos }

export const modelos: Modelo[] = [
  {
    uf: 'GO',
    lines: [
      'ESTADO DE GOIAS',
      'CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA',
      'NR. CERTIDÃO: Nº 31415926',
      'IDENTIFICACAO: EMPRESA DE TESTE LTDA CNPJ 11.222.333/0001-81',
      'DESPACHO (Certidao valida para a matriz e suas filiais):',
      'NAO CONSTA DEBITO',
      'FUNDAMENTO LEGAL: Esta certidao refere-se a debito inscrito em divida ativa.',
      'VALIDA POR 120 DIAS',
      'VALIDADOR: 5.555.555.555.555',
      'LOCAL E DATA: GOIANIA, 27 AGOSTO DE 2026',
    ],
    more: {
      layout: {
        titulo:
          /CERTIDAO DE DEBITO (?:INSCRITO )?EM DIVIDA ATIVA - (?:NEGATIVA|POSITIVA)|(?<=DESPACHO [^:]{0,60}: ?).{0,60}?(?= FUNDAMENTO)/,
      },
    },
    lidos: {
      status: 'negativa',
      status_raw: 'CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA NAO CONSTA DEBITO',
      protocolo: '31415926',
      emissao: '2026-08-27',
      validade: '2026-12-25',
    },
  },
  {
    uf: 'MA',
    lines: [
      'GOVERNO DO ESTADO DO MARANHÃO',
      'CERTIDÃO NEGATIVA DE DÉBITO',
      'Nº 226555/26',
      'Data da Emissão: 10/07/2026',
      'CPF/CNPJ: 11222333000181 - não inscrito no cadastro de contribuintes',
      'CERTIFICAMOS que não constam débitos relativos aos tributos estaduais, administrados por esta Secretaria, nos termos da Lei nº 7.799/2002.',
      'Validade da Certidão: 90 (noventa) dias: 08/10/2026',
    ],
    more: { layout: { numero: /Nº (\d+\/\d{2})\b/ } },
    lidos: {
      status: 'negativa',
      status_raw: 'CERTIDÃO NEGATIVA DE DÉBITO',
      protocolo: '226555/26',
      emissao: '2026-07-10',
      validade: '2026-10-08',
    },
  },
  {
    uf: 'PA',
    lines: [
      'SECRETARIA DE ESTADO DA FAZENDA',
      'CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA',
      'Inscrição Estadual: 15.123.456-0',
      'Emitida às: 14:41:42 do dia 10/07/2026 Válida até: 06/01/2027',
      'Número da Certidão: 702026081315623-2',
      'Código de Controle de Autenticidade: 0A1B2C3D.4E5F6071.8293A4B5.C6D7E8F9',
    ],
    more: { inscricoes: ['151234560'] },
    lidos: {
      status: 'negativa',
      status_raw: 'CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA',
      protocolo: '702026081315623-2',
      emissao: '2026-07-10',
      validade: '2027-01-06',
    },
  },
  {
    uf: 'BA',
    lines: [
      'GOVERNO DO ESTADO DA BAHIA',
      'Certidão de Débitos Tributários',
      'Emissão: 25/07/2026 09:10',
      'Certidão Nº: 20261234567',
      'NOME: EMPRESA DE TESTE LTDA CNPJ 11.222.333/0001-81',
      'Fica certificado que não constam, até a presente data, pendências de responsabilidade da pessoa física ou jurídica acima.',
      'Esta certidão é válida por 60 dias, contados a partir da data de sua emissão.',
    ],
    lidos: {
      status: 'negativa',
      status_raw: 'Certidão de Débitos Tributários: não constam, até a presente data, pendências',
      protocolo: '20261234567',
      emissao: '2026-07-25',
      validade: '2026-09-23',
    },
  },
  {
    uf: 'PR',
    lines: [
      'Estado do Paraná',
      'Certidão Positiva com Efeitos de Negativa de Débitos Tributários e de Dívida Ativa Estadual',
      'Certidão nº 036123456-78',
      'Certidão fornecida para o CNPJ/MF: 11.222.333/0001-81',
      'Esta Certidão foi emitida para matriz e filiais.',
      'Válida até 10/11/2026 - Fornecimento Gratuito',
    ],
    lidos: {
      status: 'positiva_com_efeitos_de_negativa',
      status_raw:
        'Certidão Positiva com Efeitos de Negativa de Débitos Tributários e de Dívida Ativa Estadual',
      protocolo: '036123456-78',
      emissao: '',
      validade: '2026-11-10',
    },
  },
  {
    uf: 'AM',
    lines: [
      'SEFAZ AMAZONAS',
      'CPD - CERTIDÃO POSITIVA DE DÉBITOS',
      'CNPJ 11.222.333/0001-81',
      'Válida até: 01/10/2026',
    ],
    lidos: {
      status: 'positiva',
      status_raw: 'CPD - CERTIDÃO POSITIVA DE DÉBITOS',
      protocolo: '',
      emissao: '',
      validade: '2026-10-01',
    },
  },
]
