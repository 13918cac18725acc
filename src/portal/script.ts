import type { Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'

/** A string of JavaScript, in either kind of quotes. Its second group is the text. */
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

/** Finds the first string after a piece of script. */
function addressIn(portal: Portal, pagina: Pagina, before: string): string | undefined {
  const [, , address] = new RegExp(`${before}\\s*${STRING}`).exec(scriptsOf(portal, pagina)) ?? []
  return address === undefined ? undefined : unescapeString(address)
}

/** The strings of a piece of script. */
export const stringsIn = (script: string): string[] =>
  [...script.matchAll(new RegExp(STRING, 'g'))].map(([, , text = '']) => unescapeString(text))

/** Decodes the escapes that servers write (of ECMA-262, 12.9.4). */
const unescapeString = (text: string): string =>
  text
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrt])|([\s\S]))/gi, (_, unicode, hex, space, other) =>
      space ? ' ' : (other ?? String.fromCharCode(Number.parseInt(unicode ?? hex, 16))),
    )
    .trim()
