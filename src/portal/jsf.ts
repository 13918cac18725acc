import type { CheerioAPI } from 'cheerio/slim'
import type { Controle } from './form.ts'
import { normalize, type Pagina, parseHtml } from './pagina.ts'
import type { Campos, Portal } from './visita.ts'

/** The field that every form of JavaServer Faces carries and every answer renews. */
export const VIEW_STATE = 'javax.faces.ViewState'

/** The form with an id, as a selector (CSS). Ids of JSF may have colons, which CSS would read as its own. */
export const formDe = (id: string): string => `form[id="${id}"],form[name="${id}"]`

/** A button of a page. Many ids are made at the build, so only the words on the button last. */
type Botao = { nome: string; valor: string; onclick: string }

/** Finds the button with these words. Throws SourceError `parse` if the page has none. */
export function findComando(portal: Portal, pagina: Pagina, palavras: string): Botao {
  const $ = pagina.html()
  const [found] = $('button,input[type=submit],input[type=button]')
    .toArray()
    .filter((one) => normalize($(one).attr('value') || $(one).text()) === normalize(palavras))
  const botao = $(found ? [found] : [])
  const nome = botao.attr('name') ?? botao.attr('id')
  if (!nome) throw portal.failure('parse', `mudou de página: falta o botão "${palavras}"`)
  return { nome, valor: botao.attr('value') ?? '', onclick: botao.attr('onclick') ?? '' }
}

/** PrimeFaces.ab({s:"source",u:"what to draw again",pa:[…]}). Undefined without such a script. */
export function eventoPrime(control: Controle): Campos | undefined {
  const [, script] = /\bPrimeFaces\.ab\(\{([\s\S]*)\}/.exec(control.attr('onclick') ?? '') ?? []
  if (script === undefined) return undefined
  const textOf = (names: string): string | undefined =>
    new RegExp(`\\b(?:${names})\\s*:\\s*["']([^"']+)["']`).exec(script)?.[1]
  const source = textOf('s|source') ?? control.attr('id')
  if (!source) return undefined
  const render = textOf('u|update')
  const params = [...script.matchAll(/\{\s*name\s*:\s*["']([^"']+)["']\s*,\s*value\s*:\s*["']([^"']*)["']/g)]
  return {
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': source,
    'javax.faces.partial.execute': textOf('p|process') ?? '@all',
    ...(render && { 'javax.faces.partial.render': render }),
    [source]: source,
    ...Object.fromEntries(params.map(([, name = '', value = '']) => [name, value])),
  }
}

/** The parts of a page that an AJAX answer of JSF 2 renews. */
export type Parcial = { html: CheerioAPI; viewState: string }

/** JSF 2.2. Throws SourceError: `http` if the session is gone, `parse` if the answer is none. */
export function readParcial(portal: Portal, pagina: Pagina): Parcial {
  const text = pagina.text()
  if (text.includes('ViewExpiredException') || pagina.words().includes('SESSAO EXPIRADA'))
    throw portal.fail('sessao-expirada')
  const updates = [
    ...text.matchAll(/<update id="([^"]*)">\s*<!\[CDATA\[((?:(?!<update )[\s\S])*?)\]\]>\s*<\/update>/g),
  ]
  const viewState = updates.find(([, id]) => id?.includes(VIEW_STATE))?.[2]
  if (!viewState) throw portal.failure('parse', 'mudou de página: a resposta parcial não é de JSF')
  const pieces = updates.filter(([, id]) => !id?.includes(VIEW_STATE)).map(([, , piece]) => piece)
  return { html: parseHtml(pieces.join('\n')), viewState: viewState.trim() }
}
