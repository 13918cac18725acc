import type { Estado } from '../estado.ts'
import { jsonCadastro } from '../families/json-cadastro.ts'
import { jsonCertidao } from '../families/json-certidao.ts'

export const estado = {
  uf: 'AL',
  exemplo: '99167913000164',
  ie: [
    jsonCadastro('AL', {
      url: 'https://sintegra.sefaz.al.gov.br/',
      documentos: { cnpj: '', ie: '' },
      captcha: 'nenhum',
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      nota: 'Em 08/2026 respondia 503. Dos campos da resposta, só caceal e cnpj são certos; os outros são dedução.',
      destino: (now) => `/sfzsintegraapi/api/consultar/contribuinte?cacheBuster=${now.getTime()}`,
      pedir: ({ tipo, documento }) => ({
        caceal: tipo === 'ie' ? documento : '',
        cnpj: tipo === 'cnpj' ? documento : '',
      }),
      membros: {
        inscricao_estadual: 'caceal',
        cpf_cnpj: 'cnpj',
        razao_social: 'razaoSocial',
        data_inicio_atividade: 'dataInscricao',
        logradouro: 'logradouro',
        numero: 'numero',
        complemento: 'complemento',
        bairro: 'bairro',
        municipio: 'municipio',
        cep: 'cep',
        cnae_codigo: 'cnae',
        cnae_descricao: 'descricaoCnae',
        situacao_cadastral: 'situacaoCadastral',
        data_situacao: 'dataSituacaoCadastral',
      },
    }),
  ],
  cnd: [
    jsonCertidao('AL', {
      url: 'https://contribuinte.sefaz.al.gov.br/certidao/',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      captcha: 'nenhum',
      certeza: 'verificado',
      origem: 'três códigos abertos de emissão, um deles com testes',
      em: '2025-11-17',
      nota: 'O pedido por CPF é dedução do pedido por CNPJ.',
      naoContribuinte: 'ie',
      pedir: ({ tipo, documento }, _resposta, now) => ({
        url: `/certidao/sfz-certidao-api/api/public/emitirCertidao?cacheBuster=${now.getTime()}`,
        json: { numeroDocumento: documento, tipoDocumento: tipo.toUpperCase() },
      }),
      pdf: 'conteudo',
      // Comes with status 500.
      mensagem: 'description',
      layout: {
        // No number is printed: the control code is what a certificate is known by.
        numero: /CODIGO DE CONTROLE DA CERTIDAO ?: ?([A-Z0-9.-]+)/,
        verificacao: 'https://contribuinte.sefaz.al.gov.br/certidao/',
      },
    }),
  ],
} satisfies Estado
