import type { Pagina } from '../pagina/pagina.ts'
import type { Portal } from './portal.ts'

/**
 * A string of JavaScript, in either kind of quotes: what is between them is the second group after it opens.
 */
const STRING = /(['"])((?:\\.|(?!\1)[^\\])*)\1/.source

/** The scripts of an answer that the pages before the question did not have: they run as it comes up. */
const scriptsOf = (portal: Portal, pagina: Pagina): string => portal.novidades(pagina, 'script').join('\n')

/** What the scripts of an answer say in dialogs of the browser. */
export const alertasOf = (portal: Portal, pagina: Pagina): string[] =>
  [...scriptsOf(portal, pagina).matchAll(new RegExp(`\\balert\\(\\s*${STRING}`, 'g'))].map(
    ([, , said = '']) => unescapeString(said),
  )

/** The address that the scripts of an answer open in a window of its own; undefined where they open none. */
export const janelaOf = (portal: Portal, pagina: Pagina): string | undefined =>
  addressIn(portal, pagina, String.raw`\bwindow\.open\(`)

/** The address that the scripts of an answer jump to; undefined where they stay. */
export const saltoOf = (portal: Portal, pagina: Pagina): string | undefined =>
  addressIn(portal, pagina, String.raw`\blocation(?:\.href)?\s*=`)

/** The first string after a piece of script. */
function addressIn(portal: Portal, pagina: Pagina, before: string): string | undefined {
  const [, , address] = new RegExp(`${before}\\s*${STRING}`).exec(scriptsOf(portal, pagina)) ?? []
  return address === undefined ? undefined : unescapeString(address)
}

/** ECMA-262, 12.9.4: of the escapes, those that servers write. */
const unescapeString = (text: string): string =>
  text
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrt])|([\s\S]))/gi, (_, unicode, hex, space, other) =>
      space ? ' ' : (other ?? String.fromCharCode(Number.parseInt(unicode ?? hex, 16))),
    )
    .trim()
