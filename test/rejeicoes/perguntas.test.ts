import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { type House, start } from '../kit/house.ts'

/** What a bookkeeper types, and the codes that answer it: one of them is among the first three found. */
const PERGUNTAS: readonly [pergunta: string, ...codigos: number[]][] = [
  ['total da nota nao fecha', 610],
  ['ie do destinatario errada', 210],
  ['inscrição estadual do cliente não cadastrada', 233],
  ['cfop de entrada em nota de saida', 518],
  ['nota duplicada', 204],
  ['certificado vencido', 281, 291],
  ['cliente sem inscricao estadual', 232],
  ['ncm nao existe', 778],
  ['nota ja cancelada', 218, 420],
  ['número já inutilizado', 206],
  ['prazo para cancelar a nota passou', 501],
  ['cidade do cliente não existe', 274],
  ['empresa não credenciada para emitir nota', 203],
  ['cnpj do cliente errado', 208],
  ['código de barras errado', 611],
  ['produto sem cest', 806],
  ['faltou o troco', 866],
  ['pagamento menor que o total da nota', 865],
  ['cst em empresa do simples', 590],
  ['data de emissão no futuro', 703, 212],
  ['nota muito atrasada', 228],
  ['nota sem qr code', 394],
  ['icms não bate com a alíquota', 528],
  ['quantidade vezes preço não bate com o valor do produto', 629, 630],
  ['xml fora do padrão', 225, 215],
  ['cliente irregular na uf', 302],
  ['cnpj da transportadora errado', 542],
  ['digito da chave errado', 253, 236],
  ['devolução sem nota original', 321],
  ['fiz consultas demais', 656],
  ['nota sem ibs e cbs', 1022, 1115],
  ['desconto maior que o produto', 483],
  ['venda com cartão da maquininha sem os dados do cartão', 391],
  ['soma do icms dos itens não bate', 531, 532],
]

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

/** The codes of the list that an address answers with, in its order. */
async function codigosDe(
  address: string,
  list: 'itens' | 'results',
  as: { key?: null } = {},
): Promise<number[]> {
  const { status, body } = await house.ask(address, as)
  assert.equal(status, 200, address)
  return Object(body)[list].map(({ codigo }: { codigo: number }) => codigo)
}

const naPagina = (q: string): Promise<number[]> =>
  codigosDe(`/blog/rejeicoes/busca.json?q=${encodeURIComponent(q)}`, 'itens', { key: null })

const naApi = (q: string): Promise<number[]> =>
  codigosDe(`/api/v1/rejeicoes?page_size=200&q=${encodeURIComponent(q)}`, 'results')

test('at least 30 questions in everyday words find their rejection among the first three', async () => {
  assert.ok(PERGUNTAS.length >= 30)
  const perdidas: string[] = []
  for (const [q, ...codigos] of PERGUNTAS) {
    const achadas = (await naPagina(q)).slice(0, 3)
    if (!codigos.some((codigo) => achadas.includes(codigo))) perdidas.push(`${q}: ${achadas}`)
  }
  assert.deepEqual(perdidas, [])
})

test('"total da nota nao fecha" finds 610 first, with accents or without', async () => {
  for (const q of ['total da nota nao fecha', 'Total da nota não fecha'])
    assert.equal((await naPagina(q))[0], 610, q)
})

test('a word that only says that something is wrong leaves nothing out', async () => {
  const [sem, com] = [await naPagina('cfop interestadual'), await naPagina('cfop interestadual errado')]
  assert.ok(sem.includes(732))
  assert.deepEqual([...com].sort(), [...sem].sort())
})

test('q of the list takes everyday words where its own are in no entry', async () => {
  for (const [q, codigo] of [
    ['nota duplicada', 204],
    ['cliente sem inscricao estadual', 232],
    ['codigo de barras errado', 611],
    ['IE do cliente errada', 210],
  ] as const) {
    const achadas = await naApi(q)
    assert.ok(achadas.includes(codigo), `${q}: ${achadas.slice(0, 10)}`)
    assert.ok(achadas.length < 120, `${q}: ${achadas.length}`)
    assert.deepEqual(
      achadas,
      [...achadas].sort((a, b) => a - b),
    )
  }
})

test('q of the list gives what has its own words, and no more, where some entry has them', async () => {
  const achadas = await naApi('duplicidade de nf-e')
  assert.ok(achadas.includes(204) && !achadas.includes(573))
  assert.deepEqual(await naApi('banana duplicada'), [])
})

test('a status that refuses nothing is no entry, and whoever asks for it is told what it means', async () => {
  const ditos: [codigo: number, dito: RegExp][] = [
    [108, /Serviço Paralisado Momentaneamente.*não é uma rejeição.*o número continua livre/],
    [120, /com alerta.*não é uma rejeição.*não deve ser emitida de novo/],
    [100, /Autorizado o uso da NF-e\) não é uma rejeição/],
  ]
  for (const [codigo, dito] of ditos) {
    const { status, body } = await house.ask(`/api/v1/rejeicoes/${codigo}`)
    assert.equal(status, 404)
    assert.equal(body.error_code, 'REJEICAO_NAO_ENCONTRADA')
    assert.match(JSON.stringify(body), dito)
    const busca = await house.ask(`/blog/rejeicoes/busca.json?q=${codigo}`, { key: null })
    assert.match(String(Object(busca.body).texto), dito)
    const pagina = await house.ask(`/blog/rejeicoes/${codigo}/`, { key: null })
    assert.equal(pagina.status, 404)
    assert.match(pagina.text, dito)
  }
})

test('an entry of the API has the fragments of its steps and where to look its fields up', async () => {
  const { body } = await house.ask('/api/v1/rejeicoes/518')
  const [exemplo] = Object(body.exemplos)
  assert.deepEqual(
    [exemplo.verificacao, exemplo.errado, exemplo.certo],
    ['518-cfop-de-entrada-em-saida', '<CFOP>1101</CFOP>', '<CFOP>5101</CFOP>'],
  )
  assert.match(Object(body.solucao_passos)[exemplo.passo - 1], /CFOP/)
  assert.ok(Object(body.onde_consultar).some(({ origem }: { origem: string }) => origem === 'Confaz'))
})

test('a page shows the fragments within their step, and links to registers and tables', async () => {
  const { body } = await house.ask('/api/v1/rejeicoes/518')
  const $ = load((await house.ask(String(body.url_blog), { key: null })).text)
  const [exemplo] = Object(body.exemplos)
  const passo = $('#passos')
    .closest('section')
    .find('ol > li')
    .eq(exemplo.passo - 1)
  assert.equal(passo.find('figure.errado code').text(), '<CFOP>1101</CFOP>')
  assert.equal(passo.find('figure.certo code').text(), '<CFOP>5101</CFOP>')
  const ligacoes = $('#consultas').closest('section').find('a')
  assert.equal(ligacoes.attr('href'), Object(body.onde_consultar)[0].endereco)
  assert.match(String(ligacoes.attr('rel')), /noopener/)
})
