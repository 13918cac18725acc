import type { Uf } from '../documento/uf.ts'
import { cadastroSvrs } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado, Pergunta, RotaIe } from '../portal/estado.ts'
import { type Campo, type Legenda, type Lidos, labelOf, legendaOf, toInscricao } from '../portal/inscricao.ts'
import { isCutShort, type Pagina, textosOf } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes } from '../portal/resultado.ts'
import { converse, type PortalOptions, rota } from '../portal/rota.ts'
import { type Inscricao, situacaoIe } from '../portal/rules-inscricao.ts'
import { telas } from '../portal/telas.ts'
import { type Campos, failUnknown, type Portal, refuseKnown } from '../portal/visita.ts'

type CelulasOptions = PortalOptions &
  InscricoesOptions & {
    destino: string
    fill: (pergunta: Pergunta) => Campos
    /** Words of a 404 for a wrong address. Any other 404 means that nobody was found. */
    semEndereco: string
    /** The field of every second cell of a table, from the second on. */
    valores: readonly Campo[]
  }

/** Cells are labels and values in turn, and the values are known by their place. */
function celulas(uf: Uf, options: CelulasOptions): RotaIe {
  const { url, destino, fill, captcha, semEndereco, valores } = options
  const legenda = legendaOf()
  const passos = converse<Pergunta, Inscricao[]>({
    open: url,
    fill: ({ pergunta }) => fill(pergunta),
    captcha,
    send: ({ portal, campos }) => portal.post(new URL(destino, url).href, campos, { anyStatus: true }),
    read: async (portal, pergunta, answer) => {
      if (answer.status === 404 && !answer.text().includes(semEndereco)) return []
      refuseKnown(answer, portal.failure)
      return readTabelas(portal, pergunta, answer, { legenda, valores })
    },
  })
  return rota('celulas', uf, { ...options, leitor: inscricoes(options) }, passos)
}

type Leitura = { legenda: Legenda; valores: readonly Campo[] }

function readTabelas(portal: Portal, pergunta: Pergunta, pagina: Pagina, leitura: Leitura): Inscricao[] {
  const $ = pagina.html()
  const tables = $('table')
    .filter((_, table) => $(table).find('table').length === 0)
    .toArray()
    .map((table) => $(table).find('td').toArray())
    .filter((cells) => cells.length >= 2 * leitura.valores.length)
  if (tables.length === 0) failUnknown(portal, pagina, 'falta a tabela da inscrição', pergunta.tipo)
  if (isCutShort(pagina)) throw portal.fail('cortada')
  return tables.map((cells) => {
    const texts = cells.map((cell) => textosOf({ toArray: () => [cell] }).join(' '))
    return toInscricao(readCelulas(portal, texts, leitura), portal, pergunta)
  })
}

/** A value without the form of its field, or a label of another, is a failure. */
function readCelulas(portal: Portal, texts: readonly string[], { legenda, valores }: Leitura): Lidos {
  const lidos: Lidos = {}
  for (const [at, campo] of valores.entries()) {
    const value = texts[2 * at + 1] ?? ''
    const named = legenda.get(labelOf(texts[2 * at] ?? ''))
    const fits = formas[campo]?.(value) ?? true
    if (!fits || (named && named !== 'ignorado' && named !== campo))
      throw portal.failure('parse', `mudou as células de lugar (${campo})`)
    lidos[campo] = value
  }
  return lidos
}

const formas: Partial<Record<Campo, (value: string) => boolean>> = {
  inscricao_estadual: (value) => /^[\d.\-/]{8,}$/.test(value),
  uf_ie: (value) => /^[A-Z]{2}$/.test(value),
  cep: (value) => /^(?:|[\d.-]{8,10})$/.test(value),
  data_situacao: (value) => /^(?:|\d{2}\/\d{2}\/\d{4}.*)$/.test(value),
  situacao_cadastral: (text) => situacaoIe(text) !== undefined,
}

const CERTIDAO = 'https://www.sefaz.pb.gov.br/servirtual/certidoes/emissao-de-certidao-de-debitos-'

const ATF = 'https://www4.sefaz.pb.gov.br/atf/dia/DIAf_EmitirCertidaoDebito.do'

const pagina = {
  leitor: certidao({
    espera: { marca: 'CERTIDÃO', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
    abrange: { debitos: 'desconhecido', origem: '' },
    naoContribuinte: 'ie',
  }),
  form: 'form:has(#tbCertidao)',
  documentos: { cnpj: '', cpf: '' },
  campo: '#tbCertidao tr:nth-of-type(3) td:nth-of-type(2) input',
  acao: 'hidAcao',
  // The robot that we know ignores it. Other pages of the ATF have it (2026).
  captcha: { tipo: 'recaptcha-v2', quando: 'as-vezes', campo: 'g-recaptcha-response', onde: '#tbCaptcha' },
  envio: { seletor: '#tbCaptcha button' },
  passos: [],
  certeza: 'antigo',
  origem: 'robô de navegador, em código aberto, sem data, que perguntava pela inscrição',
  em: '2026-11',
  nota: 'Vistos: o campo, pelo lugar, e o botão. Se há reCAPTCHA, e o que a página envia, lê-se dela; a falta é falha. O robô perguntava pela inscrição estadual; se a página toma CPF e CNPJ no mesmo campo diz-se, não se viu.',
} as const

export const estado = {
  uf: 'PB',
  exemplo: '99076200000195',
  ie: [
    cadastroSvrs('PB'),
    celulas('PB', {
      segunda: true,
      url: 'https://www4.sefaz.pb.gov.br/sintegra/SINf_ConsultaSintegra.jsp',
      charset: 'iso-8859-1',
      destino: 'SINf_ConsultaSintegra',
      documentos: { cnpj: '2', cpf: '3' },
      fill: ({ tipo, documento }) => ({
        tipoDoc: tipo.toUpperCase(),
        tpDocumento: tipo === 'cpf' ? '3' : '2',
        nrDocumento: documento,
      }),
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre', campo: 'g-recaptcha-response' },
      // HTTP 404 with a page of the application, not of the web server, means that nobody has a registration
      // by this document.
      semEndereco: 'was not found on this server',
      valores: [
        'cpf_cnpj',
        'inscricao_estadual',
        'razao_social',
        'logradouro',
        'numero',
        'complemento',
        'bairro',
        'municipio',
        'uf_ie',
        'cep',
        'ignorado',
        'atividade',
        'regime_pagamento',
        'situacao_cadastral',
        'data_situacao',
      ],
      // The words of the page are unknown.
      espera: {
        marca: '',
        minimo: 60,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio'],
      },
      certeza: 'verificado',
      origem: 'dois códigos abertos de raspagem',
      em: '2026',
      nota: 'Os valores são lidos pelo lugar que ocupam na tabela, que é o que se conhece dela; de quem tem várias inscrições não se sabe o que mostra. O código da consulta por inscrição não é conhecido. Em 08/2026 derrubava as conexões vindas de centros de dados.',
    }),
  ],
  cnd: [
    telas('PB', {
      ...pagina,
      url: `${CERTIDAO}empresa`,
      enderecos: { cpf: `${CERTIDAO}cidadao` },
      moldura: 'iframe[src*="DIAf_EmitirCertidaoDebito"]',
      nota: `${pagina.nota} Este é o portal novo, que mostra a página do ATF numa moldura.`,
    }),
    telas('PB', {
      ...pagina,
      segunda: true,
      url: `${ATF}?limparSessao=true&h=https://www.sefaz.pb.gov.br/ser/servirtual/credenciamento/info&idSERVirtual=S`,
      nota: `${pagina.nota} Esta é a página do ATF que o portal novo mostra, aberta por si.`,
    }),
  ],
} satisfies Estado
