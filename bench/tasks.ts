/**
 * Three tasks of people, as a browser does them: from the sign-up to the first curl, all states with a
 * certificate in PDF and its cost, a refused XML to its corrected file. `node bench/tasks.ts`.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { screens, visit } from '../test/kit/browser.ts'
import { nota, startCatalogo } from '../test/kit/catalogo.ts'
import { report } from './figures.ts'
import { machineLine } from './machine.ts'

const EMPRESA = '99.034.721/0001-80'
const house = await startCatalogo()
const folder = mkdtempSync(join(tmpdir(), 'bench-tasks-'))
await using visitor = await visit({ ...screens.desktop, acceptDownloads: true })
const page = await visitor.newPage()
page.setDefaultTimeout(20_000)
let clicks = 0

async function press(one: Locator): Promise<void> {
  clicks += 1
  await one.click()
}

/** Does a task, and reports its seconds and clicks. */
async function time(name: string, task: (page: Page) => Promise<string>): Promise<void> {
  clicks = 0
  const began = performance.now()
  const came = await task(page)
  report(name, (performance.now() - began) / 1000, 's')
  report(`${name}, clicks`, clicks, '')
  console.log(`  ${came}`)
}

async function fileOf(button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(button)])
  return download.path()
}

console.log(machineLine())
try {
  await time('sign-up to the first curl', async () => {
    await page.goto(house.address)
    await press(page.getByRole('link', { name: 'Criar conta' }).first())
    await page.getByLabel('Nome').fill('Cerealista Boa Safra')
    await page.getByLabel('E-mail').fill('tarefas@exemplo.test')
    await page.getByLabel('Senha').fill('cavalo bateria grampo')
    await press(page.getByRole('button', { name: 'Criar conta', exact: true }))
    const comando = await page.locator('pre', { hasText: 'curl -s' }).first().innerText()
    const { stdout: answer } = await promisify(execFile)('bash', ['-c', comando])
    await page.locator('#sinal.aceso').waitFor()
    return `${/"(?:razao_social|nome)":"([^"]*)/.exec(answer)?.[1]}; ${await page.locator('#sinal').innerText()}`
  })
  await time('registrations in all states, a certificate in PDF and its cost', async () => {
    await press(page.getByRole('link', { name: 'Consultar', exact: true }).first())
    await page.getByLabel('CPF, CNPJ').fill(EMPRESA)
    await press(page.locator('button[value="ie-todos"]'))
    await page.waitForURL(/\/painel\/consultas\//)
    const inscricoes = await page.locator('main h1').first().innerText()
    await page.locator('#uf').selectOption('RS')
    await press(page.locator('button[value="cnd"]'))
    await page.getByRole('heading', { name: 'Negativa' }).waitFor()
    const pdf = await fileOf(page.getByRole('link', { name: 'Baixar o PDF' }))
    if (!readFileSync(pdf, 'latin1').startsWith('%PDF-')) throw new Error('no PDF')
    return `${inscricoes}; ${await page
      .getByText(/saldo agora/)
      .first()
      .innerText()}`
  })
  await time('a refused XML to its corrected file', async () => {
    const arquivo = join(folder, 'nota.xml')
    writeFileSync(arquivo, nota.replace(/<vNF>[^<]*/, '<vNF>9999.99'))
    await page.goto(`${house.address}/blog/rejeicoes/diagnostico/`)
    await page.locator('#arquivo').setInputFiles(arquivo)
    const certa = await fileOf(page.getByRole('button', { name: 'Baixar o XML corrigido' }))
    if (readFileSync(certa, 'utf8').includes('9999.99')) throw new Error('not corrected')
    return 'corrected'
  })
} finally {
  await visitor.close()
  await house.close()
  rmSync(folder, { recursive: true, force: true })
}
// The browser of the tests ends with its process.
process.exit()
