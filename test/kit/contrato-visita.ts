import { solveChallenge } from 'altcha-lib/v1'
import { load } from 'cheerio'
import type { PortalReply, Portals, Sent, Visitor } from './simulator-portal.ts'

export type Fields = Readonly<Record<string, string>>

/** A request that asks a portal about a document, not sent yet. */
export type Question = {
  host: string
  path: string
  fields: Fields
  /** The place of the fields: a form (the default), the address of a GET or of a POST, or a JSON object. */
  as?: 'form' | 'get' | 'query' | 'json'
  sent?: Sent
}

/** A page on the screen, and what a person can do with it. */
export type Screen = {
  text: string
  /** The fields that its first form would send if nobody filled it in. No button is pressed. */
  fields: Fields
  /** The form's request, with these fields filled in or pressed. */
  ask: (filled: Fields, sent?: Sent) => Question
  /** The text of a picture. Without a selector, of the first picture of the page. */
  picture: (selector?: string, kind?: 'imagem' | 'palavras') => Promise<string>
  /** A token for the site key of the page's widget, or for the one given. */
  token: (kind: string, given?: { key?: string; widget?: Record<string, unknown> }) => Promise<string>
}

/** One visitor of one portal. */
export type Visit = {
  visitor: Visitor
  open: (host: string, path: string, sent?: Sent) => Promise<Screen>
  /** The screen of a page that came otherwise than by opening an address. */
  see: (host: string, path: string, text: string, sent?: Sent) => Screen
  /** Solves a challenge of ALTCHA. */
  proof: (host: string, path: string) => Promise<string>
  /** The last answer to a captcha. */
  answered: () => string
}

/**
 * A visitor who reads pages as a browser does.
 *
 * @param answer what to say to every captcha, instead of its solution
 */
export function startVisit(portals: Portals, visitor = portals.visitor(), answer?: string): Visit {
  let last = ''
  const give = async (solve: () => Promise<string>): Promise<string> => {
    last = answer ?? (await solve())
    return last
  }
  const see: Visit['see'] = (host, path, text, sent = {}) => {
    const $ = load(text)
    const here = new URL(path, `https://${host}`)
    const fields = fieldsOf(text)
    const to = new URL($('form').first().attr('action') ?? '', here)
    return {
      text,
      fields,
      ask: (filled, more = {}) => ({
        host: to.hostname,
        path: to.pathname + to.search,
        fields: { ...fields, ...filled },
        sent: { ...sent, ...more },
      }),
      picture: (selector = 'img', kind = 'imagem') =>
        give(async () => {
          const src = new URL($(selector).attr('src') ?? '', here)
          const { body } = await visitor.get(src.hostname, src.pathname + src.search)
          return portals.readImage(body, kind)
        }),
      token: (kind, { key = $('[data-sitekey]').attr('data-sitekey') ?? '', widget } = {}) =>
        give(() => portals.token(kind, key, here.href, widget)),
    }
  }
  return {
    visitor,
    see,
    open: async (host, path, sent = {}) => see(host, path, (await visitor.get(host, path, sent)).text, sent),
    proof: (host, path) =>
      give(async () => {
        const { challenge, salt, algorithm, maxnumber, signature } = JSON.parse(
          (await visitor.get(host, path)).text,
        )
        const number = (await solveChallenge(challenge, salt, algorithm, maxnumber).promise)?.number
        return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString(
          'base64',
        )
      }),
    answered: () => last,
  }
}

/** The fields of the first form as they were drawn: hidden ones, texts, lists and radio buttons. */
function fieldsOf(text: string): Record<string, string> {
  const $ = load(text)
  const all: Record<string, string> = {}
  for (const input of $('form').first().find('input[name]')) {
    const [name = '', type = 'text'] = [$(input).attr('name'), $(input).attr('type')]
    const chosen = $(input).attr('checked') !== undefined
    if (['hidden', 'text'].includes(type) || chosen) all[name] = $(input).attr('value') ?? ''
  }
  for (const select of $('form').first().find('select[name]'))
    all[$(select).attr('name') ?? ''] =
      $(select).find('option[selected]').attr('value') ?? $(select).find('option').attr('value') ?? ''
  return all
}

/** Sends a question. Gives the reply in one text: the status, the target of a redirect, and the page. */
export async function send(visitor: Visitor, { host, path, fields, as = 'form', sent = {} }: Question) {
  const query = new URLSearchParams(fields).toString()
  const address = query === '' ? path : `${path}?${query}`
  if (as === 'json') return written(await visitor.postJson(host, path, fields))
  if (as === 'get') return written(await visitor.get(host, address, sent))
  if (as === 'query') return written(await visitor.post(host, address, {}, sent))
  return written(await visitor.post(host, path, fields, sent))
}

export function written({ status, headers, text }: PortalReply): string {
  return `${status} ${headers.location ?? ''}\n${text}`
}
