import { setTimeout } from 'node:timers/promises'
import type { CheerioAPI } from 'cheerio/slim'
import { dataBrasileira, diaDe } from '../documento/dia.ts'
import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { type CertidaoOptions, certidao, readCertificado, readMensagem } from '../portal/certidao.ts'
import type { Estado, Pergunta, PerguntaCnd, RotaCnd, RotaIe } from '../portal/estado.ts'
import { actionOf, harvest } from '../portal/form.ts'
import { camposDoEndereco } from '../portal/inscricao.ts'
import { eventoPrime, findComando, formDe, readParcial, VIEW_STATE } from '../portal/jsf.ts'
import { normalize, type Pagina, textosOf } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes } from '../portal/resultado.ts'
import { converse, type PortalOptions, rota, writeDocumento } from '../portal/rota.ts'
import type { Certidao } from '../portal/rules-certidao.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { type Campos, failUnknown, type Portal } from '../portal/visita.ts'

/** `documentos` has the place of each kind in the list. */
type AbasOptions = PortalOptions &
  CertidaoOptions & {
    mensagem: string
    /** The menu, and the place of the certificate's entry in it, from 1. */
    menu: { form: string; barra: string; item: number }
    /** The ends of the ids of the fields of each tab: the list of kinds, and the document. */
    campos: { tipo: string; documento: string }
  }

/** An entry of the submenu: its place, from 1, and the ends of the ids of form and button. */
type Aba = { entrada: number; form: string; botao: string }

type RespostaParcial = { answer: Pagina; html: CheerioAPI }

type AbaAberta = {
  press: () => Promise<RespostaParcial>
  download: (botao: [name: string, value: string]) => Promise<Pagina>
}

/** The ids count the tabs of the session, so they are read from the page. */
async function openAbas(
  portal: Portal,
  pergunta: PerguntaCnd,
  options: AbasOptions,
): Promise<(aba: Aba) => Promise<AbaAberta>> {
  const { url, menu } = options
  const inicio = await portal.get(url)
  const form = formDe(menu.form)
  const hidden = harvest(portal, inicio, form)
  const target = actionOf(inicio, form)
  let viewState = hidden[VIEW_STATE] ?? ''
  const send = async (campos: Campos): Promise<RespostaParcial> => {
    const answer = await portal.post(target, { ...campos, [VIEW_STATE]: viewState }, ajax)
    // A whole page here says that the portal is closed, or out of order.
    if (!answer.text().includes('<partial-response')) await readCertificado(portal, pergunta, answer, options)
    const parcial = readParcial(portal, answer)
    viewState = parcial.viewState
    return { answer, html: parcial.html }
  }
  return async (aba) => {
    const { item, barra } = menu
    const link = `[id="${barra}"] > ul > li:nth-child(${item}) > ul > li:nth-child(${aba.entrada}) > a`
    const evento = eventoPrime(inicio.html()(link).first())
    if (!evento) failUnknown(portal, inicio, `falta o menu (${barra})`)
    const { html } = await send({ ...hidden, [menu.form]: menu.form, ...evento })
    const { campos, botao } = fill(portal, html, aba, pergunta, options)
    return {
      press: () => send({ ...campos, ...botao }),
      download: ([name, value]) => portal.post(target, { ...campos, [VIEW_STATE]: viewState, [name]: value }),
    }
  }
}

const ajax = { headers: { 'faces-request': 'partial/ajax', 'x-requested-with': 'XMLHttpRequest' } }

function fill(
  portal: Portal,
  $: CheerioAPI,
  aba: Aba,
  pergunta: PerguntaCnd,
  { documentos, campos }: AbasOptions,
): { campos: Campos; botao: Campos } {
  const missing = (what: string): Error => portal.failure('parse', `mudou de página: falta ${what}`)
  const form = $(`form[id$="${aba.form}"]`).last()
  const id = form.attr('id')
  if (!id) throw missing(`o formulário (${aba.form})`)
  const list = form.find(`select[name*="${campos.tipo}"]`).first()
  const tipo = list.attr('name')
  // The options are known by their order.
  const codigo = list.find('option').eq(Number(documentos[pergunta.tipo])).attr('value')
  if (!tipo || codigo === undefined) throw missing(`a lista (${campos.tipo})`)
  const documento = form.find(`input[name$="${campos.documento}"]`).first().attr('name')
  if (!documento) throw missing(`o campo (${campos.documento})`)
  const botao = eventoPrime(form.find(`[id$="${aba.botao}"]`).first())
  if (!botao) throw missing(`o botão (${aba.botao})`)
  const isMasked = $('script').text().includes('InputMask')
  const inputs = form.find('input[type=hidden][name], input[type=text][name]').toArray()
  const others = inputs.map(({ attribs }) => [attribs.name ?? '', attribs.value ?? ''] as const)
  return {
    campos: {
      ...Object.fromEntries(others),
      [id]: id,
      [tipo]: codigo,
      [documento]: writeDocumento(pergunta, isMasked ? 'mascara' : 'digitos'),
    },
    botao,
  }
}

type PrimeFacesPedidoOptions = AbasOptions & {
  consulta: Aba
  solicitacao: Aba
  /** The end of the id of the grid's body, and the place of the status in its cells, from 0. */
  grade: { corpo: string; situacao: number }
  /** The words of the state for a request that it took. */
  registrada: string
  /** The words of the grid for a request that is not ready. */
  processando: string
  intervaloMs: number
}

/** Takes requests, and gives the certificates later in a grid. A valid one there is used. */
export function primeFacesPedido(uf: Uf, options: PrimeFacesPedidoOptions): RotaCnd {
  const { intervaloMs, consulta, solicitacao } = options
  return rota('primefaces', uf, { ...options, leitor: certidao(options) }, async (portal, pergunta) => {
    const open = await openAbas(portal, pergunta, options)
    const refusals = new Set<string>()
    const grade = await open(consulta)
    const look = (isOld = (refusal: string) => refusals.has(refusal)) =>
      lookInGrade({ portal, pergunta, options, grade }, isOld)
    let found = await look((refusal) => refusals.add(refusal).has(refusal))
    if (found === 'nada') {
      const refusal = await requestNew(portal, pergunta, await (await open(solicitacao)).press(), options)
      if (refusal) return refusal
      found = await look()
    }
    while (typeof found === 'string') {
      if (portal.leftMs() <= intervaloMs) throw portal.fail('processando')
      await setTimeout(intervaloMs)
      found = await look()
    }
    return found
  })
}

async function requestNew(
  portal: Portal,
  pergunta: PerguntaCnd,
  { answer, html }: RespostaParcial,
  { mensagem, registrada }: PrimeFacesPedidoOptions,
): Promise<Certidao | undefined> {
  const said = textosOf(html(mensagem)).join(' ')
  if (normalize(said).includes(normalize(registrada))) return undefined
  if (!said) throw portal.failure('parse', 'mudou de página: não diz o que foi feito da solicitação')
  return readMensagem(portal, pergunta, answer, said)
}

type Visita = { portal: Portal; pergunta: PerguntaCnd; options: PrimeFacesPedidoOptions; grade: AbaAberta }

/** `nada`: none is made. An old refusal (`isOld`) does not count, unless it is of today. */
async function lookInGrade(
  { portal, pergunta, options, grade }: Visita,
  isOld: (refusal: string) => boolean,
): Promise<Certidao | 'processando' | 'nada'> {
  const { answer, html } = await grade.press()
  const { mensagem, processando } = options
  const said = textosOf(html(mensagem)).join(' ')
  if (said) return readMensagem(portal, pergunta, answer, said)
  const rows = readGrade(portal, html, options.grade)
  const today = dataBrasileira(diaDe(portal.meios.now().getTime()))
  const holds = (date: string): boolean => date === '' || sortable(date) >= sortable(today)
  const ready = rows.find(({ download, validade }) => download && holds(validade))
  if (ready?.download) {
    const pdf = await grade.download(ready.download)
    const certidao = await readCertificado(portal, pergunta, pdf, options)
    if (holds(dataBrasileira(certidao.validade))) return certidao
  }
  if (rows.some(({ situacao }) => normalize(situacao).includes(normalize(processando)))) return 'processando'
  const refused = rows.find(
    ({ download, chave, pedida }) => !download && (!isOld(chave) || pedida.startsWith(today)),
  )
  return refused ? readMensagem(portal, pergunta, answer, refused.situacao) : 'nada'
}

/** Writes 31/12/2026 as 20261231. */
const sortable = (date: string): string => date.split('/').reverse().join('')

/** Its button or link sends `download` once the certificate is ready; `chave` identifies the row. */
type Linha = {
  chave: string
  pedida: string
  situacao: string
  validade: string
  download: [name: string, value: string] | undefined
}

/** Reads the rows of the grid. The status is known by its place, and the dates by the words above them. */
function readGrade(
  portal: Portal,
  $: CheerioAPI,
  { corpo, situacao }: PrimeFacesPedidoOptions['grade'],
): Linha[] {
  const body = $(`[id$="${corpo}"]`).last()
  if (body.length === 0) throw portal.failure('parse', 'mudou de página: falta a grade de certidões')
  const textOf = (cell: Parameters<CheerioAPI>[0]): string => textosOf($(cell)).join(' ')
  const heads = body
    .closest('table')
    .find('th')
    .toArray()
    .map((head) => normalize(textOf(head)))
  const under = (cells: readonly string[], word: string): string =>
    cells[heads.findIndex((head) => head.includes(word))] ?? ''
  return body
    .find('tr[data-ri]')
    .toArray()
    .map((row) => {
      const cells = $(row).find('td').toArray().map(textOf)
      const button = $(row).find('button[name], input[type=submit][name], a[id][onclick]').first()
      const { name, id } = button.attr() ?? {}
      const download: Linha['download'] = name ? [name, ''] : id ? [id, id] : undefined
      const validade = /\d{2}\/\d{2}\/\d{4}/.exec(under(cells, 'VALIDADE'))?.[0] ?? ''
      const pedida = under(cells, 'SOLICITA')
      return { chave: cells.join(' '), pedida, situacao: cells[situacao] ?? '', validade, download }
    })
}

type PrimeFacesOptions = PortalOptions &
  InscricoesOptions & {
    /** The fields of the documents. Those of the other documents are sent empty. */
    campos: Partial<Record<TipoDocumento, string>>
    /** The words on the button. Its name is made at the build. */
    botao: string
  }

function primeFaces(uf: Uf, options: PrimeFacesOptions): RotaIe {
  const { url, campos, captcha, botao } = options
  const leitor = inscricoes(options)
  const passos = converse<Pergunta, Inscricao[]>({
    open: url,
    harvest: 'form',
    fill: ({ portal, pagina, pergunta }) => {
      // Nobody solves a captcha for a page without the button.
      findComando(portal, pagina, botao)
      const empty = Object.fromEntries(Object.values(campos).map((campo) => [campo, '']))
      return { ...empty, [campos[pergunta.tipo] ?? '']: writeDocumento(pergunta, 'mascara') }
    },
    captcha,
    send: ({ portal, pagina, to, campos }) => {
      const { nome, valor } = findComando(portal, pagina, botao)
      return portal.post(to, { ...campos, [nome]: valor })
    },
    read: leitor.read,
  })
  return rota('primefaces', uf, { ...options, leitor }, passos)
}

export const estado = {
  uf: 'PI',
  exemplo: '99034210000168',
  ie: [
    primeFaces('PI', {
      url: 'http://webas.sefaz.pi.gov.br/SintegraConsultaPublica/',
      documentos: { cnpj: '', ie: '' },
      captcha: {
        tipo: 'imagem',
        quando: 'sempre',
        campo: 'captcha',
        imagem: { seletor: 'img[src*="primefaces_image"]' },
      },
      campos: { cnpj: 'cnpj', ie: 'ie' },
      botao: 'Consultar',
      rotulos: { 'Data da Última Atualização': 'data_situacao', 'Motivo da Situação': 'ignorado' },
      certeza: 'antigo',
      espera: {
        marca: 'Situação Cadastral',
        minimo: 60,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie'],
        rotulos: [...camposDoEndereco, 'municipio', 'data_inicio_atividade', 'data_situacao'],
      },
      origem: 'biblioteca aberta de consultas (2018) e outro código aberto, que confirma os campos',
      em: '2018-03',
      nota: 'O estado encaminha as consultas para o Cadastro Centralizado de Contribuintes (CCC), que exige login gov.br. A página aceita também CPF, mas não se sabe em que campo.',
    }),
  ],
  cnd: [
    primeFacesPedido('PI', {
      url: 'https://webas.sefaz.pi.gov.br/certidaonft-web/index.xhtml',
      documentos: { cnpj: '0', cpf: '1' },
      captcha: 'nenhum',
      menu: { form: 'mainMenuForm', barra: 'mainMenuForm:mainMenuBar', item: 2 },
      consulta: { entrada: 1, form: ':certidaoSituacaoTv:formConsultar', botao: 'buscarBtn' },
      solicitacao: { entrada: 2, form: ':formSolicitar', botao: 'solicitarBtn' },
      campos: { tipo: 'tipoPessoa', documento: 'contribuinteCpfCnpjId' },
      grade: { corpo: 'resultsDataTable_data', situacao: 3 },
      registrada: 'Solicitação registrada',
      processando: 'Em processamento',
      intervaloMs: 5_000,
      mensagem: '[id$="messages"]',
      layout: { forma: /\d{16}/ },
      // "Certidão Negativa de Débitos" since 2026-02-26 at the latest; the older name is of a robot's menu.
      espera: {
        marca: 'CERTIDÃO',
        minimo: 200,
        titulo: /CERTIDAO (?:NEGATIVA|POSITIVA)[^.:;]{0,40}DE DEBITOS|CERTIDAO DE SITUACAO FISCAL/,
        partes: ['protocolo', 'emissao', 'validade'],
      },
      abrange: {
        debitos: 'nao-inscritos',
        origem: 'a dos inscritos é outra (papel de 2026-04-08)',
        resto: 'a Procuradoria-Geral do Estado (Certidão Negativa de Dívida Ativa)',
      },
      naoContribuinte: 'ie',
      certeza: 'antigo',
      origem: 'código aberto que opera as telas, sem data',
      em: '2026-11',
      nota: 'Entrega a Certidão de Situação Fiscal e Tributária, pedida agora e buscada depois: pode levar minutos. A de Dívida Ativa é outra, no mesmo portal. Vistos: o menu, as abas, os campos e a situação na grade; as palavras dela e o botão que baixa, não.',
    }),
  ],
} satisfies Estado
