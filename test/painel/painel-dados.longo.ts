import { after, before, describe } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { keepRules, noBrowser, withSession } from '../kit/browser.ts'
import { fillChamadas } from '../kit/contas.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'
import { fillMonitor } from '../kit/sefaz.ts'

/** Each page of data, with 30 days of calls; `novo` is that of an account without a call. */
const PAGES: readonly [name: string, path: string][] = [
  ['painel-novo', '/painel/'],
  ['comecar-novo', '/painel/comecar/'],
  ['painel', '/painel/'],
  ['uso-novo', '/painel/uso/'],
  ['uso', '/painel/uso/?periodo=30'],
  ['registro-novo', '/painel/registro/'],
  ['registro', '/painel/registro/'],
  ['registro-busca', '/painel/registro/?desfecho=falhas&uf=SP'],
  ['fontes', '/painel/fontes/'],
  ['pedido', '/painel/registro/?pedido='],
]

describe('the pages of data of the dashboard', { skip: noBrowser }, () => {
  let house: House
  let novo: Member
  let visitor: Member
  let pedido = ''
  before(async () => {
    house = await start()
    novo = await enterPainel(house)
    visitor = await enterPainel(house)
    const agora = NOW.getTime()
    await fillMonitor(house, agora)
    const { db } = house.rooms.platform
    await fillChamadas(db, visitor.conta.id, { agora })
    // A page of one call needs the number of a call that failed.
    const fail = await db.kysely
      .selectFrom('usos')
      .select('request_id')
      .where('http', '=', 503)
      .executeTakeFirst()
    pedido = fail?.request_id ?? ''
  })
  after(() => house.close())

  for (const [name, path] of PAGES)
    describe(`the page ${path}, ${name}`, () =>
      keepRules(
        name,
        () => house.address + path + (name === 'pedido' ? pedido : ''),
        () => withSession(house.address, name.endsWith('novo') ? novo : visitor),
      ))
})
