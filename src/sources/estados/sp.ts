import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

export const estado = {
  uf: 'SP',
  ie: [
    cadastro('SP', {
      producao: 'https://nfe.fazenda.sp.gov.br/ws/cadconsultacadastro4.asmx',
      homologacao: 'https://homologacao.nfe.fazenda.sp.gov.br/ws/cadconsultacadastro4.asmx',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
