import type { CheerioAPI } from 'cheerio/slim'
import type { Campos } from './campos.ts'
import { failUnknown } from './desconhecida.ts'
import { normalize, type Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'

/** A control that was found on a page. */
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

/**
 * Chooses in a list or among radio buttons (CSS) the option whose value, text or id ends in `codigo`.
 * `escolhido`: the page came with it chosen.
 */
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

/**
 * The two ways in which ASP.NET's scripts post back: `__doPostBack('target','argument')`, and an object of
 * options.
 */
const postBack = /(?:__doPostBack|WebForm_PostBackOptions)\(\s*['"]([^'"]*)['"]\s*,\s*['"]([^'"]*)['"]/

/** The fields that a pressed button or link of ASP.NET adds to its form. Undefined for a plain link. */
export function pressOf(control: Controle): Campos | undefined {
  const script = `${control.attr('href') ?? ''} ${control.attr('onclick') ?? ''}`
  const [, target, argument = ''] = postBack.exec(script) ?? []
  if (target !== undefined) return { __EVENTTARGET: target, __EVENTARGUMENT: argument }
  const name = control.attr('name')
  return name ? { [name]: control.attr('value') ?? '' } : undefined
}
