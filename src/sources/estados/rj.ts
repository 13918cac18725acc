import type { Estado } from '../estado.ts'
import { richFaces4Cnd, richFaces4Ie } from '../families/richfaces4.ts'

export const estado = {
  uf: 'RJ',
  exemplo: '99012260000144',
  ie: [
    richFaces4Ie('RJ', {
      url: 'https://sucief-sincad-web.fazenda.rj.gov.br/sincad-web/index.jsf',
      documentos: { cnpj: '', cpf: '', ie: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      form: 'formulario',
      campos: { cnpj: 'formulario:txtCNPJ', cpf: 'formulario:txtCPF', ie: 'formulario:txtInsEst' },
      imagem: 'img[src*="captchaServlet"]',
      resposta: 'formulario:cap',
      botao: 'formulario:btnPesquisar',
      fixos: { skipValidation: 'false' },
      grade: 'formulario:tabelaIE',
      colunaIe: 3,
      certeza: 'antigo',
      origem: 'código aberto de raspagem; endereço em lista de links de 2026',
      em: '2019-06',
      nota: 'Da grade só se conhece a coluna da inscrição; as outras são lidas pelos títulos, que não foram vistos.',
    }),
  ],
  cnd: [
    richFaces4Cnd('RJ', {
      url: 'https://www4.fazenda.rj.gov.br/certidao-fiscal-web/emitirCertidao.jsf',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      captcha: 'nenhum',
      form: 'formulario',
      tipo: 'formulario:tipoDocumento',
      campo: 'formulario:txtDocumento',
      botao: 'formulario:btnEmitir',
      mensagem: '.rf-msgs-det',
      layout: {},
      naoContribuinte: 'ie',
      certeza: 'desconhecido',
      origem: 'listas de links, sem os passos; a página antiga não foi confirmada',
      em: '2026-09',
      nota: 'Hoje quem não tem inscrição pede a Certidão de Regularidade Fiscal em https://crf-unificada-web.fazenda.rj.gov.br/crf-unificada-web/ e quem tem entra no DEC (https://portal.fazenda.rj.gov.br/dec/), com login. A da dívida ativa é outra, da PGE.',
    }),
  ],
} satisfies Estado
