import type { Estado } from '../estado.ts'
import { cadastroSvrs } from '../families/cadastro-svrs.ts'
import { jsonCertidao } from '../families/json-certidao.ts'

export const estado = {
  uf: 'RN',
  exemplo: '99054195000110',
  ie: [
    cadastroSvrs(
      'RN',
      'A consulta pública do RN (https://uvt.sefaz.rn.gov.br/#/services/consultaContribuinte) é uma aplicação cujos pedidos não se conhecem: não há outra via.',
    ),
  ],
  cnd: [
    jsonCertidao('RN', {
      url: 'https://uvt.sefaz.rn.gov.br/#/services/certidao-negativa/emitir',
      documentos: { cpf: '', cnpj: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      certeza: 'desconhecido',
      origem: 'código aberto de raspagem, com navegador',
      em: '2026',
      nota: 'Conhece-se a tela (documento e captcha de imagem), não os pedidos que ela faz.',
      naoContribuinte: 'ie',
      resposta: { campo: 'captcha', imagem: { url: '/api/certidao-negativa/captcha' } },
      pedir: ({ documento }, resposta) => ({
        url: '/api/certidao-negativa/emitir',
        json: { identificacao: documento, ...resposta },
      }),
      mensagem: 'mensagem',
      layout: {},
    }),
  ],
} satisfies Estado
