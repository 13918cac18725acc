import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'BA',
  ie: [
    cadastro('BA', {
      producao: 'https://nfe.sefaz.ba.gov.br/webservices/CadConsultaCadastro4/CadConsultaCadastro4.asmx',
      homologacao: 'https://hnfe.sefaz.ba.gov.br/webservices/CadConsultaCadastro4/CadConsultaCadastro4.asmx',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
