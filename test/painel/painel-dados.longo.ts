import { after, before, describe } from 'node:test'
import { encher } from '../kit/cena.ts'
import { encherChamadas } from '../kit/chamadas.ts'
import { noBrowser } from '../kit/chromium.ts'
import { type House, start } from '../kit/harness.ts'
import { NOW } from '../kit/now.ts'
import { keepRules } from '../kit/page-rules.ts'
import { entrarNoPainel, type NoPainel } from '../kit/painel.ts'
import { comSessao } from '../kit/screens.ts'

/** Each page of data, with 30 days of calls; `novo` is that of an account without a call. */
const PAGES: readonly [name: string, path: string][] = [
  ['painel-novo', '/painel/'],
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
  let novo: NoPainel
  let visitor: NoPainel
  let pedido = ''
  before(async () => {
    house = await start()
    novo = await entrarNoPainel(house)
    visitor = await entrarNoPainel(house)
    const agora = NOW.getTime()
    await encher(house, agora)
    const { db } = house.rooms.platform
    await encherChamadas(db, visitor.conta.id, { agora })
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
        () => comSessao(house.address, name.endsWith('novo') ? novo : visitor),
      ))
})
