import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'PE',
  ie: [
    cadastro('PE', {
      producao: 'https://nfe.sefaz.pe.gov.br/nfe-service/services/CadConsultaCadastro4',
      homologacao: 'https://nfehomolog.sefaz.pe.gov.br/nfe-service/services/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
