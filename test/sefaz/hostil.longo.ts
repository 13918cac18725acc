import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { axe, noBrowser, onEachScreen, onPage, screens, takePicture, weigh } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { listSideways } from '../kit/in-page.js'
import { SITUATIONS } from '../kit/sefaz-rounds.ts'

for (const [name, what, fill, said] of SITUATIONS)
  describe(`the pages of the monitor: ${what}`, { skip: noBrowser }, () => {
    let house: House
    before(async () => {
      house = await start({}, () => NOW)
      await fill(house)
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
