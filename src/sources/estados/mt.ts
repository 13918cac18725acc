import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'MT',
  ie: cadastro('MT', {
    producao: 'https://nfe.sefaz.mt.gov.br/nfews/v2/services/CadConsultaCadastro4',
    homologacao: 'https://homologacao.sefaz.mt.gov.br/nfews/v2/services/CadConsultaCadastro4',
    // The operation's element goes around the message as well, as libraries in production send it (nfephp-org/sped-nfe, 2026-06-23).
    envolveDuasVezes: true,
    certeza: 'verificado',
    origem: 'Portal Nacional da NF-e, lista de web services',
    em: '2026-09-18',
  }),
} satisfies Estado
