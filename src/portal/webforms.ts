import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { Pergunta } from './estado.ts'
import {
  actionOf,
  alertasOf,
  type Controle,
  choiceOf,
  controleOf,
  findCampo,
  harvest,
  janelaOf,
  nameOf,
  pressOf,
} from './form.ts'
import { isPdf, type Pagina, withText } from './pagina.ts'
import {
  converse,
  type LeitorDaRota,
  type PortalOptions,
  type Preenchido,
  rota,
  writeDocumento,
} from './rota.ts'
import type { Campos, Modo, Portal } from './visita.ts'

/** The one form of a page of WebForms. It carries the state. */
const FORM = 'form:has([name="__VIEWSTATE"])'

const hasForm = (pagina: Pagina): boolean => pagina.html()(FORM).length > 0

/** Posts a page's form back: its hidden fields as they came, and the fields of this step. */
export const postBack = (portal: Portal, pagina: Pagina, campos: Campos, modo: Modo = {}): Promise<Pagina> =>
  portal.post(actionOf(pagina, FORM), { ...harvest(portal, pagina, FORM), ...campos }, modo)

function press(portal: Portal, pagina: Pagina, control: Controle): Promise<Pagina> {
  const campos = pressOf(control)
  if (campos) return postBack(portal, pagina, campos)
  return portal.get(new URL(control.attr('href') ?? '', pagina.url).href)
}

/** What a page's script adds to a post of ASP.NET AJAX. */
type PostDoPainel = { campos: Campos; headers: Record<string, string> }

const HEADERS = { 'x-microsoftajax': 'Delta=true', 'x-requested-with': 'XMLHttpRequest' }

/** It declares the manager of a page, its form, and its panels with a letter before each name. */
const initialize = /PageRequestManager\._initialize\(\s*'([^']+)'\s*,\s*'[^']*'\s*,\s*\[([^\]]*)\]/

/** The post that renews the panel whose name ends in `nome`, pressed by `alvo`. */
function postDoPainel(portal: Portal, pagina: Pagina, nome: string, alvo: string): PostDoPainel {
  const [, manager, list = ''] = initialize.exec(pagina.text()) ?? []
  const panel = [...list.matchAll(/'[tf]([^']*)'/g)]
    .map(([, name = '']) => name)
    .find((name) => name.endsWith(nome))
  if (!manager || !panel) throw portal.failure('parse', `mudou de página: falta o painel ${nome}`)
  return { campos: { [manager]: `${panel}|${alvo}`, __ASYNCPOST: 'true' }, headers: HEADERS }
}

/** The renewed pieces, the page it jumps to, or the whole. Throws `http` for the server's error. */
async function openDelta(portal: Portal, answer: Pagina): Promise<Pagina> {
  const text = answer.text()
  if (!/^\d+\|/.test(text)) return answer
  const parts = partsOf(portal, text)
  const redirect = parts.find(({ type }) => type === 'pageRedirect')
  if (redirect) return portal.get(decodeURIComponent(redirect.content))
  if (parts.some(({ type }) => type === 'error'))
    throw portal.failure('http', 'respondeu com um erro do servidor', { unavailable: true })
  const pieces = parts.filter(({ type }) => type === 'updatePanel').map(({ content }) => content)
  return withText(answer, pieces.join('\n'))
}

type Part = { type: string; content: string }

/** Reads `length|type|id|content|`, over and over. The length counts the characters of the content. */
function partsOf(portal: Portal, text: string): Part[] {
  const parts: Part[] = []
  const head = /(\d+)\|([^|]*)\|([^|]*)\|/y
  for (let at = 0; at < text.trimEnd().length; ) {
    head.lastIndex = at
    const [all, length, type = ''] = head.exec(text) ?? []
    const begin = at + (all?.length ?? 0)
    const end = begin + Number(length)
    if (!all || text.charAt(end) !== '|')
      throw portal.failure('parse', 'enviou uma resposta parcial que termina no meio')
    parts.push({ type, content: text.slice(begin, end) })
    at = end + 1
  }
  return parts
}

/** Controls are CSS; the page tells their names. */
export type WebformsOptions = PortalOptions & {
  /** The document's control: one for all kinds, or one for each. The others are sent empty. */
  campo: string | Partial<Record<TipoDocumento, string>>
  forma: 'digitos' | 'mascara'
  /** The list or radios of the kind of document. `reloads`: the choice posts back. */
  tipo?: { seletor: string; reloads?: true }
  /** The button, or the target of the postback if the page does not tell it. */
  botao: string | { alvo: string }
  /** The end of the name of the panel that the answer renews, if the page posts over AJAX. */
  painel?: string
  /** The form (CSS), if it is not known to carry the state of WebForms. */
  form?: string
  caminho?: Caminho
}

/** A page of WebForms: the form's page, the choice of the kind of document, then the question. */
export const webforms = <P extends Pergunta, R, D extends object>(
  uf: Uf,
  options: WebformsOptions & { leitor: LeitorDaRota<P, R, D> },
) => {
  const { leitor, captcha, form = FORM, painel, caminho } = options
  const passos = converse<P, R>({
    open: (portal, pergunta) => openForm(portal, pergunta, options),
    harvest: form,
    fill: ({ portal, pagina, pergunta }) => fill(portal, pagina, pergunta, options),
    captcha,
    send: painel === undefined ? undefined : (preenchido) => sendToPanel(preenchido, painel),
    follow: caminho && ((answer, { portal }) => follow(portal, answer, caminho)),
    read: leitor.read,
  })
  return rota('webforms', uf, options, passos)
}

async function openForm(portal: Portal, pergunta: Pergunta, options: WebformsOptions): Promise<Pagina> {
  const pagina = await portal.get(options.url)
  const choice = options.tipo?.reloads && choose(portal, pagina, pergunta, options)
  if (!choice || choice.escolhido) return pagina
  const { name, value } = choice
  return postBack(portal, pagina, { [name]: value, __EVENTTARGET: name, __EVENTARGUMENT: '' })
}

const choose = (
  portal: Portal,
  pagina: Pagina,
  pergunta: Pergunta,
  { tipo, documentos }: WebformsOptions,
): ReturnType<typeof choiceOf> | undefined =>
  tipo && choiceOf(portal, pagina, tipo.seletor, documentos[pergunta.tipo] ?? '')

function fill(portal: Portal, pagina: Pagina, pergunta: Pergunta, options: WebformsOptions): Campos {
  const { botao } = options
  const choice = choose(portal, pagina, pergunta, options)
  const pressed =
    typeof botao === 'string'
      ? pressOf(controleOf(portal, pagina, botao))
      : { __EVENTTARGET: botao.alvo, __EVENTARGUMENT: '' }
  return {
    ...(choice && { [choice.name]: choice.value }),
    ...fieldsOf(portal, pagina, pergunta, options),
    ...pressed,
  }
}

async function sendToPanel<P extends Pergunta>(
  { portal, pagina, to, campos }: Preenchido<P>,
  painel: string,
): Promise<Pagina> {
  const { campos: doPainel, headers } = postDoPainel(portal, pagina, painel, campos.__EVENTTARGET ?? '')
  return openDelta(portal, await portal.post(to, { ...campos, ...doPainel }, { headers }))
}

function fieldsOf(
  portal: Portal,
  pagina: Pagina,
  pergunta: Pergunta,
  { campo, forma }: WebformsOptions,
): Campos {
  const controls = typeof campo === 'string' ? { [pergunta.tipo]: campo } : campo
  const others = Object.values(controls).flatMap((seletor) => findCampo(pagina, seletor) ?? [])
  const own = nameOf(portal, pagina, controls[pergunta.tipo] ?? '')
  return { ...Object.fromEntries(others.map((name) => [name, ''])), [own]: writeDocumento(pergunta, forma) }
}

/** A page that lists the certificates and makes a new one (SC). All members are CSS. */
type Grade = {
  /** The last day in a row, if the page says that the certificate is in force. */
  valida: string
  download: string
  /** Makes a new one: it comes as the answer, in a window to print, or as a download. */
  generate: string
  pronta: string
}

async function fetchFromGrade(portal: Portal, answer: Pagina, grade: Grade): Promise<Pagina> {
  const current = currentOf(portal, answer, grade)
  if (current) return press(portal, answer, current)
  const make = answer.html()(grade.generate).first()
  if (make.length === 0) return answer
  const made = await press(portal, answer, make)
  if (isPdf(made)) return made
  const opened = janelaOf(portal, made)
  if (opened) return portal.get(new URL(opened, made.url).href)
  const ready = made.html()(grade.pronta).first()
  const download = ready.length > 0 ? ready : currentOf(portal, made, grade)
  return download ? press(portal, made, download) : made
}

/** The download of the first certificate in force today. A row may keep its mark after its last day. */
function currentOf(portal: Portal, pagina: Pagina, { valida, download }: Grade): Controle | undefined {
  const $ = pagina.html()
  // Brasília is three hours behind UTC, without summer time since 2019.
  const today = new Date(portal.meios.now().getTime() - 3 * 3_600_000).toISOString().slice(0, 10)
  for (const mark of $(valida).toArray()) {
    const [, day, month, year] = /(\d{2})\/(\d{2})\/(\d{4})/.exec($(mark).text()) ?? []
    const link = $(mark).closest('tr').find(download).first()
    if (year && `${year}-${month}-${day}` >= today && link.length > 0) return link
  }
  return undefined
}

type Caminho =
  /** The answer opens a report, which knows the certificate by the session. A dialog tells why not (BA). */
  | { relatorio: string }
  /** The answer has a button (CSS) that prints the certificate. */
  | { botao: string }
  | { grade: Grade }

async function follow(portal: Portal, answer: Pagina, caminho: Caminho): Promise<Pagina> {
  if (isPdf(answer)) return answer
  if ('grade' in caminho) return fetchFromGrade(portal, answer, caminho.grade)
  if ('botao' in caminho) {
    const button = answer.html()(caminho.botao).first()
    return button.length > 0 ? press(portal, answer, button) : answer
  }
  const opened = janelaOf(portal, answer)
  // A page that is not the form, and opens no report, tells the reason itself: it may be closed.
  if (!opened && (!hasForm(answer) || alertasOf(portal, answer).length > 0)) return answer
  const report = await portal.get(opened ?? caminho.relatorio)
  return isPdf(report) ? report : answer
}
