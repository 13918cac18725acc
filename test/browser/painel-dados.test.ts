import { after, before, describe } from 'node:test'
import { type House, start } from '../harness.ts'
import { NOW } from '../now.ts'
import { entrarNoPainel, type NoPainel } from '../painel.ts'
import { encher } from '../web/cena.ts'
import { encherChamadas } from '../web/chamadas.ts'
import { noBrowser } from './chromium.ts'
import { keepRules } from './page-rules.ts'
import { comSessao } from './screens.ts'

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

for (const [name, path] of PAGES)
  describe(`the page ${path} of the dashboard, ${name}`, { skip: noBrowser }, () => {
    let house: House
    let visitor: NoPainel
    let address: string
    before(async () => {
      house = await start()
      visitor = await entrarNoPainel(house)
      const agora = NOW.getTime()
      await encher(house, agora)
      const { db } = house.rooms.platform
      if (!name.endsWith('novo')) await encherChamadas(db, visitor.conta.id, { agora })
      // A page of one call needs the number of a call that failed.
      const fail = await db.kysely
        .selectFrom('usos')
        .select('request_id')
        .where('http', '=', 503)
        .executeTakeFirst()
      address = house.address + path + (name === 'pedido' ? fail?.request_id : '')
    })
    after(() => house.close())
    keepRules(
      name,
      () => address,
      () => comSessao(house.address, visitor),
    )
  })
