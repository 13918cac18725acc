import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { visit } from './chromium.ts'
import { listen } from './complaints.ts'
import { type Exemplo, listExemplos, placed } from './exemplos.ts'
import { type House, start } from './harness.ts'
import { feita } from './sefaz.ts'

/** The limit of the runner is for one test; this is one for each call. */
const ALL_MS = 600_000

/** Declares that the page answers these calls of it, each as its example stands. */
export function tryReference(isTried: (path: string) => boolean): void {
  let house: House
  let page: Page
  let complaints: string[]

  before(async () => {
    // A note and its certificate are of today.
    house = await start({}, () => new Date())
    await house.rooms.sefaz.monitor.keep(feita(Date.now()))
    const visitor = await visit({ viewport: { width: 1280, height: 900 } })
    page = await visitor.newPage()
    page.setDefaultTimeout(20_000)
    complaints = listen(page)
  })
  after(() => house.close())

  test('the reference page is in Portuguese, and its "Testar Requisição" is answered as it stands', {
    timeout: ALL_MS,
  }, async (t) => {
    await page.goto(`${house.address}/documentacao`)
    await page.getByText('Introdução').waitFor()
    await page.locator('.scalar-password-input').fill(house.apiKey ?? '')
    const closed = page.getByRole('button', { name: /^Abrir Grupo/ })
    while ((await closed.count()) > 0) await closed.first().click()
    for (const exemplo of (await listExemplos(house)).filter(({ path }) => isTried(path)))
      await t.test(exemplo.path, async () => {
        const { status, url, body } = await tryOut(exemplo)
        assert.equal(status, 200)
        const { rest } = placed(exemplo.path, exemplo.parameters)
        assert.deepEqual([...new URL(url).searchParams].filter(notDefault), rest)
        assert.deepEqual(body, exemplo.body)
      })
    assert.deepEqual(complaints, [])
  })

  /** The page also sends what is so by itself: a switch that is off, and the first page. */
  const defaults: Record<string, string> = { force_fresh: 'false', emitir_nova: 'false', page: '1' }
  const notDefault = ([name, value]: [string, string]): boolean => defaults[name] !== value

  /** Opens the call in the page, sends it, and waits until the page shows the answer. */
  async function tryOut({
    path,
    parameters,
    body,
  }: Exemplo): Promise<{ status: number; url: string; body: unknown }> {
    await page.locator(`a[href$="${path}"]`).first().click()
    const call = `(${body ? 'post' : 'get'} ${path})`
    await page.getByRole('button', { name: call }).click()
    const dialog = page.getByRole('dialog')
    const { filled } = placed(path, parameters)
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === filled)
    await dialog.getByRole('button', { name: 'Enviar', exact: false }).first().click()
    const response = await answered
    await dialog.getByText('200 OK').waitFor()
    // A long line of a body would push the whole dialog to the side.
    const corner = await dialog.getByRole('button', { name: 'Mostrar barra lateral' }).boundingBox()
    assert.ok(corner && corner.x >= 0)
    await page.getByRole('button', { name: 'Fechar cliente' }).first().click()
    const request = response.request()
    return { status: response.status(), url: request.url(), body: request.postDataJSON() ?? undefined }
  }
}
