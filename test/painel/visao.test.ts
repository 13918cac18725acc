import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { NOW } from '../kit/basics.ts'
import { fillChamadas } from '../kit/contas.ts'
import { BANCO_DO_BRASIL, type House, WRONG_DIGIT } from '../kit/house.ts'
import { enterPainel, startOn } from '../kit/pages.ts'
import { fillMonitor } from '../kit/sefaz.ts'

const AGORA = NOW.getTime()

/** What a page says, without its marks. */
const textOf = (html: string): string => load(html)('main').text().replace(/\s+/g, ' ')

for (const dialect of ['sqlite', 'postgres'] as const)
  describe(`the overview on ${dialect}`, () => {
    let house: House
    before(async () => {
      house = await startOn(dialect)
    })
    after(() => house.close())

    test('a new account is shown how to begin, and its key stands nowhere', async () => {
      const visitor = await enterPainel(house)
      const { status, text, headers } = await visitor.get('/painel/')
      assert.equal(status, 200)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.match(textOf(text), /Primeiros passos/)
      assert.match(text, /Abrir os primeiros passos/)
      assert.ok(!text.includes(visitor.key))
      for (const address of ['/painel/consultar/', '/painel/comecar/'])
        assert.ok(load(text)(`main a[href="${address}"]`).length > 0, address)
    })

    test('a call that has just been made is there at once, with what it cost and what is left', async () => {
      const visitor = await enterPainel(house)
      const { headers } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key: visitor.key })
      await house.ask(`/api/consultar?uf=SP&cnpj=${WRONG_DIGIT}`, { key: visitor.key })
      const { text } = await visitor.get('/painel/')
      const page = load(text)
      assert.equal(page('.chamadas tbody tr').length, 2)
      const said = page('.chamadas .desfecho').map((_, cell) => page(cell).text())
      assert.deepEqual(said.get().sort(), ['Documento inválido', 'Entregue'])
      assert.equal(page('.chamadas .selo.ruim').attr('title'), 'DOCUMENTO_INVALIDO')
      const id = headers.get('x-request-id')
      assert.ok(page(`.chamadas th a[href="/painel/registro/${id}/"]`).length === 1)
      const whole = textOf(text)
      for (const words of [
        'Créditos restantes9.999de 10.000, renova em 1º de dezembro',
        'Chamadas hoje2ainda sem média',
        'Respondidas50%em 30 dias; 1 falha, não cobrada',
        'Gasto do mês1 crédito',
      ])
        assert.ok(whole.includes(words), `${words} in ${whole}`)
    })

    test('thirty days are drawn by endpoint, and the numbers under them are all there', async () => {
      const visitor = await enterPainel(house)
      const count = await fillChamadas(house.rooms.platform.db, visitor.conta.id, { agora: AGORA })
      await fillMonitor(house, AGORA)
      const page = load((await visitor.get('/painel/')).text)
      assert.equal(page('.barras .alvo').length, 30)
      const totals = page('.ver-numeros tbody td:last-child')
        .map((_, cell) => Number(page(cell).text().replace('.', '')))
        .get()
      assert.equal(totals.length, 30)
      assert.equal(
        totals.reduce((sum, one) => sum + one, 0),
        count,
      )
      assert.equal(page('.ver-numeros thead th').length, 7)
      assert.equal(page('.mapa a').length, 27)
      assert.match(page('.visao').text(), /Não respondeu 1/)
    })

    test('the notes of the month are told in BRL, by the price that their entries have', async () => {
      const visitor = await enterPainel(house)
      const { conta } = visitor
      for (const request_id of ['nota-1', 'nota-2'])
        await house.rooms.platform.ledger.charge({
          conta,
          request_id: request_id + conta.id,
          endpoint: '/api/consultar-nfe-xml',
          creditos: 3,
          nota: true,
        })
      const { text } = await visitor.get('/painel/')
      assert.match(textOf(text), /Gasto do mês6 créditosR\$.0,39 por 2 XML de NF-e/)
    })

    test('an account sees nothing of another', async () => {
      const other = await enterPainel(house)
      await fillChamadas(house.rooms.platform.db, other.conta.id, { agora: AGORA, dias: 2 })
      const { text } = await (await enterPainel(house)).get('/painel/')
      assert.match(textOf(text), /Chamadas hoje0/)
      assert.equal(load(text)('.chamadas').length, 0)
    })
  })
