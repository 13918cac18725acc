import type { Estado } from '../estado.ts'
import { coldfusion } from '../families/coldfusion.ts'
import { desconhecidaCnd } from '../families/desconhecida.ts'

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
    desconhecidaCnd('DF', {
      url: 'https://ww1.receita.fazenda.df.gov.br/cidadao/certidoes/Certidao',
      documentos: { cnpj: '2', cpf: '1' },
      captcha: { tipo: 'turnstile', quando: 'sempre' },
      origem: 'código aberto de raspagem, com navegador',
      em: '2026',
      nota: 'Conhecem-se a tela (tipo, documento, finalidade, "Gerar PDF"; um diálogo diz que há débitos) e o pedido do relatório, mas ele leva, além do código do Turnstile, P_TurnstileResponseToken: um texto de cerca de 1 kB que o servidor respondeu antes, a um pedido que ninguém viu.',
    }),
  ],
} satisfies Estado
