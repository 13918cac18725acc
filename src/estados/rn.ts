import { cadastroSvrs } from '../portal/cadastro.ts'
import type { Estado } from '../portal/estado.ts'
import { desconhecidaCnd } from '../portal/rota.ts'

export const estado = {
  uf: 'RN',
  exemplo: '99054195000110',
  ie: [
    cadastroSvrs(
      'RN',
      'A consulta pública do RN (https://uvt.sefaz.rn.gov.br/#/services/consultaContribuinte; antes http://www.set.rn.gov.br/uvt/consultacontribuinte.aspx) é uma aplicação cujos pedidos não se conhecem: não há outra via.',
    ),
  ],
  cnd: [
    desconhecidaCnd('RN', {
      abrange: {
        debitos: 'ambos',
        origem: 'Resolução Interadministrativa PGE/SET 1/2012: certidão conjunta',
      },
      url: 'https://uvt.sefaz.rn.gov.br/#/services/certidao-negativa/emitir',
      documentos: { cnpj: '', cpf: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      origem: 'código aberto de raspagem, com navegador, e imagens da tela de 2020',
      em: '2026',
      nota: 'Conhece-se a tela, não os pedidos que ela faz: um campo para IE, CPF ou CNPJ, uma imagem cujo texto vai em maiúsculas, e o arquivo da certidão conjunta (SET e PGE), válida por 30 dias. Com mais de 100 CNPJs relacionados a resposta vai por e-mail.',
    }),
  ],
} satisfies Estado
