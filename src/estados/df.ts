import type { Estado } from '../portal/estado.ts'
import { desconhecidaCnd, desconhecidaIe } from '../portal/rota.ts'

export const estado = {
  uf: 'DF',
  exemplo: '99010439000162',
  ie: [
    desconhecidaIe('DF', {
      url: 'https://ww1.receita.fazenda.df.gov.br/icms/sintegra-consulta',
      documentos: { cnpj: '' },
      captcha: 'nenhum',
      origem: 'listas de links e código aberto que opera a tela num navegador',
      em: '2026',
      nota: 'Conhece-se a tela (campo #cnpj, botão #bt_consulta, resultado em #resultado, atrás de um desafio do Cloudflare), não o pedido que ela faz. A página anterior, em ColdFusion (2018), já não está em lista alguma.',
    }),
  ],
  cnd: [
    desconhecidaCnd('DF', {
      abrange: { debitos: 'ambos', origem: 'papel de 2026-08-26: "inclusive os relativos à Dívida Ativa"' },
      url: 'https://ww1.receita.fazenda.df.gov.br/cidadao/certidoes/Certidao',
      documentos: { cnpj: '2', cpf: '1' },
      captcha: { tipo: 'turnstile', quando: 'sempre' },
      origem: 'código aberto de raspagem, com navegador',
      em: '2026',
      nota: 'Conhecem-se a tela (tipo, documento, finalidade, "Gerar PDF"; um diálogo diz que há débitos) e o pedido do relatório, mas ele leva, além do código do Turnstile, P_TurnstileResponseToken: um texto de cerca de 1 kB que o servidor respondeu antes, a um pedido que ninguém viu.',
    }),
  ],
} satisfies Estado
