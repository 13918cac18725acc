import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'GO',
  ie: [
    cadastro('GO', {
      producao: 'https://nfe.sefaz.go.gov.br/nfe/services/CadConsultaCadastro4',
      homologacao: 'https://homolog.sefaz.go.gov.br/nfe/services/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
