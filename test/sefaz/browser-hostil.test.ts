import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noBrowser, onPage, screens } from '../kit/browser.ts'
import { start } from '../kit/house.ts'
import { EVERY_MS, feita } from '../kit/sefaz.ts'
import { agora, incidentes, MOTIVOS, timeouts } from '../kit/sefaz-rounds.ts'

describe('all incidents at once in live events', { skip: noBrowser }, () => {
  test('hostile words are repainted as the text that they are', async (t) => {
    let now = agora
    const house = await start({}, () => new Date(now))
    t.after(() => house.close())
    await house.rooms.sefaz.monitor.keep(feita(agora - 5_000))
    await onPage(screens.desktop, async (page) => {
      await page.goto(`${house.address}/sefaz/`)
      await page.locator('.ao-vivo').waitFor()
      now += EVERY_MS
      const em = now - 5_000
      await house.rooms.sefaz.monitor.keep(feita(em, { leituras: timeouts(em), incidentes }))
      await page.locator('#abertos li:nth-child(27)').waitFor()
      assert.equal(await page.locator('main img, main script, main a[href^="javascript"]').count(), 0)
      assert.ok((await page.locator('#abertos').innerText()).includes(MOTIVOS[0] ?? ''))
    })
  })
})
