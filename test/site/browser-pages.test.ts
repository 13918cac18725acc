import { after, before, describe } from 'node:test'
import { encher } from '../kit/cena.ts'
import { noBrowser } from '../kit/chromium.ts'
import { type House, start } from '../kit/harness.ts'
import { NOW } from '../kit/now.ts'
import { keepRules } from '../kit/page-rules.ts'

/** A page that everybody sees. `npm run test:longo` has all of them, and those of the dashboard. */
describe('the pages keep their rules', { skip: noBrowser }, () => {
  let house: House
  before(async () => {
    house = await start()
    await encher(house, NOW.getTime())
  })
  after(() => house.close())

  describe('the page /sefaz/', () => keepRules('sefaz', () => `${house.address}/sefaz/`))
})
