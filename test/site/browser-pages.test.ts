import { after, before, describe } from 'node:test'
import { encher } from '../kit/cena.ts'
import { encherChamadas } from '../kit/chamadas.ts'
import { noBrowser } from '../kit/chromium.ts'
import { type House, start } from '../kit/harness.ts'
import { NOW } from '../kit/now.ts'
import { keepRules } from '../kit/page-rules.ts'
import { entrarNoPainel, type NoPainel } from '../kit/painel.ts'
import { comSessao } from '../kit/screens.ts'

/** A page that everybody sees, and one of the dashboard. `npm run test:longo` has all of them. */
describe('the pages keep their rules', { skip: noBrowser }, () => {
  let house: House
  let visitor: NoPainel
  before(async () => {
    house = await start()
    visitor = await entrarNoPainel(house)
    const agora = NOW.getTime()
    await encher(house, agora)
    await encherChamadas(house.rooms.platform.db, visitor.conta.id, { agora })
  })
  after(() => house.close())

  describe('the page /sefaz/', () => keepRules('sefaz', () => `${house.address}/sefaz/`))
  describe('the page /painel/registro/', () =>
    keepRules(
      'registro',
      () => `${house.address}/painel/registro/`,
      () => comSessao(house.address, visitor),
    ))
})
