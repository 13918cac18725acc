import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

let house: House
let visitor: Member
before(async () => {
  house = await start()
  visitor = await enterPainel(house)
})
after(() => house.close())

const abrir = async (query = ''): Promise<CheerioAPI> => {
  const { status, text } = await visitor.get(`/painel/fontes/${query}`)
  assert.equal(status, 200)
  return load(text)
}

test('every source that the API tells has its row, and says how it answered in the last hour', async () => {
  await house.ask(`/api/consultar?uf=RS&cnpj=${BANCO_DO_BRASIL}`)
  const { body } = await house.ask('/api/v1/fontes')
  const fontes = Array.isArray(body.fontes) ? body.fontes : []
  const page = await abrir()
  assert.equal(page('.fontes tbody tr').length, fontes.length)
  assert.ok(fontes.length > 50)
  const answered = page('.fontes tbody tr').filter((_, row) => /Responde bem/.test(page(row).text()))
  assert.match(answered.text(), /RS .*1 de 1 consulta \(100%\)/)
  for (const word of ['undefined', 'null', 'NaN']) assert.ok(!page('main').text().includes(word), word)
})

test('filters leave the sources of one place, and of one kind', async () => {
  const place = await abrir('?uf=SP')
  assert.ok(place('.fontes tbody tr').length > 0)
  place('.fontes .sigla').each((_, one) => assert.equal(place(one).text(), 'SP'))
  const kind = await abrir('?uf=BR&servico=sigef')
  kind('.fontes .servico').each((_, one) => assert.match(kind(one).text(), /SIGEF/))
  assert.match((await abrir('?uf=SP&servico=sigef'))('.vazio').text(), /Nenhuma fonte/)
})
