import type { Estado } from '../portal/estado.ts'
import { cadastro } from '../portal/families-cadastro.ts'
import { efisco } from './efisco.ts'
import { efiscoCadastro } from './pe.ts'

/** The fields that go with the events of a list. */
const lista = { qt_registros_pagina: '20' }

export const estado = {
  uf: 'PE',
  exemplo: '99026700000112',
  ie: [
    cadastro('PE', {
      producao: 'https://nfe.sefaz.pe.gov.br/nfe-service/services/CadConsultaCadastro4',
      homologacao: 'https://nfehomolog.sefaz.pe.gov.br/nfe-service/services/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    efiscoCadastro('PE', {
      segunda: true,
      url: 'https://efisco.sefaz.pe.gov.br/sfi_trb_gcc/PRConsultarExtratoCadastroContribuinteResumido',
      situacao: 'PREmitirDIAC',
      charset: 'windows-1252',
      documentos: { ie: '1', cnpj: '2', cpf: '3' },
      captcha: 'nenhum',
      // Another client of the page makes the same pause.
      paceMs: 1000,
      frases: [{ desfecho: 'nao-encontrado', texto: 'Nenhum registro' }],
      // The words of the pages are unknown.
      espera: {
        marca: '',
        minimo: 20,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'cpf_cnpj'],
      },
      certeza: 'verificado',
      origem: 'três códigos abertos de consulta ao e-Fisco, sem navegador',
      em: '2025-04-30',
      nota: 'Conta a inscrição, o nome, o nome fantasia e a situação; o endereço não. De quem tem 20 inscrições ou mais não se sabe pedir a página seguinte.',
    }),
  ],
  cnd: [
    efisco('PE', {
      url: 'https://efisco.sefaz.pe.gov.br/sfi_trb_gcc/PREmitirCertidaoRegularidadeFiscalMovel',
      charset: 'windows-1252',
      campoTipo: 'TpDocumentoIdentificacaoCertidaoRegularidade',
      campoDocumento: 'NuDocumentoIdentificacaoCertidaoRegularidade',
      documentos: { cnpj: '2', cpf: '3' },
      eventos: [
        { ...lista, evento: 'processarFiltroConsulta', btt_localizar: 'Localizar (l)' },
        { ...lista, evento: 'exibirConfirmacaoRegularidadeFiscal' },
        { evento: 'exibirDocumento', parametro_metodo_botao: 'in_content_type_app_octetstream' },
      ],
      captcha: 'nenhum',
      layout: {
        // Seen on e-Fisco's certificates of debts (2023-05-27).
        forma: /\d{4}\.\d{12}-\d{2}/,
      },
      abrange: { debitos: 'desconhecido', origem: '' },
      naoContribuinte: 'ie',
      espera: {
        marca: 'regularidade fiscal',
        minimo: 200,
        // e-Fisco gives its certificate of debts the same look and end (2023-05-27).
        titulo:
          /CERTIDAO DE (?:IR)?REGULARIDADE FISCAL|CERTIDAO (?:NEGATIVA|POSITIVA|NARRATIVA)[^.:;]{0,20}DE DEBITOS FISCAIS/,
        partes: ['protocolo', 'emissao', 'validade'],
      },
      certeza: 'verificado',
      origem: 'código aberto de emissão, com testes',
      em: '2026-09',
      nota: 'Três impressões de 2025-05 a 2026-02 trazem o título PREmitirCertidaoRegularidadeFiscal, sem Movel. Verificada por CPF; o código do CNPJ é o de duas outras páginas do e-Fisco. Quem não tem registro recebe a certidão mesmo assim.',
    }),
  ],
} satisfies Estado
