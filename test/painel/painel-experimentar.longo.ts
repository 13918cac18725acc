import { after, before, describe } from 'node:test'
import { keepRules, noBrowser, withSession } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

/** The list, a form with examples, one for all states, and the one that takes a certificate. */
const PAGES: readonly [name: string, path: string][] = [
  ['experimentar', ''],
  ['experimentar-ie', 'consultar/?uf=SP&cnpj=99001002000162'],
  ['experimentar-todos', 'consultar-cnd-todos/'],
  ['experimentar-nfe', 'consultar-nfe-xml/'],
]

describe('the pages that try a lookup', { skip: noBrowser }, () => {
  let house: House
  let visitor: Member
  before(async () => {
    house = await start()
    visitor = await enterPainel(house)
  })
  after(() => house.close())

  for (const [name, path] of PAGES)
    describe(`the page /painel/experimentar/${path}`, () =>
      keepRules(
        name,
        () => `${house.address}/painel/experimentar/${path}`,
        () => withSession(house.address, visitor),
      ))
})
