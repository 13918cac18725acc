import { cadastroSvrs } from '../portal/cadastro.ts'
import type { Estado } from '../portal/estado.ts'
import { desconhecidaCnd } from '../portal/rota.ts'

export const estado = {
  uf: 'AC',
  exemplo: '11550217500836',
  ie: [
    cadastroSvrs(
      'AC',
      'Sem a página da SEFAZ-AC como alternativa: dela (https://sefazonline.ac.gov.br/sefazonline/app.wmsintegralista, antes hpfsincon) só se conhecem o endereço e que em 2020 respondia com um PDF.',
    ),
  ],
  cnd: [
    desconhecidaCnd('AC', {
      abrange: { debitos: 'desconhecido', origem: '' },
      url: 'https://sefazonline.ac.gov.br/sefazonline/app.cndprincipal',
      documentos: { cnpj: '', cpf: '' },
      captcha: 'nenhum',
      origem: 'listas de links e a documentação de um revendedor, sem os passos',
      em: '2025-04-16',
      nota: 'Conhece-se o endereço, que é de uma aplicação GeneXus; os campos, os passos e se há captcha, não. A certidão, em PDF ou página, traz um número de 6 dígitos e um código de autenticidade de 20 caracteres.',
    }),
  ],
} satisfies Estado
