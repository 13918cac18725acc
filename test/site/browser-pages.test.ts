import { after, before, describe } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { keepRules, noBrowser, withSession } from '../kit/browser.ts'
import { fillChamadas } from '../kit/contas.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'
import { fillMonitor } from '../kit/sefaz.ts'

/** A page that everybody sees, and one of the dashboard. `npm run test:longo` has all of them. */
describe('the pages keep their rules', { skip: noBrowser }, () => {
  let house: House
  let visitor: Member
  before(async () => {
    house = await start()
    visitor = await enterPainel(house)
    const agora = NOW.getTime()
    await fillMonitor(house, agora)
    await fillChamadas(house.rooms.platform.db, visitor.conta.id, { agora })
  })
  after(() => house.close())

  describe('the page /sefaz/', () => keepRules('sefaz', () => `${house.address}/sefaz/`))
  describe('the page /painel/registro/', () =>
    keepRules(
      'registro',
      () => `${house.address}/painel/registro/`,
      () => withSession(house.address, visitor),
    ))
})
