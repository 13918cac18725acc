import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'MS',
  ie: [
    cadastro('MS', {
      producao: 'https://nfe.sefaz.ms.gov.br/ws/CadConsultaCadastro4',
      homologacao: 'https://hom.nfe.sefaz.ms.gov.br/ws/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
