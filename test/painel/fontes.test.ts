import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { BANCO_DO_BRASIL, type House, newClock, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'
import { reservado } from '../kit/simulator.ts'

const clock = newClock()
let house: House
let visitor: Member
before(async () => {
  house = await start({}, clock.now)
  visitor = await enterPainel(house)
})
after(() => house.close())

const abrir = async (query = ''): Promise<CheerioAPI> => {
  const { status, text } = await visitor.get(`/painel/fontes/${query}`)
  assert.equal(status, 200)
  return load(text)
}

/** The word that a place's cell shows for a question, as `Inscrição`. */
const palavraDe = (page: CheerioAPI, uf: string, nome: string): string =>
  page(`.lugar:has(.sigla:contains("${uf}")) .agora`)
    .filter((_, one) => page(one).text().startsWith(nome))
    .find('.luz')
    .text()

test('every question has its word in every place, on one list, counted in a sentence and a bar', async () => {
  await house.ask(`/api/consultar?uf=RS&cnpj=${BANCO_DO_BRASIL}`)
  const { body } = await house.ask('/api/v1/fontes')
  const fontes = Array.isArray(body.fontes) ? body.fontes : []
  const page = await abrir()
  const places = new Set(fontes.map(({ uf, servico }) => `${uf} ${servico}`))
  assert.equal(page('.lugar').length, 27)
  assert.equal(page('.agora').length, places.size)
  assert.equal(palavraDe(page, 'RS', 'Inscrição'), 'Responde')
  assert.equal(page('#em-suma').text(), 'Nenhum problema na última hora')
  assert.equal(page('.barra > i').length, places.size)
  assert.equal(page('.barra > .bom').length, 1)
  assert.match(page('.contagem-das-fontes').text(), /^1 responde\d+ prontas6 só no site do órgão$/)
  assert.equal(page('.agora time').length, 0)
  assert.equal(page('.fontes .cabeca').text(), 'InscriçãoCertidão'.repeat(3))
  assert.equal(palavraDe(page, 'DF', 'Certidão'), 'Só no site')
  // Each word that is shown says what its reader does about it.
  const words = new Set(
    page('.agora .luz')
      .map((_, one) => page(one).text())
      .get(),
  )
  assert.deepEqual(
    new Set(
      page('.o-que-fazer dt')
        .map((_, one) => page(one).text())
        .get(),
    ),
    words,
  )
  for (const word of ['undefined', 'null', 'NaN']) assert.ok(!page('main').text().includes(word), word)
})

test('a place is looked at closely: each of its sources, and how it answered in the last hour', async () => {
  const { body } = await house.ask('/api/v1/fontes')
  const fontes = Array.isArray(body.fontes) ? body.fontes : []
  for (const uf of ['RS', 'SP', 'BR']) {
    const page = await abrir(`?uf=${uf}`)
    assert.equal(page('.rotas tbody tr').length, fontes.filter((one) => one.uf === uf).length, uf)
    assert.equal(page('.lugar').length, 27)
  }
  const idade = '.rotas time.idade'
  assert.equal((await abrir('?uf=RS'))(idade).length, 0)
  clock.pass(240_000)
  const rs = await abrir('?uf=RS')
  assert.match(rs('.rotas').text(), /1 de 1 consulta \(100%\)/)
  assert.equal(rs(idade).text(), 'há 4 min')
  assert.match(rs(idade).attr('title') ?? '', /^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2}$/)
  assert.match((await abrir('?uf=SP'))('.rotas').text(), /Atende em dias úteis/)
  assert.equal((await abrir('?uf=XX'))('.rotas').length, 0)
})

test('a registration that only the national register tells has its light, and says for what', async () => {
  const page = await abrir()
  const peloCcc = page('.lugar').filter((_, one) => page(one).text().includes('Pelo CCC'))
  assert.deepEqual(peloCcc.map((_, one) => page(one).find('.sigla').text()).get(), ['DF', 'PA'])
  const tomDe = (of: CheerioAPI, where: string) => of(`${where} .luz`).first().attr('class')
  assert.equal(tomDe(page, '.lugar:has(.sigla:contains("PA"))'), tomDe(page, '.nacionais-agora'))
  const df = await abrir('?uf=DF')
  const rotas = df('.rotas tbody tr')
  assert.equal(rotas.length, 3)
  assert.match(rotas.eq(1).text(), /^Cadastro \(CCC\).*Só por CNPJ, no cadastro nacional \(CCC\)\. Por CPF,/)
})

test('without the national register a state that cannot be asked is on its own page alone', async () => {
  const semCcc = await start({ CCC: 'nenhum' })
  try {
    const page = load((await (await enterPainel(semCcc)).get('/painel/fontes/?uf=DF')).text)
    assert.equal(palavraDe(page, 'DF', 'Inscrição'), 'Só no site')
    assert.equal(page('.rotas tbody tr').length, 2)
  } finally {
    await semCcc.close()
  }
})

test('what the operator found out of a source is not told to his clients', async () => {
  const { body } = await house.ask('/api/v1/fontes?uf=AC')
  const [{ nota }] = Array.isArray(body.fontes) ? body.fontes.filter((one) => one.nota !== '') : []
  assert.ok(nota.length > 20)
  assert.ok(!(await abrir('?uf=AC'))('main').text().includes(nota))
})

test('what failed in the last hour is counted in the sentence, beside how many there are', async () => {
  await house.ask(`/api/consultar-cnd?uf=SE&cnpj=${reservado('cnd-pdf-de-outro')}`)
  const page = await abrir()
  assert.equal(palavraDe(page, 'SE', 'Certidão'), 'Não responde')
  assert.equal(page('#em-suma').text(), `1 de ${page('.agora').length} fontes com problemas na última hora`)
})
