import type { Rota } from '../portal/estado.ts'
import type { AmbienteNfe } from './meios.ts'

/** A national service of the NF-e. */
export type FonteNfe = Pick<Rota, 'familia' | 'source' | 'certeza' | 'origem' | 'em' | 'nota'> & {
  /** The addresses of its first request. */
  enderecos: Readonly<Record<AmbienteNfe, string>>
}

const NOME = 'O Ambiente Nacional da NF-e'
const LISTA = 'Portal Nacional da NF-e, lista de web services'

/** The services that a call for a note asks, all with the client's certificate. */
export const fontesNfe = {
  distribuicao: {
    familia: 'nfe-distribuicao',
    source: { id: 'AN/distribuicao', nome: NOME },
    enderecos: {
      producao: 'https://www1.nfe.fazenda.gov.br/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
      homologacao: 'https://hom1.nfe.fazenda.gov.br/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
    },
    certeza: 'verificado',
    origem: LISTA,
    em: '2026-06-23',
    nota: 'NFeDistribuicaoDFe, por chave. Aceita 20 consultas por hora de cada CNPJ ou CPF, contadas com as dos outros programas da empresa; acima disso, bloqueia por 1 hora, que recomeça a cada nova tentativa.',
  },
  eventos: {
    familia: 'nfe-evento',
    source: { id: 'AN/eventos', nome: NOME },
    enderecos: {
      producao: 'https://www.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
      homologacao: 'https://hom1.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
    },
    certeza: 'verificado',
    origem: LISTA,
    em: '2026-06-23',
    nota: 'NFeRecepcaoEvento4, manifestação do destinatário. Clientes abertos também usam o host www1.',
  },
  portal: {
    familia: 'nfe-portal',
    source: { id: 'AN/portal', nome: 'O portal nacional da NF-e' },
    enderecos: {
      producao: 'https://www.nfe.fazenda.gov.br/portal/',
      homologacao: 'https://hom.nfe.fazenda.gov.br/portal/',
    },
    certeza: 'verificado',
    origem: 'código aberto de download',
    em: '2026',
    nota: 'Pede hCaptcha em toda consulta e o certificado só no download. O endereço de homologação e os textos das recusas, menos o de quem não participa da nota, são de memória.',
  },
} satisfies Record<string, FonteNfe>
