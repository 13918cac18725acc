import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { axe } from './axe.ts'
import { BANCO_DO_BRASIL, type House, start } from './harness.ts'
import { listSideways } from './in-page.js'
import { NOW } from './now.ts'
import { follow, onPage, screens, takePicture } from './screens.ts'

const HOUR_MS = 3_600_000

/** Declares the way from the first visit to a lookup and a new key, on these screens. */
export function walkJornada(
  ways: readonly (readonly [screen: 'desktop' | 'phone', javaScriptEnabled: boolean])[],
): void {
  let house: House
  const clock = { instant: NOW.getTime() }
  before(async () => {
    house = await start({}, () => new Date(clock.instant))
  })
  after(() => house.close())

  const consultar = async (key: string): Promise<number> =>
    (await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })).status

  for (const [screen, javaScriptEnabled] of ways) {
    const name = `${screen}${javaScriptEnabled ? '' : '-sem-javascript'}`
    test(name, () =>
      onPage({ ...screens[screen], javaScriptEnabled }, async (page) => {
        /** What holds of each page on the way. Axe is a script, and a picture waits for one. */
        const look = async (passo: string): Promise<void> => {
          assert.deepEqual(await page.evaluate(listSideways), [], passo)
          if (!javaScriptEnabled) return
          await takePicture(page, `jornada-${passo}-${name}`)
          assert.deepEqual(await axe(page), [], passo)
        }
        const onMenu = (entrada: string) =>
          goOn(page, page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: entrada }))

        await page.goto(`${house.address}/sefaz/`)
        await goOn(page, page.getByRole('link', { name: 'Entrar', exact: true }))
        await goOn(page, page.getByRole('link', { name: 'Criar uma conta' }).first())
        await page.getByLabel('Nome').fill('Cerealista Boa Safra')
        await page.getByLabel('E-mail').fill(`${name}@exemplo.test`)
        await page.getByLabel('Senha').fill('cavalo bateria grampo')
        await goOn(page, page.getByRole('button', { name: 'Criar a conta' }))
        assert.equal(new URL(page.url()).pathname, '/painel/')
        await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()
        await look('1-primeiros-passos')

        await onMenu('Configurações')
        const first = await mostrar(page)
        await look('2-chave')
        if (javaScriptEnabled) await copiar(page)
        assert.equal(await consultar(first), 200)

        await onMenu('Experimentar')
        await goOn(page, page.locator('main a[href="/painel/experimentar/consultar-cnpj/"]').first())
        await page.locator('input[name="cnpj"]').fill(BANCO_DO_BRASIL)
        await goOn(page, page.locator('main form[action$="/consultar-cnpj/"] button').first())
        await page.getByText('BANCO DO BRASIL').first().waitFor()
        await look('3-resposta')
        assert.ok(!(await page.content()).includes(first))

        await house.rooms.contas.usos.flush()
        await onMenu('Registro')
        assert.equal(await page.locator('main a[href^="/painel/registro/0"]').count(), 2)
        await onMenu('Uso')
        assert.match(await page.locator('main').innerText(), /CNPJ/)
        await look('4-uso')

        await onMenu('Configurações')
        await trocar(page, 'agora: se ela vazou')
        await page.getByText('A chave nova está pronta').waitFor()
        await look('5-chave-nova')
        clock.instant += 5_000
        const second = await mostrar(page)
        assert.deepEqual([await consultar(first), await consultar(second)], [401, 200])
        await onMenu('Configurações')
        await trocar(page, 'em 1 hora')
        await page.getByText('A chave anterior vale até').waitFor()
        await look('6-chave-anterior')
        clock.instant += 5_000
        assert.deepEqual([await consultar(second), await consultar(await mostrar(page))], [200, 200])
        clock.instant += HOUR_MS
        assert.equal(await consultar(second), 401)

        await goOn(page, page.getByRole('button', { name: 'Sair' }))
        await page.getByText('Você saiu').waitFor()
        await page.goto(`${house.address}/painel/configuracoes/`)
        assert.match(page.url(), /\/entrar\/\?para=%2Fpainel%2Fconfiguracoes%2F$/)
      }),
    )
  }

  const goOn = (page: Page, by: Locator): Promise<void> => follow(page, () => by.click())

  /** Shows the key, and reads it off the page. */
  async function mostrar(page: Page): Promise<string> {
    await goOn(page, page.getByRole('button', { name: 'Mostrar a chave' }))
    const key = await page.locator('#chave').innerText()
    assert.match(key, /^fk_[0-9A-Za-z]{38}$/)
    return key
  }

  async function copiar(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Copiar' }).click()
    await page.locator('#copiada').getByText('Selecionada').waitFor()
    assert.match(await page.evaluate('String(getSelection())'), /^fk_/)
    await page.context().grantPermissions(['clipboard-write'])
    await page.getByRole('button', { name: 'Copiar' }).click()
    await page.locator('#copiada').getByText('Copiada').waitFor()
  }

  async function trocar(page: Page, quando: string): Promise<void> {
    await goOn(page, page.getByRole('link', { name: 'Gerar outra chave' }))
    await page.getByLabel(quando).check()
    await goOn(page, page.getByRole('button', { name: 'Gerar a chave' }))
  }
}
