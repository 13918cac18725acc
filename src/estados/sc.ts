import { cadastroSvrs } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { inscricoes } from '../portal/resultado.ts'
import { webforms } from '../portal/webforms.ts'

const BUSCA = '#Body_Main_Main_sepBusca_'
const RESULTADO = '#Body_Main_Main_ctnResultado_'

export const estado = {
  uf: 'SC',
  exemplo: '99002844000139',
  ie: [
    cadastroSvrs('SC'),
    webforms('SC', {
      leitor: inscricoes({
        espera: {
          marca: 'Situação Cadastral',
          minimo: 290,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [...camposDoSintegra, 'nome_fantasia', 'data_inicio_atividade', 'regime_apuracao_icms'],
        },
        frases: [{ desfecho: 'captcha', seletor: '.g-recaptcha' }],
      }),
      segunda: true,
      url: 'https://sat.sef.sc.gov.br/tax.NET/Sat.Cadastro.Web/ComprovanteIE/Consulta.aspx',
      // The CNPJ's value is known. The others are found by their words.
      documentos: { cnpj: '2', cpf: 'CPF', ie: 'IE' },
      captcha: { tipo: 'recaptcha-v2', quando: 'as-vezes' },
      certeza: 'verificado',
      origem: 'diagnóstico dos portais e código aberto, num navegador',
      em: '2026-08',
      nota: 'O pedido é o do painel (ASP.NET AJAX) que um código aberto faz sem navegador; a forma do resultado foi vista em parte.',
      tipo: { seletor: `${BUSCA}idnContribuinte_IdentificationTypeField` },
      campo: `${BUSCA}idnContribuinte_MaskedField`,
      forma: 'mascara',
      botao: `${BUSCA}btnBuscar`,
      painel: 'uppBusca',
    }),
  ],
  cnd: [
    webforms('SC', {
      leitor: certidao({
        espera: { marca: 'Certidão', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
        abrange: { debitos: 'desconhecido', origem: '' },
        naoContribuinte: 'ie',
        layout: {},
        mensagem: 'ul.sat-vs-error, #Body_Main_Main_popPendencias',
        emHtml: true,
      }),
      url: 'https://sat.sef.sc.gov.br/tax.NET/Sat.CtaCte.Web/SolicitacaoCnd.aspx',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre', campo: 'g-recaptcha-response' },
      certeza: 'verificado',
      origem: 'dois códigos abertos de emissão, num navegador',
      em: '2026-07-22',
      nota: 'Havendo certidão em vigor, é ela que se baixa; só sem ela se pede outra, que vem em PDF, numa janela para imprimir ou como link. O endereço existe também em tributario.sef.sc.gov.br.',
      tipo: { seletor: `${BUSCA}idnCnd_IdentificationTypeField` },
      campo: `${BUSCA}idnCnd_MaskedField`,
      forma: 'mascara',
      botao: 'a:contains("Buscar")',
      caminho: {
        grade: {
          valida: `${RESULTADO}grpCnd_gridView td:nth-child(4) .valido`,
          download: 'td:nth-child(5) a, td:nth-child(5) input',
          generate: '[id$=btnGerarCnd]',
          pronta: 'ul.sat-vs-success li:nth-child(3) a',
        },
      },
    }),
  ],
} satisfies Estado
