import { after, before, describe } from 'node:test'
import { keepRules, noBrowser, withSession } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

/** The questions without and with a document, and the one that takes a certificate. */
const PAGES: readonly [name: string, path: string][] = [
  ['consultar', ''],
  ['consultar-documento', '?documento=99001002000162&uf=SP'],
  ['consultar-nota', 'nota/'],
]

/** An answer of each kind. */
const FEITAS: readonly [name: string, fields: Record<string, string>][] = [
  ['resposta-cnd', { documento: '99001002000162', uf: 'SP', pergunta: 'cnd' }],
  ['resposta-cnpj', { documento: '99001002000162', pergunta: 'cnpj' }],
  ['resposta-ie', { documento: '99001002000162', uf: 'SP', pergunta: 'ie' }],
  ['resposta-federal', { documento: '00000000000191', pergunta: 'cnd-federal' }],
  ['resposta-cnir', { documento: '74677237417', pergunta: 'cnir' }],
  ['resposta-sigef', { documento: '74677237417', pergunta: 'sigef' }],
  ['resposta-todos', { documento: '98765057000186', pergunta: 'cnd-todos' }],
]

describe('the pages where one asks', { skip: noBrowser }, () => {
  let house: House
  let visitor: Member
  before(async () => {
    house = await start({ CND_SECONDS: '8' })
    visitor = await enterPainel(house)
  })
  after(() => house.close())

  for (const [name, path] of PAGES)
    describe(`the page /painel/consultar/${path}`, () =>
      keepRules(
        name,
        () => `${house.address}/painel/consultar/${path}`,
        () => withSession(house.address, visitor),
      ))

  for (const [name, fields] of FEITAS)
    describe(`the answer ${name}`, () => {
      let path = ''
      before(async () => {
        path = (await visitor.post('/painel/consultar/', fields)).headers.get('location') ?? ''
      })
      keepRules(
        name,
        () => house.address + path,
        () => withSession(house.address, visitor),
      )
    })
})
