import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { answerCaptcha } from '../portal/captcha-resposta.ts'
import { type CertidaoOptions, certidao } from '../portal/certidao.ts'
import type { Estado, Pergunta, RotaCnd, RotaIe } from '../portal/estado.ts'
import { actionOf, type Controle, choiceOf, harvest } from '../portal/form.ts'
import { camposDe, type Legenda, labelOf, legendaOf, toInscricao } from '../portal/inscricao.ts'
import { findComando, formDe, readParcial, VIEW_STATE } from '../portal/jsf.ts'
import { type Pagina, textosOf } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes, readNone, readRotulos } from '../portal/resultado.ts'
import { desconhecidaCnd, type PortalOptions, rota, writeDocumento } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { type Campos, failUnknown, type Portal } from '../portal/visita.ts'

/** `documentos` has the end of each radio's id. */
type JsfCertidaoOptions = PortalOptions &
  CertidaoOptions & {
    form: string
    /** The radios of the kind of document, and the field of its number, which is sent masked. */
    tipo: string
    campo: string
    botao: string
  }

/** The radios of the kind of document renew the field over AJAX. It answers with the certificate. */
function jsfCnd(uf: Uf, options: JsfCertidaoOptions): RotaCnd {
  const { url, documentos, form, tipo, campo, botao } = options
  const leitor = certidao(options)
  return rota('jsf', uf, { ...options, leitor }, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const target = actionOf(pagina, formDe(form))
    const hidden = { ...harvest(portal, pagina, formDe(form)), [form]: form }
    const { name, value, escolhido } = choiceOf(
      portal,
      pagina,
      `[name="${tipo}"]`,
      documentos[pergunta.tipo] ?? '',
    )
    const chosen = { ...hidden, [name]: value }
    const event = escolhido ? undefined : eventOf(portal, pagina, name, value)
    const change = event && (await portal.post(target, { ...chosen, [campo]: '', ...event }, ajax))
    const { nome, valor } = findComando(portal, pagina, botao)
    const answer = await portal.post(target, {
      ...chosen,
      ...(change && { [VIEW_STATE]: readParcial(portal, change).viewState }),
      [campo]: writeDocumento(pergunta, 'mascara'),
      [nome]: valor,
    })
    return leitor.read(portal, pergunta, answer)
  })
}

const ajax = { headers: { 'faces-request': 'partial/ajax' } }

/** `mojarra.ab(this,event,'click','@this','form:panel')`: event, sent, drawn again (JSF 2.2, jsf.js). */
const mojarra =
  /\bmojarra\.ab\(\s*this\s*,\s*event\s*,\s*'([^']*)'\s*,\s*(?:'([^']*)'|0)\s*,\s*(?:'([^']*)'|0)/

function eventOf(portal: Portal, pagina: Pagina, name: string, value: string): Campos | undefined {
  const $ = pagina.html()
  const [radio] = $('input[type=radio]')
    .toArray()
    .filter(({ attribs }) => attribs.name === name && attribs.value === value)
  const { id = name, onclick = '', onchange = '' } = radio?.attribs ?? {}
  const script = `${onclick} ${onchange}`.trim().replaceAll('\\', '')
  if (!script) return undefined
  const [, event, execute = '@this', render] = mojarra.exec(script) ?? []
  if (!event) failUnknown(portal, pagina, 'não se entende o que a escolha do tipo de documento envia')
  return {
    'javax.faces.source': id,
    'javax.faces.partial.event': event,
    'javax.faces.behavior.event': event,
    'javax.faces.partial.execute': execute.replace('@this', id),
    ...(render && { 'javax.faces.partial.render': render.replace('@this', id) }),
    'javax.faces.partial.ajax': 'true',
  }
}

type RichFaces4IeOptions = PortalOptions &
  InscricoesOptions & {
    form: string
    campos: Record<TipoDocumento, string>
    botao: string
    fixos?: Campos
    /** The id of the grid of registrations, and the place of the number in its columns, from 0. */
    grade: string
    colunaIe: number
  }

/** RichFaces 4 with a grid of registrations: the page, the AJAX event of the field, the image, the query. */
function richFaces4Ie(uf: Uf, options: RichFaces4IeOptions): RotaIe {
  const { url, form, campos, captcha, botao, fixos } = options
  const legenda = legendaOf()
  return rota('richfaces4', uf, { ...options, leitor: inscricoes(options) }, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    if (!pagina.html()(IMAGEM).first().attr('src'))
      throw portal.failure('parse', 'mudou de página: falta a imagem do captcha')
    const campo = campos[pergunta.tipo]
    const target = actionOf(pagina, formDe(form))
    const fields = { ...hiddenOf(portal, pagina, form), [campo]: writeDocumento(pergunta, 'mascara') }
    const change = await portal.post(target, { ...fields, ...changeOf(campo) }, ajaxRequest)
    const { viewState } = readParcial(portal, change)
    const answer = await portal.post(target, {
      ...fields,
      ...fixos,
      [VIEW_STATE]: viewState,
      ...(await answerCaptcha(portal, pagina, captcha)),
      [botao]: botao,
    })
    return readGrade(portal, pergunta, answer, { ...options, legenda })
  })
}

const IMAGEM = 'img[src*="captchaServlet"]'

const ajaxRequest = { headers: { 'faces-request': 'partial/ajax' } }

const changeOf = (campo: string): Campos => ({
  'javax.faces.source': campo,
  'javax.faces.partial.event': 'change',
  'javax.faces.partial.execute': campo,
  'javax.faces.partial.render': '@component',
  'javax.faces.behavior.event': 'valueChange',
  'org.richfaces.ajax.component': campo,
  'AJAX:EVENTS_COUNT': '1',
  'javax.faces.partial.ajax': 'true',
})

function readGrade(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  { legenda, ...options }: RichFaces4IeOptions & { legenda: Legenda },
): Inscricao[] {
  const { grade, colunaIe } = options
  const $ = pagina.html()
  const grid = $(`[id="${grade}"]`)
  const textsOf = (cells: Controle): string[] =>
    cells.toArray().map((cell) => textosOf({ toArray: () => [cell] }).join(' '))
  const heads = textsOf(grid.find('th'))
  const novos = heads.filter((head) => head && !legenda.has(labelOf(head)))
  portal.meios.relato?.rotulos(novos)
  const rows = grid.find('tr').filter((_, row) => $(row).find('td.rf-dt-c').length > 0)
  if (rows.length === 0) return readNone(portal, pergunta, pagina, options)
  return rows.toArray().map((row) => {
    const cells = textsOf($(row).find('td.rf-dt-c'))
    if (cells.length !== heads.length) throw portal.failure('parse', 'mudou as colunas da grade')
    const pairs = heads.flatMap((head, at) => [head, cells[at] ?? ''].filter(Boolean))
    const lidos = readRotulos(pairs, legenda)
    portal.meios.relato?.campos(camposDe(lidos))
    return toInscricao({ ...lidos, inscricao_estadual: cells[colunaIe] ?? '' }, portal, pergunta)
  })
}

const hiddenOf = (portal: Portal, pagina: Pagina, form: string): Campos => ({
  ...harvest(portal, pagina, formDe(form)),
  [form]: form,
})

export const estado = {
  uf: 'RJ',
  exemplo: '99012260000144',
  ie: [
    richFaces4Ie('RJ', {
      url: 'https://sucief-sincad-web.fazenda.rj.gov.br/sincad-web/index.jsf',
      documentos: { cnpj: '', cpf: '', ie: '' },
      captcha: { tipo: 'imagem', quando: 'sempre', campo: 'formulario:cap', imagem: { seletor: IMAGEM } },
      form: 'formulario',
      campos: { cnpj: 'formulario:txtCNPJ', cpf: 'formulario:txtCPF', ie: 'formulario:txtInsEst' },
      botao: 'formulario:btnPesquisar',
      fixos: { skipValidation: 'false' },
      grade: 'formulario:tabelaIE',
      colunaIe: 3,
      espera: {
        marca: 'Data da Situação Cadastral',
        minimo: 180,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: ['cnae_codigo', 'cnae_descricao', 'data_situacao', 'regime_apuracao_icms'],
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem; endereço em lista de links de 2026',
      em: '2019-06',
      nota: 'Endereço novo com os campos do antigo: ninguém os viu depois de 2019, e um código de 2026 só relata captcha ou moldura. Da grade só se conhece a coluna da inscrição; as outras são lidas pelos títulos, que não foram vistos.',
    }),
  ],
  cnd: [
    desconhecidaCnd('RJ', {
      abrange: {
        debitos: 'nao-inscritos',
        origem: 'Resolução SEFAZ 109/2017',
        resto: 'a Procuradoria-Geral do Estado (consultadividaativa.rj.gov.br)',
      },
      url: 'https://crf-unificada-web.fazenda.rj.gov.br/crf-unificada-web/',
      documentos: { cnpj: '', cpf: '' },
      captcha: 'nenhum',
      origem: 'listas de links',
      em: '2026',
      nota: 'É o portal novo, para quem não tem inscrição, de que só se conhece o endereço; quem tem entra no DEC (https://portal.fazenda.rj.gov.br/dec/), com login.',
    }),
    jsfCnd('RJ', {
      segunda: true,
      url: 'https://www4.fazenda.rj.gov.br/certidao-fiscal-web/emitirCertidao.jsf',
      documentos: { cpf: ':0', cnpj: ':1' },
      captcha: 'nenhum',
      form: 'consultaCertidao',
      tipo: 'consultaCertidao:pessoaFisicaJuridica',
      campo: 'consultaCertidao:cpfCnpj',
      botao: 'Enviar',
      layout: {},
      espera: {
        marca: 'CERTIDÃO',
        minimo: 200,
        titulo: /CERTIDAO (?:NEGATIVA|POSITIVA)[^.:;]{0,10}DE DEBITOS|CERTIDAO DE REGULARIDADE FISCAL/,
        partes: ['protocolo', 'emissao', 'validade'],
      },
      abrange: {
        debitos: 'nao-inscritos',
        origem: 'Resolução SEFAZ 109/2017',
        resto: 'a Procuradoria-Geral do Estado (consultadividaativa.rj.gov.br)',
      },
      naoContribuinte: 'ie',
      certeza: 'antigo',
      origem: 'dois robôs de navegador sem data, em código aberto; o endereço, em listas de 2026',
      em: '2026',
      nota: 'A página antiga, que três listas de 2026 ainda dão, uma delas sem conferir. O que a escolha do tipo de documento envia é lido da página. A certidão da dívida ativa é outra, da PGE.',
    }),
  ],
} satisfies Estado
