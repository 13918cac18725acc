import type { Estado } from '../portal/estado.ts'
import { camposDoSintegra } from '../portal/inscricao-rotulo.ts'
import { richFaces3Cnd, richFaces3Ie } from './ma.ts'

export const estado = {
  uf: 'MA',
  exemplo: '99049390000151',
  ie: [
    richFaces3Ie('MA', {
      url: 'https://sistemas1.sefaz.ma.gov.br/sintegra/jsp/consultaSintegra/consultaSintegraFiltro.jsf',
      documentos: { cnpj: '2', cpf: '2', ie: '1' },
      charset: 'iso-8859-1',
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre' },
      form: 'form1',
      tipo: 'form1:tipoEmissao',
      botao: '[id="form1:pnlPrincipal4"] input:eq(1)',
      abrir: '[id$=":pnlCadastro"] input[type=image]',
      rotulos: {
        CGC: 'cpf_cnpj',
        'Regime Apuração': 'regime_apuracao_icms',
        DDD: 'ignorado',
        'NFe a partir de': 'situacao_nfe',
        // So it was seen on 2025-08-25: "01/10/2010 - (2950600), 29/01/2021 - (Devido emissão voluntária),".
        "NFe a partir de (CNAE's)": 'situacao_nfe',
        'EDF a partir de': 'ignorado',
        'CTE a partir de': 'ignorado',
        'Número da Consulta': 'ignorado',
      },
      espera: {
        marca: 'Situação Cadastral Vigente',
        minimo: 200,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [...camposDoSintegra, 'regime_apuracao_icms', 'situacao_nfe'],
      },
      certeza: 'verificado',
      origem: 'código aberto de raspagem, com gravações das três páginas',
      em: '2025-08-28',
      nota: 'A escolha do tipo de documento por AJAX é de um código de 2019. Como a lista mostra mais de uma inscrição não foi visto: abre-se cada uma pela sua imagem.',
    }),
  ],
  cnd: [
    richFaces3Cnd('MA', {
      url: 'https://sistemas1.sefaz.ma.gov.br/certidoes/jsp/emissaoCertidaoNegativa/emissaoCertidaoNegativa.jsf',
      documentos: { cnpj: '2', cpf: '2' },
      charset: 'iso-8859-1',
      captcha: { tipo: 'imagem', quando: 'sempre' },
      form: 'form1',
      tipo: 'form1:tipoEmissao',
      codigoIe: '1',
      campos: { cnpj: 'form1:cpfCnpj', cpf: 'form1:cpfCnpj', ie: 'form1:inscricaoEstadual' },
      botao: { nome: 'form1:btn', valor: 'Emitir Certidão' },
      mensagem: '[class*="pf-messages"][class*="-detail"]',
      // In "Nº 226555/26" the year is part of the number.
      layout: { numero: /\bNº ?:? ?(\d+\/\d{2,4})\b/ },
      abrange: {
        debitos: 'nao-inscritos',
        origem: 'o portal emite duas certidões; esta fala dos tributos administrados pela SEFAZ',
        resto: 'a Certidão Negativa de Dívida Ativa (CNDA), do mesmo portal',
      },
      naoContribuinte: 'ie',
      espera: { marca: 'Validade da Certidão', minimo: 250, partes: ['protocolo', 'emissao', 'validade'] },
      certeza: 'verificado',
      origem: 'código aberto de emissão de certidões, com testes',
      em: '2026',
      nota: 'Entrega a Certidão Negativa de Débito (CND). A de Dívida Ativa (CNDA) é outra, de página gêmea no mesmo portal. Quem tem inscrição ativa só recebe a certidão por ela.',
    }),
  ],
} satisfies Estado
