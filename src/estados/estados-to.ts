import type { Estado } from '../portal/estado.ts'
import { camposDoSintegra } from '../portal/inscricao-rotulo.ts'
import { genexusEventosCnd, genexusEventosIe } from './to.ts'

const captcha = { tipo: 'recaptcha-v2', quando: 'sempre' } as const

export const estado = {
  uf: 'TO',
  exemplo: '99002516000132',
  ie: [
    genexusEventosIe('TO', {
      url: 'https://sintegra.sefaz.to.gov.br/sintegra/servlet/wpsico01',
      documentos: { cnpj: "E'CNPJ'.", cpf: "E'CPF'.", ie: "E'IE'." },
      captcha,
      campos: { cnpj: 'vCNPJ', cpf: 'vCPF', ie: 'vIE' },
      espera: {
        marca: 'Situação Cadastral Vigente',
        minimo: 330,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [...camposDoSintegra, 'data_inicio_atividade', 'regime_apuracao_icms', 'situacao_nfe'],
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem; endereço em lista de links',
      em: '2026-09',
      nota: 'O evento do CNPJ é conhecido; os de CPF e de IE seguem o nome dele. A resposta pode ser a página ou comandos (JSON) que levam a ela, como em outras páginas do GeneXus.',
    }),
  ],
  cnd: [
    genexusEventosCnd('TO', {
      url: 'https://www.sefaz.to.gov.br/cnd/com.cnd.hecwbcnd01',
      documentos: { cnpj: '', cpf: '' },
      captcha,
      campos: { cnpj: 'vNUM_CNPJ', cpf: 'vNUM_CPF' },
      finalidade: { campo: 'vFINALIDADE1', opcao: 'CADASTRO' },
      emitir: 'BUTTON3',
      imprimir: 'BUTTON6',
      mensagem: '.gx_ev .ErrorViewerBullet',
      layout: {},
      abrange: { debitos: 'desconhecido', origem: '' },
      naoContribuinte: 'ie',
      certeza: 'antigo',
      origem: 'código aberto de emissão de certidões e lista de links, sem data',
      em: '2026-11',
      espera: { marca: 'Certidão', minimo: 150, partes: ['protocolo', 'emissao', 'validade'] },
      nota: 'A certidão é pedida com a finalidade CADASTRO. A impressão abre outra página (arecrpcnd), que é o PDF; como a resposta do evento leva a ela não foi visto.',
    }),
  ],
} satisfies Estado
