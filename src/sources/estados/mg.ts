import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'MG',
  ie: [
    cadastro('MG', {
      producao: 'https://nfe.fazenda.mg.gov.br/nfe2/services/CadConsultaCadastro4',
      homologacao: 'https://hnfe.fazenda.mg.gov.br/nfe2/services/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
