import { cadastro } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { inscricoes } from '../portal/resultado.ts'
import { webforms } from '../portal/webforms.ts'

/** This stands before the name of each control of the first tab of CADESP. */
const FILTRO = 'ctl00$conteudoPaginaPlaceHolder$filtroTabContainer$filtroEmitirCertidaoTabPanel$'

export const estado = {
  uf: 'SP',
  exemplo: '99001002000162',
  ie: [
    cadastro('SP', {
      producao: 'https://nfe.fazenda.sp.gov.br/ws/cadconsultacadastro4.asmx',
      homologacao: 'https://homologacao.nfe.fazenda.sp.gov.br/ws/cadconsultacadastro4.asmx',
      refusesCpf: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    webforms('SP', {
      leitor: inscricoes({
        espera: {
          marca: 'Posto Fiscal',
          minimo: 430,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [...camposDoSintegra, 'nome_fantasia', 'regime_apuracao_icms', 'situacao_nfe'],
        },
        rotulos: {
          // These are the headings of two blocks.
          Estabelecimento: 'ignorado',
          'Informações NF-e': 'ignorado',
          'Natureza Jurídica': 'natureza_juridica',
          'Ocorrência Fiscal': 'ignorado',
          'Posto Fiscal': 'ignorado',
          // CADESP 4.29.0.
          'Atividades Econômicas': 'atividade',
          'Código de controle da consulta': 'ignorado',
          'Consulta Pública ao Cadastro ICMS': 'ignorado',
          'Cadastro de Contribuintes de ICMS - Cadesp': 'ignorado',
          'Data de Credenciamento como emissor de NF-e': 'ignorado',
          'Indicador de Obrigatoriedade de NF-e': 'situacao_nfe',
          'Data de Início da Obrigatoriedade de NF-e': 'ignorado',
        },
        frases: [
          { desfecho: 'nao-encontrado', texto: 'Não existem registros que atendem ao critério de filtro' },
          { desfecho: 'captcha-errado', seletor: '[id$=MensagemErroFiltroLabel]:contains("imagem")' },
        ],
      }),
      segunda: true,
      url: 'https://www.cadesp.fazenda.sp.gov.br/Pages/Cadastro/Consultas/ConsultaPublica/ConsultaPublica.aspx',
      documentos: { ie: '0', cnpj: '1' },
      captcha: {
        tipo: 'imagem',
        quando: 'sempre',
        campo: `${FILTRO}imagemDinamicaTextBox`,
        imagem: { seletor: 'img[src*=imagemDinamica]' },
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem (CADESP)',
      em: '2019-06',
      nota: 'CADESP, que em 2026-09-29 estava atrás do F5 Shape: é de esperar que bloqueie programas, e o bloqueio é dito como tal. Não tem consulta por CPF: o produtor rural de SP tem CNPJ e inscrição. O código da consulta por IE na lista é o inicial, não confirmado.',
      tipo: { seletor: `[name="${FILTRO}tipoFiltroDropDownList"]`, reloads: true },
      campo: `[name="${FILTRO}valorFiltroTextBox"]`,
      forma: 'digitos',
      botao: `[name="${FILTRO}consultaPublicaButton"]`,
    }),
  ],
  cnd: [
    webforms('SP', {
      leitor: certidao({
        espera: {
          marca: 'débitos tributários',
          minimo: 200,
          titulo: /DEBITOS TRIBUTARIOS NAO INSCRITOS/,
          partes: ['protocolo', 'emissao', 'validade'],
        },
        abrange: {
          debitos: 'nao-inscritos',
          origem: 'o título do papel, 2022 a 2026',
          resto: 'a Procuradoria-Geral do Estado (CRDA, www.dividaativa.pge.sp.gov.br)',
        },
        naoContribuinte: 'ie',
        // The paper has no title that begins with "Certidão", and its values stand after all labels (2022 to
        // 2026).
        layout: {
          titulo: /DEBITOS TRIBUTARIOS NAO INSCRITOS NA DIVIDA ATIVA(?: DO ESTADO DE SAO PAULO)?/,
          forma: /\d{11}-\d{2}/,
        },
        mensagem: '.bg-danger',
      }),
      url: 'https://www10.fazenda.sp.gov.br/CertidaoNegativaDeb/Pages/EmissaoCertidaoNegativa.aspx',
      documentos: { cnpj: 'cnpjradio', cpf: 'cpfradio' },
      captcha: {
        tipo: 'recaptcha-v2',
        quando: 'sempre',
        campo: ['g-recaptcha-response', 'ctl00$MainContent$hdgrecaptcha'],
      },
      horario: { dias: 'uteis', das: 6, as: 21 },
      certeza: 'verificado',
      origem: 'três códigos abertos de emissão',
      em: '2026-07-22',
      nota: 'É a dos débitos não inscritos na dívida ativa, da SEFAZ-SP, emitida para qualquer CPF ou CNPJ; a dos inscritos é outra, da PGE-SP (CRDA). Quem tem pendências a requer pelo SIPET. O documento vai com pontuação; só os dígitos também são aceitos.',
      tipo: { seletor: '#MainContent_cnpjradio, #MainContent_cpfradio' },
      campo: '#MainContent_txtDocumento',
      forma: 'mascara',
      botao: '#MainContent_btnPesquisar',
      caminho: { botao: '#MainContent_btnImpressao' },
    }),
  ],
} satisfies Estado
