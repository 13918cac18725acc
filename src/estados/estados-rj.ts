import type { Estado } from '../portal/estado.ts'
import { desconhecidaCnd } from '../portal/families-desconhecida.ts'
import { jsfCnd } from './jsf-certidao.ts'
import { richFaces4Ie } from './rj.ts'

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
      espera: {
        marca: 'Data da Situação Cadastral',
        minimo: 180,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: ['cnae_codigo', 'cnae_descricao', 'data_situacao', 'regime_apuracao_icms'],
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem; endereço em lista de links de 2026',
      em: '2019-06',
      nota: 'Endereço novo com os campos do antigo: ninguém os viu depois de 2019, e um código de 2026 só relata captcha ou moldura. Da grade só se conhece a coluna da inscrição; as outras são lidas pelos títulos, que não foram vistos.',
    }),
  ],
  cnd: [
    desconhecidaCnd('RJ', {
      abrange: {
        debitos: 'nao-inscritos',
        origem: 'Resolução SEFAZ 109/2017',
        resto: 'a Procuradoria-Geral do Estado (consultadividaativa.rj.gov.br)',
      },
      url: 'https://crf-unificada-web.fazenda.rj.gov.br/crf-unificada-web/',
      documentos: { cnpj: '', cpf: '' },
      captcha: 'nenhum',
      origem: 'listas de links',
      em: '2026',
      nota: 'É o portal novo, para quem não tem inscrição, de que só se conhece o endereço; quem tem entra no DEC (https://portal.fazenda.rj.gov.br/dec/), com login.',
    }),
    jsfCnd('RJ', {
      segunda: true,
      url: 'https://www4.fazenda.rj.gov.br/certidao-fiscal-web/emitirCertidao.jsf',
      documentos: { cpf: ':0', cnpj: ':1' },
      captcha: 'nenhum',
      form: 'consultaCertidao',
      tipo: 'consultaCertidao:pessoaFisicaJuridica',
      campo: 'consultaCertidao:cpfCnpj',
      botao: 'Enviar',
      layout: {},
      espera: {
        marca: 'CERTIDÃO',
        minimo: 200,
        titulo: /CERTIDAO (?:NEGATIVA|POSITIVA)[^.:;]{0,10}DE DEBITOS|CERTIDAO DE REGULARIDADE FISCAL/,
        partes: ['protocolo', 'emissao', 'validade'],
      },
      abrange: {
        debitos: 'nao-inscritos',
        origem: 'Resolução SEFAZ 109/2017',
        resto: 'a Procuradoria-Geral do Estado (consultadividaativa.rj.gov.br)',
      },
      naoContribuinte: 'ie',
      certeza: 'antigo',
      origem: 'dois robôs de navegador sem data, em código aberto; o endereço, em listas de 2026',
      em: '2026',
      nota: 'A página antiga, que três listas de 2026 ainda dão, uma delas sem conferir. O que a escolha do tipo de documento envia é lido da página. A certidão da dívida ativa é outra, da PGE.',
    }),
  ],
} satisfies Estado
