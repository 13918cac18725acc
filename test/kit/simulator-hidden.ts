import { load } from 'cheerio'

/** The hidden inputs of a page, as its form would send them back. */
export function hiddenOf(page: string): Record<string, string> {
  const $ = load(page)
  return Object.fromEntries(
    [...$('input[type=hidden]')].map((input) => [$(input).attr('name') ?? '', $(input).attr('value') ?? '']),
  )
}

/** The site key of a page's widget. */
export const siteKeyOf = (page: string): string => load(page)('[data-sitekey]').attr('data-sitekey') ?? ''
