import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { axe } from '../browser/axe.ts'
import { noBrowser } from '../browser/chromium.ts'
import { CENAS } from '../browser/hostil.ts'
import { listSideways } from '../browser/in-page.js'
import { onEachScreen, onPage, screens, takePicture } from '../browser/screens.ts'
import { weigh } from '../browser/wire.ts'
import { type House, start } from '../harness.ts'
import { NOW } from '../now.ts'

for (const [name, what, encher, said] of CENAS)
  describe(`the pages of the monitor: ${what}`, { skip: noBrowser }, () => {
    let house: House
    before(async () => {
      house = await start({}, () => NOW)
      await encher(house)
    })
    after(() => house.close())

    onEachScreen('are drawn whole, and nothing of it runs or sticks out', async (screen, page) => {
      for (const path of ['/sefaz/', '/sefaz/pe/']) {
        await page.goto(house.address + path)
        await takePicture(page, `${name}${path.replaceAll('/', '-')}${screen}`)
        assert.deepEqual(await axe(page), [])
        assert.deepEqual(await page.evaluate(listSideways), [])
        assert.equal(await page.locator('main img, main script, main a[href^="javascript"]').count(), 0)
      }
      await page.goto(`${house.address}/sefaz/`)
      assert.match(await page.locator('main').innerText(), said)
      assert.equal(await page.locator('tr[data-uf]').count(), 27)
    })

    test('weigh at most 60 kB', () =>
      onPage(screens.desktop, async (page) => {
        const { bytes, parts } = await weigh(page, `${house.address}/sefaz/`)
        assert.ok(bytes <= 60_000, [...parts].join('\n'))
      }))
  })
