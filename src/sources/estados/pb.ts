import type { Estado } from '../estado.ts'
import { cadastroSvrs } from '../families/cadastro-svrs.ts'
import { celulas } from '../families/celulas.ts'
import { telas } from '../families/telas.ts'

const CERTIDAO = 'https://www.sefaz.pb.gov.br/servirtual/certidoes/emissao-de-certidao-de-debitos-'

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
      // Nobody has a registration by this document: HTTP 404, with a page that is not the web server's own.
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
      // No word of the page is known.
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
      url: `${CERTIDAO}empresa`,
      enderecos: { cpf: `${CERTIDAO}cidadao` },
      moldura: 'iframe[src*="DIAf_EmitirCertidaoDebito"]',
      form: 'form:has(#tbCertidao)',
      documentos: { cnpj: '', cpf: '', ie: '' },
      campo: '#tbCertidao input:not([type=hidden])',
      captcha: { tipo: 'imagem', quando: 'sempre' },
      imagem: '#tbCaptcha',
      envio: { campos: { hidAcao: 'emitir', hidHistorico: '-1' } },
      passos: [],
      naoContribuinte: 'ie',
      certeza: 'desconhecido',
      origem: 'robô de navegador, que conhece a página e não os campos',
      em: '2026',
      nota: 'Que captcha a página pede e o que ela envia não se sabe.',
    }),
  ],
} satisfies Estado
