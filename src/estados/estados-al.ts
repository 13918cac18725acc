import type { Estado } from '../portal/estado.ts'
import { jsonCertidao } from '../portal/json-certidao.ts'
import { jsonCadastro } from './al.ts'

const API = '/sfz-cadastro-api/api/contribuinte/'

export const estado = {
  uf: 'AL',
  exemplo: '99167913000164',
  ie: [
    jsonCadastro('AL', {
      url: 'https://cadastro.sefaz.al.gov.br/',
      documentos: { cnpj: '', ie: '' },
      captcha: 'nenhum',
      espera: { marca: 'situacaoCadastral', minimo: 20, campos: ['inscricao_estadual', 'situacao_ie'] },
      certeza: 'verificado',
      origem:
        'código aberto que consulta a API do cadastro (a página dela é https://cadastro.sefaz.al.gov.br/#/fic)',
      em: '2026-08-27',
      nota: 'Conta a inscrição, a situação, a data e o motivo; nome e endereço ninguém mostrou e vêm vazios. O endereço anterior (sintegra.sefaz.al.gov.br) respondia 503 em 08/2026. Outros clientes da API esperam 0,3 s entre CNPJs; que ela bloqueie quem não espera, ninguém diz.',
      lista: (cnpj, pagina) => `${API}obterListaContribuintes/CNPJ/${cnpj}/${pagina}/50`,
      item: {
        numero: 'numeroCaceal',
        digito: 'identificacao.digitoCaceal',
        membros: {
          situacao_cadastral: 'situacaoCadastral.situacaoCadastralContribuinte',
          // The page writes it so.
          data_situacao: 'situacaoCadastral.dataAlteracaoSituacaoCastral',
        },
      },
      ficha: {
        // The 8 digits before the check digit. With the check digit the API answers 404.
        url: (ie) => `${API}obterDadosFic/${ie.slice(0, 8)}`,
        membros: {
          situacao_cadastral: 'situacaoCadastralRecente.situacaoCadastral',
          data_situacao: 'situacaoCadastralRecente.dataAlteracaoSituacaoCadastral',
        },
      },
    }),
  ],
  cnd: [
    jsonCertidao('AL', {
      url: 'https://contribuinte.sefaz.al.gov.br/certidao/',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      captcha: 'nenhum',
      espera: { marca: 'Certidão', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
      certeza: 'verificado',
      origem: 'três códigos abertos de emissão, um deles com testes',
      em: '2025-11-17',
      nota: 'O pedido por CPF é dedução do pedido por CNPJ.',
      abrange: { debitos: 'desconhecido', origem: '' },
      naoContribuinte: 'ie',
      pedir: ({ tipo, documento }, _resposta, now) => ({
        url: `/certidao/sfz-certidao-api/api/public/emitirCertidao?cacheBuster=${now.getTime()}`,
        json: { numeroDocumento: documento, tipoDocumento: tipo.toUpperCase() },
      }),
      pdf: 'conteudo',
      // It comes with status 500.
      mensagem: 'description',
      layout: {
        // The certificate has no printed number. Its control code identifies it.
        numero: /CODIGO DE CONTROLE DA CERTIDAO ?: ?((?=[A-Z.-]*\d)[A-Z0-9][A-Z0-9.-]{4,40})/,
        verificacao: 'https://contribuinte.sefaz.al.gov.br/certidao/',
      },
    }),
  ],
} satisfies Estado
