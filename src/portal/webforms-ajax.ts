import type { Campos } from './campos.ts'
import { type Pagina, withText } from './pagina.ts'
import type { Portal } from './portal.ts'

/**
 * The additions of a page's script to a post of ASP.NET AJAX: the panel to renew, and the control that was
 * pressed.
 */
export type PostDoPainel = { campos: Campos; headers: Record<string, string> }

const HEADERS = { 'x-microsoftajax': 'Delta=true', 'x-requested-with': 'XMLHttpRequest' }

/**
 * The script that declares the panels of a page: its manager, its form, and its panels with a letter before
 * each name.
 */
const initialize = /PageRequestManager\._initialize\(\s*'([^']+)'\s*,\s*'[^']*'\s*,\s*\[([^\]]*)\]/

/**
 * Makes the post that renews the panel whose name ends in `nome`, pressed by `alvo`. Throws SourceError
 * `parse` if the page has no such panel.
 */
export function postDoPainel(portal: Portal, pagina: Pagina, nome: string, alvo: string): PostDoPainel {
  const [, manager, list = ''] = initialize.exec(pagina.text()) ?? []
  const panel = [...list.matchAll(/'[tf]([^']*)'/g)]
    .map(([, name = '']) => name)
    .find((name) => name.endsWith(nome))
  if (!manager || !panel) throw portal.failure('parse', `mudou de página: falta o painel ${nome}`)
  return { campos: { [manager]: `${panel}|${alvo}`, __ASYNCPOST: 'true' }, headers: HEADERS }
}

/**
 * Opens an answer of ASP.NET AJAX: gives its renewed pieces, the page it jumps to, or the whole answer.
 * Throws SourceError: `http` for the server's error, `parse` for a broken answer.
 */
export async function openDelta(portal: Portal, answer: Pagina): Promise<Pagina> {
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
