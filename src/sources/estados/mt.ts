import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'MT',
  ie: [
    cadastro('MT', {
      producao: 'https://nfe.sefaz.mt.gov.br/nfews/v2/services/CadConsultaCadastro4',
      homologacao: 'https://homologacao.sefaz.mt.gov.br/nfews/v2/services/CadConsultaCadastro4',
      // SEFAZ-MT asks for it (Java_NFe issue 153, 2019-04-24); without it, "EPR for the Operation not found" (PyNFe issue 192). Other
      // clients in production send a second nfeDadosMsg instead (nfephp-org/sped-nfe, 2026-06-23).
      envolveNaOperacao: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
