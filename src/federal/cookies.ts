import type { CookieJar } from 'tough-cookie'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { fontesDaCertidao } from './fontes.ts'

const { url: API } = fontesDaCertidao.portal

/** More cookies, or longer ones, are not kept. */
const MOST = 50
const LONGEST = 16 * 1024

/** Each cookie as the header `Set-Cookie` has it, without its attributes but the path. */
const Cookies = Type.Array(Type.String(), { maxItems: MOST })

/** Writes the cookies that the portal's API gets, for a later run. Empty if there are none. */
export function writeCookies(jar: CookieJar): string {
  const cookies: Static<typeof Cookies> = jar
    .getCookiesSync(API)
    .slice(0, MOST)
    .map((cookie) => `${cookie.cookieString()}; Path=${cookie.path ?? '/'}`)
  const text = cookies.length > 0 ? JSON.stringify(cookies) : ''
  return text.length <= LONGEST ? text : ''
}

/** Puts kept cookies into a jar, for the portal's own host alone. What is no list of cookies is left out. */
export function readCookies(jar: CookieJar, text: string): void {
  const kept = text.length <= LONGEST ? parse(text) : undefined
  if (!Check(Cookies, kept)) return
  for (const cookie of kept) jar.setCookieSync(`${cookie}; Secure`, API, { ignoreError: true })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
