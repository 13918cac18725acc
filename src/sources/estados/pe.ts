import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'
import { efisco } from '../families/efisco.ts'

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
      nota: 'Sem segunda via: do portal (e-Fisco, atrás de um firewall que recusa programas) só se conhecem os rótulos.',
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
        { evento: 'processarFiltroConsulta', qt_registros_pagina: '20', btt_localizar: 'Localizar (l)' },
        { evento: 'exibirConfirmacaoRegularidadeFiscal' },
        { evento: 'exibirDocumento', parametro_metodo_botao: 'in_content_type_app_octetstream' },
      ],
      captcha: 'nenhum',
      naoContribuinte: 'ie',
      certeza: 'verificado',
      origem: 'código aberto de emissão, com testes',
      em: '2026-09',
      nota: 'Verificada por CPF; o código do CNPJ é o de outras páginas do e-Fisco.',
    }),
  ],
} satisfies Estado
