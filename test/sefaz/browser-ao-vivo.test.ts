import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { NOW, rowsOf, testOnce } from '../kit/basics.ts'
import { follow, noBrowser, onPage, screens, visit } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { readSaid, setVisibility } from '../kit/in-page.js'
import { EVERY_MS, fillMonitor, muda, rodadaRuim } from '../kit/sefaz.ts'

/** A line to a server on this machine that can be cut and mended. */
type Line = {
  address: string
  /** Ends what goes over it, and takes nothing until it is mended. */
  cut: () => void
  mend: () => void
  close: () => Promise<void>
}

/** Has a browser come back to its stream in half a second. The text stays as long as its chunk says. */
const hurry = (): Transform =>
  new Transform({
    transform: (chunk: Buffer, _coding, done) =>
      done(null, Buffer.from(chunk.toString('latin1').replace('retry: 5000', 'retry: 0500'), 'latin1')),
  })

/** Lays a line to an address of this machine. */
async function layLine(to: string): Promise<Line> {
  const port = Number(new URL(to).port)
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const end of [near, far]) {
      open.add(end)
      end.on('error', () => end.destroy())
      end.on('close', () => {
        for (const other of [near, far]) other.destroy()
        open.delete(end)
      })
    }
    near.pipe(far).pipe(hurry()).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    isCut = true
    for (const end of open) end.destroy()
  }
  const address: AddressInfo = Object(server.address())
  return {
    address: `http://127.0.0.1:${address.port}`,
    cut,
    mend: () => {
      isCut = false
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('the live page of the monitor', { skip: noBrowser }, () => {
  let house: House
  let line: Line
  let agora = NOW.getTime()

  before(async () => {
    house = await start({}, () => new Date(agora))
    await fillMonitor(house, agora)
    line = await layLine(house.address)
  })
  after(async () => {
    await line.close()
    await house.close()
  })

  /** A round later, in which these time out besides those that are out anyway. */
  async function novaRodada(...mudas: string[]): Promise<void> {
    agora += EVERY_MS
    const em = agora - 5_000
    const rodada = rodadaRuim(em)
    const leituras = rodada.leituras.map((one) =>
      mudas.includes(one.autorizador) ? muda(one.autorizador, em) : one,
    )
    assert.ok(await house.rooms.sefaz.monitor.keep({ ...rodada, leituras }))
  }

  const selo = (page: Page, uf: string, text: string) =>
    page.locator(`tr[data-uf="${uf}"] .selo`, { hasText: new RegExp(`^${text}$`) }).waitFor()
  const live = (page: Page, state: 'visible' | 'hidden') => page.locator('.ao-vivo').waitFor({ state })
  const openLive = async (page: Page, address = house.address, path = '/sefaz/'): Promise<void> => {
    await page.goto(address + path)
    await live(page, 'visible')
  }

  testOnce('a round that changes one state repaints map, table and cards, without a reload', () =>
    onPage(screens.desktop, async (page) => {
      await openLive(page)
      const normais = Number(await page.locator('[data-cartao="nfe"] .numero span').innerText())
      let loads = 0
      page.on('load', () => loads++)
      await novaRodada('nfe-go')
      await selo(page, 'GO', 'Não respondeu')
      const place = page.locator('.mapa a[data-uf="GO"]')
      assert.equal(await place.locator('path').first().getAttribute('class'), 'f5')
      assert.equal(await place.locator('path').count(), 2)
      assert.equal(await place.locator('title').textContent(), 'Goiás: Não respondeu')
      assert.equal(await page.locator('[data-cartao="nfe"] .numero span').innerText(), String(normais - 1))
      assert.match((await page.locator('#anuncio').textContent()) ?? '', /GO: Não respondeu/)
      await novaRodada()
      await selo(page, 'GO', 'Normal')
      assert.equal(await place.locator('path').count(), 1)
      assert.equal(loads, 0)
    }),
  )

  test('a page that was repainted says what one made anew says', () =>
    onPage(screens.desktop, async (page) => {
      for (const path of rowsOf(['/sefaz/', '/sefaz/?doc=cte'])) {
        await openLive(page, house.address, path)
        await novaRodada('nfe-mg', 'cte-mg')
        await selo(page, 'MG', 'Não respondeu')
        const repainted = await page.evaluate(readSaid)
        await openLive(page, house.address, path)
        assert.deepEqual(repainted, await page.evaluate(readSaid))
        await novaRodada()
        await selo(page, 'MG', 'Normal')
      }
    }))

  testOnce('the page of a state changes its classes in place, and leads to what is new', () =>
    onPage(screens.phone, async (page) => {
      await openLive(page, house.address, '/sefaz/go/')
      await novaRodada('nfe-go')
      await page.locator('[data-doc="nfe"] .selo', { hasText: 'Não respondeu' }).waitFor()
      await follow(page, () => page.getByRole('link', { name: 'ver o conselho' }).click())
      await live(page, 'visible')
      assert.equal(await page.locator('#mudou').count(), 0)
      await novaRodada()
    }),
  )

  testOnce(
    'when the line falls the page says that it is not live, and goes on when it comes back',
    async () => {
      await using visitor = await visit(screens.desktop)
      const page = await visitor.newPage()
      await openLive(page, line.address)
      line.cut()
      await live(page, 'hidden')
      await novaRodada('nfe-pr')
      line.mend()
      await live(page, 'visible')
      await selo(page, 'PR', 'Não respondeu')
      await novaRodada()
      await selo(page, 'PR', 'Normal')
    },
  )

  testOnce('two tabs are both live', async () => {
    await using visitor = await visit(screens.desktop)
    const [one, other] = [await visitor.newPage(), await visitor.newPage()]
    await openLive(one)
    await openLive(other, house.address, '/sefaz/ms/')
    await novaRodada('nfe-ms')
    await selo(one, 'MS', 'Não respondeu')
    await other.locator('[data-doc="nfe"] .selo', { hasText: 'Não respondeu' }).waitFor()
    await novaRodada()
  })

  testOnce('a tab that nobody sees keeps no connection, and shows what is new when it is seen', () =>
    onPage(screens.desktop, async (page) => {
      await openLive(page)
      const ended = page.waitForEvent('requestfailed', (one) => one.resourceType() === 'eventsource')
      await page.evaluate(setVisibility, 'hidden')
      await ended
      await novaRodada('nfe-ba')
      await page.evaluate(setVisibility, 'visible')
      await selo(page, 'BA', 'Não respondeu')
      await live(page, 'visible')
      await novaRodada()
    }),
  )

  testOnce('without JavaScript the page does not say that it is live', () =>
    onPage({ ...screens.desktop, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${house.address}/sefaz/`)
      assert.equal(await page.locator('.ao-vivo').isVisible(), false)
      assert.equal(await page.locator('tr[data-uf]').count(), 27)
    }),
  )
})
