import type { Campos } from '../portal/campos.ts'
import type { Estado, PerguntaCnd } from '../portal/estado.ts'
import { cadastro } from '../portal/families-cadastro.ts'
import { lista } from './lista.ts'
import { servlet } from './servlet.ts'

/** Both forms of the certificate's servlet send these. */
const comum = ({ tipo, documento }: PerguntaCnd): Campos => ({
  indiceModlCertSelecionado: '19',
  numrDoctFinal: documento,
  tipoDoctSele: tipo === 'cpf' ? '1' : '2',
  codgMenu: '',
  nomeMenu: '',
  barraMenu: '',
  codgTemporario: '',
})

export const estado = {
  uf: 'MT',
  exemplo: '99193480000111',
  ie: [
    cadastro('MT', {
      producao: 'https://nfe.sefaz.mt.gov.br/nfews/v2/services/CadConsultaCadastro4',
      homologacao: 'https://homologacao.sefaz.mt.gov.br/nfews/v2/services/CadConsultaCadastro4',
      // SEFAZ-MT asks for it (Java_NFe issue 153, 2019-04-24); without it, "EPR for the Operation not found"
      // (PyNFe issue 192). Other clients in production send a second nfeDadosMsg instead
      // (nfephp-org/sped-nfe, 2026-06-23).
      envolveNaOperacao: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    lista('MT', {
      segunda: true,
      url: 'https://www.sefaz.mt.gov.br/cadastro/emissaocartao/emissaocartaocontribuinteacessodireto',
      documentos: { cnpj: '2', cpf: '3' },
      charset: 'iso-8859-1',
      captcha: { tipo: 'imagem', quando: 'sempre' },
      certeza: 'verificado',
      origem: 'código aberto de raspagem (os nomes dos parâmetros); endereço em lista verificada',
      em: '2026-09-18',
      nota: 'Lê a lista, que só tem inscrição, nome e situação. A ficha de cada uma abre em outra janela (pagn=FormularioListaEnviar) e não é pedida: ninguém mostrou o que traz. O código da consulta por inscrição não é conhecido.',
      preencher: ({ tipo, documento }, now) => ({
        pagn: 'Pesquisar',
        numrDoct: documento,
        codigoTipoDocumento: tipo === 'cpf' ? '3' : '2',
        ajaxRequest: '1',
        vU: String(now.getTime()),
      }),
      imagem: 'img[src*=imagemCaptcha], img#imagemCaptcha',
      resposta: 'captchaDigitado',
      linha: 'tr:has(td font a)',
      valores: 'td font',
      // The words of the page are unknown.
      espera: { marca: '', minimo: 20, campos: ['inscricao_estadual', 'razao_social', 'situacao_ie'] },
    }),
  ],
  cnd: [
    servlet('MT', {
      url: 'https://www.sefaz.mt.gov.br/cnd/certidao/servlet/ServletRotdAberto?origem=60',
      documentos: { cpf: '1', cnpj: '2' },
      // The captcha is drawn, but the page accepted an empty answer in 2026-09. If the page begins to check
      // it, write `sempre` here.
      captcha: { tipo: 'turnstile', quando: 'desenhado' },
      espera: {
        marca: 'Número de Autenticação',
        minimo: 400,
        titulo: /DE DEBITOS RELATIVOS A CREDITOS TRIBUTARIOS/,
        partes: ['protocolo', 'emissao', 'validade', 'codigo_autenticacao'],
      },
      certeza: 'verificado',
      origem: 'código aberto de raspagem, com testes',
      em: '2026-09-21',
      nota: 'A emissão leva até 2 minutos, em que a página se renova a cada 15 s: a primeira consulta pode esgotar o prazo e a seguinte achar a certidão pronta. Há listas de links com origem=57 em lugar de 60. O Turnstile aparece na página, e a resposta vazia foi aceita em 09/2026.',
      abrange: { debitos: 'ambos', origem: 'o título do papel: geridos pela PGE e pela SEFAZ' },
      naoContribuinte: 'ie',
      servlet: 'ServletRotdAberto',
      token: 'cf-turnstile-response',
      preencher: (pergunta) => ({
        ...comum(pergunta),
        origem: '76',
        tipoDocumento: pergunta.tipo.toUpperCase(),
        numeroDocumento: pergunta.documento,
        botaoSubmit: '     OK     ',
      }),
      vigente: {
        texto: 'Reimprimir Certidão Vigente',
        nova: (pergunta) => ({
          ...comum(pergunta),
          origem: '62',
          numrDoct: '',
          caracteres: '',
          usuario: 'null',
        }),
      },
      processando: ['REQUERIMENTO', 'Aguarde'],
      layout: {
        codigo: /NUMERO DE AUTENTICACAO ?: ?([A-Z0-9]{16})\b/,
        verificacao: 'https://www.sefaz.mt.gov.br/cnd/certidao/servlet/ServletRotdAberto?origem=5',
      },
    }),
  ],
} satisfies Estado
