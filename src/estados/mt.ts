import { setTimeout } from 'node:timers/promises'
import type { Uf } from '../documento/uf.ts'
import { cadastro } from '../portal/cadastro.ts'
import { type CertidaoOptions, certidao } from '../portal/certidao.ts'
import type { Estado, Pergunta, PerguntaCnd, RotaCnd, RotaIe } from '../portal/estado.ts'
import { controleOf, findBotao } from '../portal/form.ts'
import { toInscricao } from '../portal/inscricao.ts'
import { isPdf, normalize, type Pagina } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes, readNone } from '../portal/resultado.ts'
import { converse, type PortalOptions, rota } from '../portal/rota.ts'
import { type Certidao, classifyCertidao } from '../portal/rules-certidao.ts'
import { type Inscricao, situacaoIe } from '../portal/rules-inscricao.ts'
import { type Campos, encodeForm, type Portal } from '../portal/visita.ts'

type ListaOptions = PortalOptions &
  InscricoesOptions & {
    fill: (pergunta: Pergunta, now: Date) => Campos
    imagem: string
    /** The rows (CSS), and in each the elements (CSS) of number, name and status, in this order. */
    linha: string
    valores: string
  }

/** A search whose parameters stand in the address of a POST. Its answer has a row for each registration. */
function lista(uf: Uf, options: ListaOptions): RotaIe {
  const { url, charset, fill, imagem, captcha } = options
  const passos = converse<Pergunta, Inscricao[]>({
    open: url,
    fill: ({ portal, pagina, pergunta }) => {
      controleOf(portal, pagina, imagem)
      return fill(pergunta, portal.meios.now())
    },
    captcha,
    send: ({ portal, campos }) => {
      const target = new URL(url)
      target.search = encodeForm(campos, charset)
      return portal.post(target.href, {})
    },
    read: async (portal, pergunta, answer) => readLinhas(portal, pergunta, answer, options),
  })
  return rota('lista', uf, { ...options, leitor: inscricoes(options) }, passos)
}

function readLinhas(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  { linha, valores, frases }: ListaOptions,
): Inscricao[] {
  const $ = pagina.html()
  const rows = $(linha).toArray()
  if (rows.length === 0) return readNone(portal, pergunta, pagina, { frases })
  return rows.map((row) => {
    const [inscricao_estadual = '', razao_social = '', situacao_cadastral = ''] = $(row)
      .find(valores)
      .map((_, one) => $(one).text().replace(/\s+/g, ' ').trim())
      .get()
    // The columns have no labels. A column that moved is known by the form of its value.
    if (!/^[\d.\-/]{8,}$/.test(inscricao_estadual) || !situacaoIe(situacao_cadastral))
      throw portal.failure('parse', 'mudou as colunas da lista')
    return toInscricao({ inscricao_estadual, razao_social, situacao_cadastral }, portal, pergunta)
  })
}

type ServletOptions = PortalOptions &
  CertidaoOptions & {
    /** The servlet, relative to the first page. It takes the forms, and tells the progress. */
    servlet: string
    fill: (pergunta: PerguntaCnd) => Campos
    /** The page that offers the certificate in force or a new one, and what asks for the new one. */
    vigente: { texto: string; nova: (pergunta: PerguntaCnd) => Campos }
    /** The words of the page that refreshes itself while the certificate is made. */
    processando: readonly string[]
  }

const REFRESH = 'meta[http-equiv=refresh i]'

/** Milliseconds: between two looks, kept for the last answer, and the shortest wait. */
const EACH_MS = 15_000
const LAST_MS = 1_000
const MIN_MS = 50
/** MT takes some eight. A page that says "0 s" is not asked a thousand times. */
const MOST_LOOKS = 20

/** It answers with the certificate, or with a page to be asked again until that is ready. */
function servlet(uf: Uf, options: ServletOptions): RotaCnd {
  const { url, captcha, fill, vigente } = options
  const leitor = certidao(options)
  const passos = converse<PerguntaCnd, Certidao>({
    open: url,
    fill: ({ pergunta }) => fill(pergunta),
    captcha,
    to: options.servlet,
    follow: async (answer, { portal, pergunta, to }) => {
      const made = offers(answer, vigente.texto) ? await portal.post(to, vigente.nova(pergunta)) : answer
      // A second offer is no answer: the certificate in force may be two months old.
      if (offers(made, vigente.texto)) throw portal.failure('parse', 'não emitiu a certidão nova')
      return waitFor(portal, to, made, options)
    },
    read: leitor.read,
  })
  return rota('servlet', uf, { ...options, leitor }, passos)
}

const says = (pagina: Pagina, textos: readonly string[]): boolean =>
  !isPdf(pagina) && textos.some((texto) => pagina.words().includes(normalize(texto)))

/** Whether a page offers a new certificate. The words on a button are its value, and no text of the page. */
const offers = (pagina: Pagina, texto: string): boolean =>
  says(pagina, [texto]) || (!isPdf(pagina) && findBotao(pagina, texto) !== undefined)

/** A refusal has the same words (REQUERIMENTO), but does not refresh itself. */
const isWaiting = (pagina: Pagina, textos: readonly string[]): boolean =>
  says(pagina, textos) &&
  (pagina.html()(REFRESH).length > 0 || classifyCertidao(pagina.words(), 'pagina').situacao === 'processando')

async function waitFor(
  portal: Portal,
  to: string,
  first: Pagina,
  { processando }: ServletOptions,
): Promise<Pagina> {
  let pagina = first
  for (let looks = 0; looks < MOST_LOOKS && isWaiting(pagina, processando); looks++) {
    const waitMs = refreshMs(pagina)
    if (portal.leftMs() < waitMs + LAST_MS) return pagina
    await setTimeout(waitMs)
    pagina = await portal.get(to)
  }
  return pagina
}

function refreshMs(pagina: Pagina): number {
  const content = pagina.html()(REFRESH).first().attr('content') ?? ''
  const seconds = /^\s*(\d+(?:\.\d+)?)/.exec(content)?.[1]
  return seconds === undefined ? EACH_MS : Math.max(MIN_MS, Number(seconds) * 1000)
}

const comum = ({ tipo, documento }: PerguntaCnd): Campos => ({
  indiceModlCertSelecionado: '19',
  numrDoctFinal: documento,
  tipoDoctSele: tipo === 'cpf' ? '1' : '2',
  codgMenu: '',
  nomeMenu: '',
  barraMenu: '',
  codgTemporario: '',
})

const IMAGEM = 'img[src*=imagemCaptcha], img#imagemCaptcha'

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
      wrapsInOperacao: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    lista('MT', {
      segunda: true,
      url: 'https://www.sefaz.mt.gov.br/cadastro/emissaocartao/emissaocartaocontribuinteacessodireto',
      documentos: { cnpj: '2', cpf: '3' },
      charset: 'iso-8859-1',
      captcha: { tipo: 'imagem', quando: 'sempre', campo: 'captchaDigitado', imagem: { seletor: IMAGEM } },
      certeza: 'verificado',
      origem: 'código aberto de raspagem (os nomes dos parâmetros); endereço em lista verificada',
      em: '2026-09-18',
      nota: 'Lê a lista, que só tem inscrição, nome e situação. A ficha de cada uma abre em outra janela (pagn=FormularioListaEnviar) e não é pedida: ninguém mostrou o que traz. O código da consulta por inscrição não é conhecido.',
      fill: ({ tipo, documento }, now) => ({
        pagn: 'Pesquisar',
        numrDoct: documento,
        codigoTipoDocumento: tipo === 'cpf' ? '3' : '2',
        ajaxRequest: '1',
        vU: String(now.getTime()),
      }),
      imagem: IMAGEM,
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
      captcha: { tipo: 'turnstile', quando: 'desenhado', campo: 'cf-turnstile-response' },
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
      fill: (pergunta) => ({
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
