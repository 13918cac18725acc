import { after, before, describe } from 'node:test'
import { openSimulatorAt } from '../kit/authority.ts'
import { NOW } from '../kit/basics.ts'
import { keepRules, noBrowser, withSession } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

/** The choice, what is asked, and dossiers: whole, contradicted, or much of it failed. */
const PAGES: readonly [name: string, path: string, isMade: boolean][] = [
  ['dossie-escolha', '?documento=123', false],
  ['dossie-antes', '99001002000162/', false],
  ['dossie-empresa', '99034721000180/', true],
  ['dossie-produtor', '74677237417/', true],
  ['dossie-divergencias', '99909625000138/', true],
  ['dossie-falhas', '98765204000118/', true],
]

describe('the pages of a dossier', { skip: noBrowser }, () => {
  let house: House
  let simulator: Awaited<ReturnType<typeof openSimulatorAt>>
  let visitor: Member
  before(async () => {
    simulator = await openSimulatorAt(() => NOW, { ritmo: 0 })
    house = await start({ SIMULATOR_URL: simulator.endereco })
    visitor = await enterPainel(house)
    for (const [, path, isMade] of PAGES)
      if (isMade) await visitor.post(`/painel/dossie/${path}`, { formulario: path, rural: 'sim' })
  })
  after(async () => {
    await house.close()
    await simulator.close()
  })

  for (const [name, path] of PAGES)
    describe(`the page /painel/dossie/${path}`, () =>
      keepRules(
        name,
        () => `${house.address}/painel/dossie/${path}`,
        () => withSession(house.address, visitor),
      ))
})
