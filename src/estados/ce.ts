import type { TipoDocumento } from '../documento/documento.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { formulario } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { inscricoes } from '../portal/resultado.ts'

/** 2 is known to be the CNPJ. That the list has CGF before it and CPF after it is a guess. */
const documentos = { ie: '1', cnpj: '2', cpf: '3' } as const satisfies Record<TipoDocumento, string>
const devedores = { cpf: '1', cnpj: '2' } as const

export const estado = {
  uf: 'CE',
  exemplo: '99049085000160',
  ie: [
    formulario('CE', {
      leitor: inscricoes({
        espera: {
          marca: 'CGF',
          minimo: 300,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [...camposDoSintegra, 'nome_fantasia', 'data_inicio_atividade', 'regime_pagamento'],
        },
        rotulos: {
          CGF: 'inscricao_estadual',
          'CNAE Principal(Nacional)': 'atividade',
          'CNAE Principal(Arrec/Fiscal)': 'ignorado',
          'Regime de Recolhimento': 'regime_pagamento',
          'Opção Simples': 'ignorado',
        },
        frases: [
          { desfecho: 'nao-encontrado', texto: 'Nenhum contribuinte encontrado' },
          { desfecho: 'captcha', seletor: 'input[name=captcha]' },
        ],
        lista: '#dadossintegra a[href], #dadossintegraresp a[href]',
      }),
      url: 'https://consultapublica.sefaz.ce.gov.br/sintegra/preparar-consultar',
      documentos,
      captcha: { tipo: 'imagem', quando: 'as-vezes' },
      certeza: 'verificado',
      origem: 'código aberto de raspagem, confirmado por um diagnóstico dos portais',
      em: '2026-08',
      nota: 'Os códigos de CGF e de CPF na consulta são dedução; o de CNPJ é certo. Há outro endereço, internet-consultapublica.apps.sefaz.ce.gov.br.',
      metodo: 'get',
      destino: 'consultar',
      fill: ({ tipo, documento }) => ({ tipdocumento: documentos[tipo], numcnpjcgf: documento }),
    }),
  ],
  cnd: [
    formulario('CE', {
      leitor: certidao({
        espera: {
          marca: 'Certidão',
          minimo: 200,
          titulo: /CERTIDAO (?:NEGATIVA|POSITIVA)[^.:;]{0,40}DE DEBITOS ESTADUAIS/,
          partes: ['protocolo', 'emissao', 'validade'],
        },
        abrange: { debitos: 'desconhecido', origem: 'o papel de 2026-04-29 só fala do CADINE' },
        naoContribuinte: 'ie',
        layout: {
          // It stands under the title, without a label (page of 2026-04-29).
          forma: /\d{12}/,
          verificacao: 'https://consultapublica.sefaz.ce.gov.br/certidaonegativa/preparar-validacao',
        },
        emHtml: true,
      }),
      url: 'https://consultapublica.sefaz.ce.gov.br/certidaonegativa/preparar-consultar',
      documentos: devedores,
      captcha: 'nenhum',
      certeza: 'verificado',
      origem: 'código aberto de raspagem',
      em: '2026',
      nota: 'O código de CPF na consulta é dedução; o de CNPJ é certo. A certidão vem como página (2026-04-29).',
      form: 'form:has([name=codigoDevedor])',
      fill: ({ tipo, documento }) => ({ tipoDevedor: devedores[tipo], codigoDevedor: documento }),
      documento: {
        seletor: '#tabelaDados',
        url: 'consultarPdf',
        consulta: ({ tipo, documento }) => ({ tipoDevedor: devedores[tipo], codigoDevedor: documento }),
      },
    }),
  ],
} satisfies Estado
