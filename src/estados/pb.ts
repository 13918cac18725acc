import { cadastroSvrs } from '../portal/cadastro-svrs.ts'
import type { Estado } from '../portal/estado.ts'
import { telas } from '../portal/telas.ts'
import { celulas } from './celulas.ts'

const CERTIDAO = 'https://www.sefaz.pb.gov.br/servirtual/certidoes/emissao-de-certidao-de-debitos-'

const ATF = 'https://www4.sefaz.pb.gov.br/atf/dia/DIAf_EmitirCertidaoDebito.do'

/** The form of the certificate, in any frame. */
const certidao = {
  form: 'form:has(#tbCertidao)',
  documentos: { cnpj: '', cpf: '' },
  campo: '#tbCertidao tr:nth-of-type(3) td:nth-of-type(2) input',
  acao: 'hidAcao',
  // The robot that we know ignores it. Other pages of the ATF have it (2026).
  captcha: { tipo: 'recaptcha-v2', quando: 'as-vezes' },
  verificacao: '#tbCaptcha',
  envio: { seletor: '#tbCaptcha button' },
  passos: [],
  espera: { marca: 'CERTIDÃO', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
  abrange: { debitos: 'desconhecido', origem: '' },
  naoContribuinte: 'ie',
  certeza: 'antigo',
  origem: 'robô de navegador, em código aberto, sem data, que perguntava pela inscrição',
  em: '2026-11',
  nota: 'Vistos: o campo, pelo lugar, e o botão. Se há reCAPTCHA, e o que a página envia, lê-se dela; a falta é falha. O robô perguntava pela inscrição estadual; se a página toma CPF e CNPJ no mesmo campo diz-se, não se viu.',
} as const

export const estado = {
  uf: 'PB',
  exemplo: '99076200000195',
  ie: [
    cadastroSvrs('PB'),
    celulas('PB', {
      segunda: true,
      url: 'https://www4.sefaz.pb.gov.br/sintegra/SINf_ConsultaSintegra.jsp',
      charset: 'iso-8859-1',
      destino: 'SINf_ConsultaSintegra',
      documentos: { cnpj: '2', cpf: '3' },
      preencher: ({ tipo, documento }) => ({
        tipoDoc: tipo.toUpperCase(),
        tpDocumento: tipo === 'cpf' ? '3' : '2',
        nrDocumento: documento,
      }),
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre' },
      resposta: { campo: 'g-recaptcha-response' },
      // HTTP 404 with a page of the application, not of the web server, means that nobody has a registration
      // by this document.
      semEndereco: 'was not found on this server',
      valores: [
        'cpf_cnpj',
        'inscricao_estadual',
        'razao_social',
        'logradouro',
        'numero',
        'complemento',
        'bairro',
        'municipio',
        'uf_ie',
        'cep',
        'ignorado',
        'atividade',
        'regime_pagamento',
        'situacao_cadastral',
        'data_situacao',
      ],
      // The words of the page are unknown.
      espera: {
        marca: '',
        minimo: 60,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio'],
      },
      certeza: 'verificado',
      origem: 'dois códigos abertos de raspagem',
      em: '2026',
      nota: 'Os valores são lidos pelo lugar que ocupam na tabela, que é o que se conhece dela; de quem tem várias inscrições não se sabe o que mostra. O código da consulta por inscrição não é conhecido. Em 08/2026 derrubava as conexões vindas de centros de dados.',
    }),
  ],
  cnd: [
    telas('PB', {
      ...certidao,
      url: `${CERTIDAO}empresa`,
      enderecos: { cpf: `${CERTIDAO}cidadao` },
      moldura: 'iframe[src*="DIAf_EmitirCertidaoDebito"]',
      nota: `${certidao.nota} Este é o portal novo, que mostra a página do ATF numa moldura.`,
    }),
    telas('PB', {
      ...certidao,
      segunda: true,
      url: `${ATF}?limparSessao=true&h=https://www.sefaz.pb.gov.br/ser/servirtual/credenciamento/info&idSERVirtual=S`,
      nota: `${certidao.nota} Esta é a página do ATF que o portal novo mostra, aberta por si.`,
    }),
  ],
} satisfies Estado
