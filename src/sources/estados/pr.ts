import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'PR',
  ie: [
    cadastro('PR', {
      producao: 'https://nfe.sefa.pr.gov.br/nfe/CadConsultaCadastro4',
      homologacao: 'https://homologacao.nfe.sefa.pr.gov.br/nfe/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
