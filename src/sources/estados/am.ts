import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'

// Some catalogues of addresses leave AM out; the portal's availability page listed its Consulta Cadastro4 as working on 2026-06-02.
export const estado = {
  uf: 'AM',
  ie: [
    cadastro('AM', {
      producao: 'https://nfe.sefaz.am.gov.br/services2/services/CadConsultaCadastro4',
      homologacao: 'https://homnfe.sefaz.am.gov.br/services2/services/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
  ],
} satisfies Estado
