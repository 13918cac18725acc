import { after, before, describe } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { keepRules, noBrowser } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { fillMonitor } from '../kit/sefaz.ts'

/** A page that everybody sees. `npm run test:longo` has all of them, and those of the dashboard. */
describe('the pages keep their rules', { skip: noBrowser }, () => {
  let house: House
  before(async () => {
    house = await start()
    await fillMonitor(house, NOW.getTime())
  })
  after(() => house.close())

  describe('the page /sefaz/', () => keepRules('sefaz', () => `${house.address}/sefaz/`))
})
