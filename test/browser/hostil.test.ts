import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { autorizadores } from '../../src/sefaz/rules.ts'
import type { Incidente } from '../../src/sefaz/rules-rodada.ts'
import { type House, start } from '../harness.ts'
import { NOW } from '../now.ts'
import { EVERY_MS, feita, muda } from '../store/sefaz.ts'
import { axe } from './axe.ts'
import { noBrowser } from './chromium.ts'
import { listSideways } from './in-page.js'
import { onEachScreen, onPage, screens, takePicture } from './screens.ts'
import { weigh } from './wire.ts'

const agora = NOW.getTime()

/** What an authority might say of itself, at its worst. */
const MOTIVOS = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'x'.repeat(10_000),
  '\u202eodarap \u2067serviço\u0000 \u0007fora\u2028do ar',
  '"><a href="javascript:alert(1)">clique</a> {{7*7}} %3Cb%3E &lt;b&gt;',
]

/** Each authorizer is an incident of its own. */
const incidentes: Incidente[] = autorizadores.map(({ id, casa }, at) => ({
  id,
  casa,
  inicio: agora - at * 60_000,
  fim: null,
  quedas: [
    {
      autorizador: id,
      inicio: agora - at * 60_000,
      fim: null,
      cStat: 108,
      motivo: MOTIVOS[at % MOTIVOS.length] ?? '',
    },
  ],
}))

const timeouts = (em: number) => autorizadores.map(({ id }) => muda(id, em))

/** How things stand, and what is stored for it. */
const CENAS: [name: string, what: string, encher: (house: House) => Promise<unknown>, said: RegExp][] = [
  ['sem-rodada', 'no round at all', async () => undefined, /desligado/],
  [
    'tudo-fora',
    'all 81 pairs of state and document out, 27 incidents open, in hostile words',
    async ({ rooms }) => {
      for (const ago of [2, 1, 0]) {
        const em = agora - ago * EVERY_MS - 5_000
        await rooms.sefaz.sefaz.gravar(
          feita(em, { leituras: timeouts(em), incidentes: ago === 0 ? incidentes : [] }),
        )
      }
    },
    /27 incidentes em aberto/,
  ],
]

for (const [name, what, encher, said] of CENAS)
  describe(`the pages of the monitor: ${what}`, { skip: noBrowser }, () => {
    let house: House
    before(async () => {
      house = await start({}, () => NOW)
      await encher(house)
    })
    after(() => house.close())

    onEachScreen('are drawn whole, and nothing of it runs or sticks out', async (screen, page) => {
      for (const path of ['/sefaz/', '/sefaz/pe/']) {
        await page.goto(house.address + path)
        await takePicture(page, `${name}${path.replaceAll('/', '-')}${screen}`)
        assert.deepEqual(await axe(page), [])
        assert.deepEqual(await page.evaluate(listSideways), [])
        assert.equal(await page.locator('main img, main script, main a[href^="javascript"]').count(), 0)
      }
      await page.goto(`${house.address}/sefaz/`)
      assert.match(await page.locator('main').innerText(), said)
      assert.equal(await page.locator('tr[data-uf]').count(), 27)
    })

    test('weigh at most 60 kB', () =>
      onPage(screens.desktop, async (page) => {
        const { bytes, parts } = await weigh(page, `${house.address}/sefaz/`)
        assert.ok(bytes <= 60_000, [...parts].join('\n'))
      }))
  })

describe('all incidents at once in live events', { skip: noBrowser }, () => {
  test('hostile words are repainted as the text that they are', async (t) => {
    let now = agora
    const house = await start({}, () => new Date(now))
    t.after(() => house.close())
    await house.rooms.sefaz.sefaz.gravar(feita(agora - 5_000))
    await onPage(screens.desktop, async (page) => {
      await page.goto(`${house.address}/sefaz/`)
      await page.locator('.ao-vivo').waitFor()
      now += EVERY_MS
      const em = now - 5_000
      await house.rooms.sefaz.sefaz.gravar(feita(em, { leituras: timeouts(em), incidentes }))
      await page.locator('#abertos li:nth-child(27)').waitFor()
      assert.equal(await page.locator('main img, main script, main a[href^="javascript"]').count(), 0)
      assert.ok((await page.locator('#abertos').innerText()).includes(MOTIVOS[0] ?? ''))
    })
  })
})
