import type { Estado } from '../estado.ts'
import { primeFaces } from '../families/primefaces.ts'
import { primeFacesPedido } from '../families/primefaces-pedido.ts'

export const estado = {
  uf: 'PI',
  exemplo: '99034210000168',
  ie: [
    primeFaces('PI', {
      url: 'http://webas.sefaz.pi.gov.br/SintegraConsultaPublica/',
      documentos: { cnpj: '', ie: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      campos: { cnpj: 'cnpj', ie: 'ie' },
      imagem: 'img[src*="primefaces_image"]',
      resposta: 'captcha',
      botao: 'Consultar',
      rotulos: { 'Data da Última Atualização': 'data_situacao', 'Motivo da Situação': 'ignorado' },
      certeza: 'antigo',
      espera: {
        marca: 'Situação Cadastral',
        minimo: 60,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie'],
      },
      origem: 'biblioteca aberta de consultas (2018) e outro código aberto, que confirma os campos',
      em: '2018-03',
      nota: 'O estado encaminha as consultas para o Cadastro Centralizado de Contribuintes (CCC), que exige login gov.br. A página aceita também CPF, mas não se sabe em que campo.',
    }),
  ],
  cnd: [
    primeFacesPedido('PI', {
      url: 'https://webas.sefaz.pi.gov.br/certidaonft-web/index.xhtml',
      documentos: { cnpj: 'PJ', cpf: 'PF' },
      captcha: 'nenhum',
      campos: { tipo: 'tipoPessoa', documento: 'cpfCnpj' },
      vazios: ['contribuinteIncricaoId'],
      certidao: 'Situação Fiscal e Tributária',
      registrada: 'Solicitação registrada',
      processando: 'Em processamento',
      intervaloMs: 5_000,
      mensagem: '.ui-messages-info-detail, .ui-messages-error-detail',
      layout: {},
      naoContribuinte: 'ie',
      certeza: 'memoria',
      origem: 'código aberto que opera as telas, sem data; parte dos nomes de campos foi deduzida',
      em: '2026-11',
      nota: 'Entrega a Certidão de Situação Fiscal e Tributária, pedida agora e buscada depois: pode levar minutos. A de Dívida Ativa é outra, no mesmo portal.',
    }),
  ],
} satisfies Estado
