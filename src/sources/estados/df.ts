import type { Estado } from '../estado.ts'
import { coldfusion } from '../families/coldfusion.ts'
import { jsonCertidao } from '../families/json-certidao.ts'

const identificadores = { cnpj: '2', ie: '3' } as const

export const estado = {
  uf: 'DF',
  exemplo: '99010439000162',
  ie: [
    coldfusion('DF', {
      url: 'http://www.fazenda.df.gov.br/aplicacoes/sintegra/consulta.cfm',
      documentos: identificadores,
      captcha: 'nenhum',
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2018-03',
      nota: 'A consulta de hoje (https://ww1.receita.fazenda.df.gov.br/icms/sintegra-consulta) está atrás de um desafio do Cloudflare, que só um navegador passa; esta é a antiga, que pode não responder mais.',
      referer: 'http://www.fazenda.df.gov.br/area.cfm?id_area=110',
      preencher: ({ tipo, documento }) => ({
        sefp: '1',
        estado: 'DF',
        identificador: tipo === 'ie' ? identificadores.ie : identificadores.cnpj,
        argumento: documento,
      }),
      numero: /^0[789]\d{11}$/,
      detalhe: { url: 'detalhamento.cfm', campo: 'cCFDF' },
      rotulos: { 'CF/DF': 'inscricao_estadual' },
    }),
  ],
  cnd: [
    jsonCertidao('DF', {
      url: 'https://ww1.receita.fazenda.df.gov.br/cidadao/certidoes/Certidao',
      documentos: { cpf: '1', cnpj: '2' },
      captcha: { tipo: 'turnstile', quando: 'sempre' },
      certeza: 'desconhecido',
      origem: 'código aberto de raspagem, com navegador',
      em: '2026',
      nota: 'Conhecem-se o endereço e os campos do pedido; falta saber de onde a página tira P_TurnstileResponseToken, que também manda.',
      naoContribuinte: 'ie',
      resposta: { campo: 'P_TurnstileToken' },
      pedir: ({ tipo, documento }, resposta) => ({
        url: '/WPI/api/Report/token/CertidaoDoUsuario_PF_PJ/pdf',
        consulta: {
          P_Identificador: tipo === 'cpf' ? '1' : '2',
          P_Argumento_Pesquisa: documento,
          P_Tipo_Certidao: '1',
          // Junto ao GDF.
          P_Finalidade_Certidao: '21',
          P_Area_Solicitacao: '1',
          ...resposta,
        },
      }),
      mensagem: 'message',
      layout: { verificacao: 'https://ww1.receita.fazenda.df.gov.br/cidadao/certidoes/Validacao' },
    }),
  ],
} satisfies Estado
