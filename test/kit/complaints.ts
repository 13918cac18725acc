import type { Page } from 'playwright-core'

/**
 * All that a browser complains of while it shows a page, from now on: what the console says, with breaches of
 * the page's policy, errors of scripts, requests that fail or leave the page's host.
 */
export function listen(page: Page): string[] {
  const complaints: string[] = []
  let host = ''
  page.on('console', (said) => {
    if (said.type() === 'error' || said.type() === 'warning') complaints.push(`console: ${said.text()}`)
  })
  page.on('pageerror', ({ message }) => complaints.push(`script: ${message}`))
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) host = asked.host
    else if (asked.protocol !== 'data:' && asked.host !== host) complaints.push(`leaves: ${request.url()}`)
  })
  // A form that is answered with a file to save is told as a failure first.
  page.on('download', (file) => {
    const at = complaints.indexOf(`fails: ${file.url()} net::ERR_ABORTED`)
    if (at >= 0) complaints.splice(at, 1)
  })
  page.on('requestfailed', (request) => {
    // The page that is left behind gives up its stream; Chromium also tells the end of a long one so.
    const isStream = request.headers().accept === 'text/event-stream'
    if (!isStream && request.resourceType() !== 'eventsource')
      complaints.push(`fails: ${request.url()} ${request.failure()?.errorText ?? ''}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`is ${response.status()}: ${response.url()}`)
  })
  return complaints
}
