import type { TipoDocumento } from '../documento/documento.ts'
import type { Estado } from '../portal/estado.ts'
import { formulario } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { inscricoes } from '../portal/resultado.ts'
import { desconhecidaCnd } from '../portal/rota.ts'

const documentos = { ie: '1', cpf: '2', cnpj: '3' } as const satisfies Record<TipoDocumento, string>

export const estado = {
  uf: 'RO',
  exemplo: '99011891000300',
  ie: [
    formulario('RO', {
      leitor: inscricoes({
        espera: {
          marca: 'Situação do Contribuinte',
          minimo: 410,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [...camposDoSintegra, 'nome_fantasia', 'data_inicio_atividade', 'regime_pagamento'],
        },
        rotulos: {
          // This is the page's title.
          'Consulta Pública ao Cadastro': 'ignorado',
          NIRE: 'ignorado',
          'Utilização do Estabelecimento': 'ignorado',
          Endereço: 'logradouro',
          'Situação do Contribuinte': 'situacao_cadastral',
          'Data da Situação': 'data_situacao',
          'Data Inicio Atividade': 'data_inicio_atividade',
        },
      }),
      url: 'https://portalcontribuinte.sefin.ro.gov.br/Publico/parametropublica.jsp',
      documentos,
      captcha: 'nenhum',
      certeza: 'antigo',
      origem: 'código aberto de raspagem; em 08/2026 a página respondia',
      em: '2019-06',
      nota: 'Responde também a GET, sem o botão. Os códigos de IE e de CPF na consulta são de memória; o de CNPJ é certo.',
      destino: 'consultapublica.jsp',
      fill: ({ tipo, documento }) => ({
        TipoDevedor: documentos[tipo],
        NuDevedor: documento,
        B1: 'Consultar Cadastro',
      }),
    }),
  ],
  cnd: [
    desconhecidaCnd('RO', {
      abrange: { debitos: 'ambos', origem: 'página da agência virtual da SEFIN-RO, de 2023-10-30' },
      url: 'https://portalcontribuinte.sefin.ro.gov.br/Publico/certidaoNegativa.jsp',
      documentos: { cnpj: '', cpf: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      origem: 'página da agência virtual da SEFIN-RO e listas de links',
      em: '2026-09',
      nota: 'Do formulário só se sabe que pede um captcha, não de que tipo nem em que campos. Emite a CNTE (negativa) e a CPTE (positiva com efeito de negativa), por inscrição, CNPJ ou CPF, para toda a raiz do CNPJ, válidas por 90 dias; um pagamento conta em 15 minutos.',
    }),
  ],
} satisfies Estado
