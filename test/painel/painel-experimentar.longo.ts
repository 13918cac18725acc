import { after, before, describe } from 'node:test'
import { noBrowser } from '../kit/chromium.ts'
import { type House, start } from '../kit/harness.ts'
import { keepRules } from '../kit/page-rules.ts'
import { entrarNoPainel, type NoPainel } from '../kit/painel.ts'
import { comSessao } from '../kit/screens.ts'

/** The list, a form with examples, one for all states, and the one that takes a certificate. */
const PAGES: readonly [name: string, path: string][] = [
  ['experimentar', ''],
  ['experimentar-ie', 'consultar/?uf=SP&cnpj=99001002000162'],
  ['experimentar-todos', 'consultar-cnd-todos/'],
  ['experimentar-nfe', 'consultar-nfe-xml/'],
]

describe('the pages that try a lookup', { skip: noBrowser }, () => {
  let house: House
  let visitor: NoPainel
  before(async () => {
    house = await start()
    visitor = await entrarNoPainel(house)
  })
  after(() => house.close())

  for (const [name, path] of PAGES)
    describe(`the page /painel/experimentar/${path}`, () =>
      keepRules(
        name,
        () => `${house.address}/painel/experimentar/${path}`,
        () => comSessao(house.address, visitor),
      ))
})
