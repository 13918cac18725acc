import type { CheerioAPI } from 'cheerio/slim'
import { normalize, type Pagina } from './pagina.ts'
import { type Campos, failUnknown, type Portal } from './visita.ts'

/** Gives every hidden field of a form (CSS) as it came. Throws as failUnknown without such a form. */
export function harvest(portal: Portal, pagina: Pagina, form: string): Campos {
  const $ = pagina.html()
  const found = $(form).first()
  if (found.length === 0) failUnknown(portal, pagina, `falta o formulário (${form})`)
  const entries = found.find('input[type=hidden][name]').map((_, input): [[string, string]] => {
    const field = $(input)
    return [[field.attr('name') ?? '', field.attr('value') ?? '']]
  })
  return Object.fromEntries(entries.get())
}

/** The address that a form (CSS) is sent to: its `action`, resolved, else the page itself. */
export function actionOf(pagina: Pagina, form: string): string {
  const action = pagina.html()(form).first().attr('action') ?? ''
  return URL.canParse(action, pagina.url) ? new URL(action, pagina.url).href : pagina.url
}

export type Controle = ReturnType<CheerioAPI>

/** Finds a control (CSS) of a page. Throws as failUnknown does if the page lacks it. */
export function controleOf(portal: Portal, pagina: Pagina, seletor: string): Controle {
  const found = pagina.html()(seletor).first()
  if (found.length === 0) failUnknown(portal, pagina, `falta o campo (${seletor})`)
  return found
}

/** Gives the name under which a control (CSS) is sent. */
export function nameOf(portal: Portal, pagina: Pagina, seletor: string): string {
  const name = controleOf(portal, pagina, seletor).attr('name')
  return name || failUnknown(portal, pagina, `o campo não tem nome (${seletor})`)
}

/** The option (CSS) whose value, text or id ends in `codigo`. `escolhido`: it came chosen. */
export function choiceOf(
  portal: Portal,
  pagina: Pagina,
  seletor: string,
  codigo: string,
): { name: string; value: string; escolhido: boolean } {
  const $ = pagina.html()
  const list = controleOf(portal, pagina, seletor)
  const isList = list.is('select')
  const options = isList ? list.find('option') : $.root().find(seletor)
  const chosen = options.filter((_, one) => {
    const { value = '', id = '' } = one.attribs
    return value === codigo || id.endsWith(codigo) || normalize($(one).text()) === normalize(codigo)
  })
  const [option] = chosen.toArray()
  const name = isList ? list.attr('name') : option?.attribs.name
  if (!option || !name) failUnknown(portal, pagina, `falta a opção ${codigo} (${seletor})`)
  const marked = options.filter('[selected], [checked]').toArray()
  const escolhido = marked.length > 0 ? marked.includes(option) : isList && options.toArray()[0] === option
  return { name, value: option.attribs.value ?? $(option).text().trim(), escolhido }
}

/** ASP.NET's scripts post back in two ways: `__doPostBack('target','argument')`, and an object. */
const postBack = /(?:__doPostBack|WebForm_PostBackOptions)\(\s*['"]([^'"]*)['"]\s*,\s*['"]([^'"]*)['"]/

/** The fields that a pressed button or link of ASP.NET adds to its form. Undefined for a plain link. */
export function pressOf(control: Controle): Campos | undefined {
  const script = `${control.attr('href') ?? ''} ${control.attr('onclick') ?? ''}`
  const [, target, argument = ''] = postBack.exec(script) ?? []
  if (target !== undefined) return { __EVENTTARGET: target, __EVENTARGUMENT: argument }
  const name = control.attr('name')
  return name ? { [name]: control.attr('value') ?? '' } : undefined
}

const MOST_SCRIPT = 200_000

const NAME = '[A-Za-z_$][\\w$]*'
const TEXT = `"[^"]*"|'[^']*'`

/** `f.ACAO.value = 'X'`, `elements['ACAO'].value = x`, `getElementById('ACAO').value = x`. */
const assignment = new RegExp(
  `(?:\\.(${NAME})|["'](${NAME})["']\\s*[\\])])\\.value\\s*=(?!=)\\s*(${TEXT}|${NAME})`,
  'g',
)
const call = new RegExp(`(?<![\\w$.])(${NAME})\\s*\\(([^()]*)\\)`, 'g')
const head = new RegExp(`\\bfunction\\s+(${NAME})\\s*\\(([^()]*)\\)\\s*\\{`, 'g')

/** What a press writes into fields. No script runs, so a field with two different texts is left out. */
function filledBy(pagina: Pagina, control: Controle): Campos {
  const $ = pagina.html()
  const pressed = [control, ...control.find('img').toArray()].map((one) => $(one))
  const code = pressed.map((one) => `${one.attr('href') ?? ''};${one.attr('onclick') ?? ''}`).join(';')
  const funcoes = funcoesOf($('script:not([src])').text().slice(0, MOST_SCRIPT))
  const found = new Map<string, Set<string>>()
  const calls: Chamada[] = [{ code, given: new Map() }]
  let left = MOST_SCRIPT
  for (const { code, given } of calls) {
    left -= code.length
    if (left < 0) break
    for (const [, member, key, written = ''] of code.matchAll(assignment)) {
      const name = member ?? key ?? ''
      const text = textOf(written, given)
      if (text !== undefined) found.set(name, (found.get(name) ?? new Set()).add(text))
    }
    calls.push(...callsIn(code, given, funcoes))
  }
  return Object.fromEntries(
    [...found].flatMap(([name, [value = '', ...others]]) => (others.length === 0 ? [[name, value]] : [])),
  )
}

type Valores = ReadonlyMap<string, string>
type Chamada = { code: string; given: Valores }
type Funcao = { params: string[]; body: string }

function callsIn(code: string, known: Valores, funcoes: ReadonlyMap<string, Funcao>): Chamada[] {
  return [...code.matchAll(call)].flatMap(([, name = '', args = '']) => {
    const called = funcoes.get(name)
    if (!called) return []
    const texts = args.split(',').map((one) => textOf(one.trim(), known))
    const given = called.params.flatMap((param, at): [string, string][] => {
      const text = texts[at]
      return text === undefined ? [] : [[param, text]]
    })
    return [{ code: called.body, given: new Map(given) }]
  })
}

const textOf = (written: string, known: Valores): string | undefined =>
  /^(["']).*\1$/s.test(written) ? written.slice(1, -1) : known.get(written)

function funcoesOf(script: string): Map<string, Funcao> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (const { 0: brace, index } of script.matchAll(/[{}]/g)) {
    const from = brace === '{' ? undefined : open.pop()
    if (brace === '{') open.push(index)
    if (from !== undefined) ends.set(from, index)
  }
  return new Map(
    [...script.matchAll(head)].map(({ 0: whole, 1: name = '', 2: params = '', index }) => {
      const from = index + whole.length
      const body = script.slice(from, ends.get(from - 1))
      return [name, { params: params.split(',').map((param) => param.trim()), body }]
    }),
  )
}

/** A click follows a link, or sends a form with the button's own field and those its script fills. */
export type Botao = { href: string } | { form: string; campo: Campos }

/** The option or radio that reads `texto`. States change the codes of such lists, seldom their words. */
export function findOpcao(pagina: Pagina, form: string, texto: string): Campos | undefined {
  const $ = pagina.html()
  const wanted = normalize(texto)
  for (const option of $(form).first().find('select[name] option').toArray())
    if (normalize($(option).text()).startsWith(wanted))
      return fieldOf($(option).closest('select').attr('name'), $(option).attr('value') ?? $(option).text())
  for (const radio of $(form).first().find('input[type=radio][name]').toArray()) {
    const next = radio.next?.type === 'text' ? radio.next.data : ''
    const label =
      $(`label[for="${radio.attribs.id ?? ''}"]`).text() || $(radio).closest('label').text() || next
    if (normalize(label).startsWith(wanted)) return fieldOf(radio.attribs.name, radio.attribs.value ?? 'on')
  }
  return undefined
}

/** A text field (CSS). Old pages leave its type out. */
export const TEXTO = 'input:is([type=text], :not([type]))'

/** The name of the first text field (CSS) of a page. */
export const findCampo = (pagina: Pagina, seletor: string): string | undefined =>
  pagina.html()(seletor).first().attr('name')

/** The first button or link whose words contain `texto`. `perto` must match the row around it. */
export function findBotao(pagina: Pagina, texto: string, perto?: RegExp): Botao | undefined {
  const $ = pagina.html()
  const wanted = normalize(texto)
  const all = $('a[href], button, input[type=submit], input[type=button], input[type=image]')
    .toArray()
    .map((one) => $(one))
    .filter((one) => normalize(wordsOn(one)).includes(wanted))
  const near = all.filter((one) => !perto || perto.test(normalize(one.closest('tr, li, p, div').text())))
  const found = near[0] ?? (all.length === 1 ? all[0] : undefined)
  return found && botaoOf(pagina, found)
}

/** Finds the first button or link by a selector (CSS). */
export function findBotaoEm(pagina: Pagina, seletor: string): Botao | undefined {
  const found = pagina.html()(seletor).first()
  return found.length > 0 ? botaoOf(pagina, found) : undefined
}

const wordsOn = (control: Controle): string =>
  [control.text(), control.attr('value') ?? control.attr('alt'), control.attr('title')]
    .concat(control.find('img').attr('alt'), control.find('img').attr('title'))
    .join(' ')

function botaoOf(pagina: Pagina, found: Controle): Botao {
  const href = found.attr('href') ?? ''
  if (href && !/^(#|javascript:)/i.test(href)) return { href: new URL(href, pagina.url).href }
  const forms = pagina.html()('form')
  const at = Math.max(0, forms.index(found.closest('form')))
  const own = fieldOf(found.attr('name'), found.attr('value') ?? '')
  return { form: `form:eq(${at})`, campo: { ...own, ...filledBy(pagina, found) } }
}

const fieldOf = (name: string | undefined, value: string): Campos => (name ? { [name]: value } : {})

const STRING = /(['"])((?:\\.|(?!\1)[^\\])*)\1/.source

/** The scripts of an answer that no page before the question had. A browser runs them at once. */
const scriptsOf = (portal: Portal, pagina: Pagina): string => portal.novidades(pagina, 'script').join('\n')

/** The texts of the browser dialogs that the scripts of an answer open. */
export const alertasOf = (portal: Portal, pagina: Pagina): string[] =>
  [...scriptsOf(portal, pagina).matchAll(new RegExp(`\\balert\\(\\s*${STRING}`, 'g'))].map(
    ([, , said = '']) => unescapeString(said),
  )

/** The address that the scripts of an answer open in a new window. Undefined if there is none. */
export const janelaOf = (portal: Portal, pagina: Pagina): string | undefined =>
  addressIn(portal, pagina, String.raw`\bwindow\.open\(`)

/** The address that the scripts of an answer jump to. Undefined if there is none. */
export const saltoOf = (portal: Portal, pagina: Pagina): string | undefined =>
  addressIn(portal, pagina, String.raw`\blocation(?:\.href)?\s*=`)

function addressIn(portal: Portal, pagina: Pagina, before: string): string | undefined {
  const [, , address] = new RegExp(`${before}\\s*${STRING}`).exec(scriptsOf(portal, pagina)) ?? []
  return address === undefined ? undefined : unescapeString(address)
}

export const stringsIn = (script: string): string[] =>
  [...script.matchAll(new RegExp(STRING, 'g'))].map(([, , text = '']) => unescapeString(text))

/** Decodes the escapes that servers write (of ECMA-262, 12.9.4). */
const unescapeString = (text: string): string =>
  text
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrt])|([\s\S]))/gi, (_, unicode, hex, space, other) =>
      space ? ' ' : (other ?? String.fromCharCode(Number.parseInt(unicode ?? hex, 16))),
    )
    .trim()
