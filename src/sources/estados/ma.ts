import type { Estado } from '../estado.ts'
import { richFaces3Cnd, richFaces3Ie } from '../families/richfaces3.ts'

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
      botao: 'Consulta',
      certeza: 'antigo',
      origem: 'código aberto de raspagem; endereço em lista de links de 2026',
      em: '2019-06',
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
      // "Nº 226555/26": the year stays with the number.
      layout: { numero: /\bNº ?:? ?(\d+\/\d{2,4})\b/, validadeDias: 90 },
      naoContribuinte: 'ie',
      certeza: 'verificado',
      origem: 'código aberto de emissão de certidões, com testes',
      em: '2026',
      nota: 'Entrega a Certidão Negativa de Débito (CND). A de Dívida Ativa (CNDA) é outra, no mesmo portal. Quem tem inscrição ativa só recebe a certidão por ela.',
    }),
  ],
} satisfies Estado
