import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { sql } from 'kysely'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import {
  type Divergencia,
  findComparacoes,
  findDivergencias,
  type Registro,
} from '../../src/painel/dossie/divergencias.ts'
import { textOf } from '../../src/platform/pages/apresentacao.ts'
import { html, url } from '../../src/platform/pages/html.ts'
import { readPdfText } from '../../src/platform/wire/pdf.ts'
import { openSimulatorAt } from '../kit/authority.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

const CNPJ = '99034721000180'
const PRODUTOR = '74677237417'
/** SIGEF and CNIR answer with HTTP 500 about it. */
const QUEBRADO = '98765204000118'
/** Active for the Receita Federal; RS suspended it, and has its old name and address. */
const DIVERGENTE = '99909625000138'

const paginaDe = (documento: string): string => `/painel/dossie/${documento}/`

describe('a dossier', () => {
  let house: House
  let simulator: Awaited<ReturnType<typeof openSimulatorAt>>
  before(async () => {
    simulator = await openSimulatorAt(() => NOW, { ritmo: 0 })
    house = await start({ SIMULATOR_URL: simulator.endereco })
  })
  after(async () => {
    await house.close()
    await simulator.close()
  })

  const page = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    assert.equal(status, 200, text.slice(0, 2_000))
    return load(text)
  }
  const restam = async ({ key }: Member): Promise<number> => {
    const { body } = await house.ask('/api/v1/conta', { key })
    return Object(body.creditos).disponiveis
  }
  const chamadasDe = async ({ conta }: Member): Promise<string[]> => {
    await house.rooms.contas.usos.flush()
    const rows = await house.rooms.platform.db.kysely
      .selectFrom('usos')
      .select('endpoint')
      .where('conta_id', '=', conta.id)
      .where('endpoint', 'like', '/api/consultar%')
      .execute()
    return rows.map(({ endpoint }) => endpoint).toSorted()
  }

  test('says before what it asks and what that costs at most, and asks nothing', async () => {
    const visitor = await enterPainel(house)
    const $ = await page(visitor.get(paginaDe(CNPJ)))
    assert.equal($('#dossie button').text(), 'Montar o dossiê · até 56 créditos')
    assert.deepEqual(
      $('#dossie tbody .num')
        .get()
        .map((one) => $(one).text()),
      ['1', '27', '27', '1'],
    )
    assert.match(
      $('#dossie').text(),
      /Também Imóveis rurais \(CNIR\) e Parcelas \(SIGEF\) · até 2 créditos a mais/,
    )
    const cpf = await page(visitor.get(paginaDe(PRODUTOR)))
    assert.equal(cpf('#dossie button').text(), 'Montar o dossiê · até 56 créditos')
    assert.equal(cpf('#dossie tbody tr').length, 4)
    assert.equal(await restam(visitor), 10_000)
  })

  test('is asked by calls of the account, each charged by itself, and kept: to look again costs nothing', async () => {
    const visitor = await enterPainel(house)
    const sent = await visitor.post(paginaDe(CNPJ), { formulario: 'um' })
    assert.equal(sent.status, 303, sent.text.slice(0, 2_000))
    assert.equal(sent.headers.get('location'), paginaDe(CNPJ))
    assert.deepEqual(await chamadasDe(visitor), [
      '/api/consultar-cnd-federal',
      '/api/consultar-cnd-todos',
      '/api/consultar-cnpj',
      '/api/consultar-ie-todos',
    ])
    const left = await restam(visitor)
    const $ = await page(visitor.get(paginaDe(CNPJ)))
    assert.equal($('h1').text(), 'FAREVEL ELETRICA E FARMACIA LTDA')
    assert.match($('.topo').text(), /99\.034\.721\/0001-80/)
    assert.match($('.topo').text(), new RegExp(`custou ${10_000 - left} créditos`))
    assert.deepEqual(
      $('.secao-do-dossie h2')
        .get()
        .map((one) => $(one).attr('id')),
      ['cnpj', 'ie-todos', 'cnd-todos', 'cnd-federal'],
    )
    assert.match($('.resumo-do-dossie').text(), /Receita Federal, base pública de \d\d\/\d{4}/)
    assert.match($('.resumo-do-dossie').text(), /14\/11\/2026 12:00(?!:|, há)/)
    assert.match($('.resumo-do-dossie .selo').last().text(), /^Negativa até \d\d\/\d\d\/20\d\d$/)
    assert.equal($('main').text().split('99.034.721/0001-80').length - 1, 2)
    assert.match($('#divergencias').text(), /^Nenhuma divergência de nome, CPF ou CNPJ, situação( e|,)/)
    assert.match(
      $('section[aria-labelledby="divergencias"]').text(),
      /Comparados: nome \(2 cadastros\), CPF ou CNPJ \(2 cadastros\), situação \(2 cadastros\)/,
    )
    const grupos = $('.grupo-do-dossie').text()
    assert.match(grupos, /Sem inscrição \(24\): AC, AL/)
    assert.doesNotMatch(grupos, /Nada consta/)
    const linked = $('.secao-do-dossie .de-novo a').first().attr('href') ?? ''
    assert.equal((await visitor.get(linked)).status, 200)
    // Each certificate has its paper beside it, and that of the Receita Federal too.
    const papers = $('.do-estado a[href$=".pdf"], .de-novo a[href$=".pdf"]').get()
    assert.equal(papers.length, 3)
    for (const one of papers)
      assert.match((await visitor.get($(one).attr('href') ?? '')).text, /^%PDF-/, $(one).text())

    const paper = await visitor.get(`${paginaDe(CNPJ)}dossie.pdf`)
    assert.equal(paper.headers.get('content-type'), 'application/pdf')
    assert.equal(await restam(visitor), left)
  })

  test('sent twice by one form asks nothing twice; asked anew it asks all', async () => {
    const visitor = await enterPainel(house)
    for (const formulario of ['um', 'um']) await visitor.post(paginaDe(CNPJ), { formulario })
    assert.equal((await chamadasDe(visitor)).length, 4)
    await visitor.post(paginaDe(CNPJ), { formulario: 'dois' })
    assert.equal((await chamadasDe(visitor)).length, 8)
    const chamadas = await page(visitor.get('/painel/registro/?endpoint=/api/consultar-ie-todos'))
    assert.equal(chamadas('.chamadas .selo').first().text(), 'Reaproveitada')
    const $ = await page(visitor.get(paginaDe(CNPJ)))
    assert.match($('.resumo-do-dossie').text(), /secretarias[^)]*\(reaproveitada\)/)
    assert.match($('.topo').text(), /custou \d+ créditos; as respostas reaproveitadas custam o mesmo/)
  })

  test('tells what failed, which costs nothing and is asked again by itself', async () => {
    const visitor = await enterPainel(house)
    await visitor.post(paginaDe(QUEBRADO), { formulario: 'um', rural: 'sim' })
    const $ = await page(visitor.get(paginaDe(QUEBRADO)))
    const sigef = $('section[aria-labelledby="sigef"]')
    assert.match(sigef.text(), /O SIGEF não respondeu/)
    assert.match(sigef.text(), /Nada foi cobrado/)
    assert.match($('.resumo-do-dossie tr').last().text(), /SIGEF.*0 créditos/)
    assert.match(sigef.find('button').text(), /^Perguntar de novo · até 1 crédito/)
    const before = await chamadasDe(visitor)
    const fields = Object.fromEntries(
      sigef
        .find('form input')
        .get()
        .map((one) => [$(one).attr('name') ?? '', $(one).attr('value') ?? '']),
    )
    assert.equal(fields.so, 'sigef')
    const { _csrf, ...form } = fields
    const { status } = await visitor.post(paginaDe(QUEBRADO), form)
    assert.equal(status, 303)
    assert.deepEqual(await chamadasDe(visitor), [...before, '/api/consultar-sigef'].toSorted())
  })

  const enderecosDas = async (visitor: Member, documento: string): Promise<(string | undefined)[]> => {
    const $ = await page(visitor.get(paginaDe(documento)))
    return $('.secao-do-dossie')
      .get()
      .map((one) => $(one).find('.de-novo a').attr('href'))
  }

  test('asks one question by a button that names one, or nothing where the dossier is gone', async () => {
    const visitor = await enterPainel(house)
    await visitor.post(paginaDe(QUEBRADO), { formulario: 'um', rural: 'sim' })
    const before = await chamadasDe(visitor)
    const { guardadas } = house.rooms.contas
    await guardadas.setMinutos(visitor.conta.id, 0)
    const again = { so: 'sigef', rural: 'sim' }
    const sent = await visitor.post(paginaDe(QUEBRADO), { ...again, formulario: 'dois' })
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, paginaDe(QUEBRADO)])
    assert.deepEqual(await chamadasDe(visitor), before)
    const $ = await page(visitor.post(paginaDe(QUEBRADO), { formulario: 'três', rural: 'sim' }))
    assert.match($('section[aria-labelledby="sigef"]').text(), /O SIGEF não respondeu/)
    assert.equal($('input[name="so"]').length, 0)
  })

  test('asked in part by several forms at once keeps what each of them asked', async () => {
    const visitor = await enterPainel(house)
    await visitor.post(paginaDe(PRODUTOR), { formulario: 'um' })
    const before = await enderecosDas(visitor, PRODUTOR)
    const asked = ['cnd-todos', 'cnir', 'sigef']
    const sent = await Promise.all(
      asked.map((so) => visitor.post(paginaDe(PRODUTOR), { so, formulario: so })),
    )
    assert.deepEqual(
      sent.map(({ status }) => status),
      [303, 303, 303],
    )
    assert.equal((await chamadasDe(visitor)).length, 4 + asked.length)
    const now = await enderecosDas(visitor, PRODUTOR)
    assert.deepEqual(
      now.map((one, at) => one === before[at]),
      [true, false, false, false],
    )
  })

  test('sent twice at once by one form asks nothing twice, and leads both to one page', async () => {
    const visitor = await enterPainel(house)
    const sent = await Promise.all(
      ['um', 'um', 'um'].map((formulario) => visitor.post(paginaDe(CNPJ), { formulario })),
    )
    for (const { status, headers } of sent)
      assert.deepEqual([status, headers.get('location')], [303, paginaDe(CNPJ)])
    assert.equal((await chamadasDe(visitor)).length, 4)
  })

  test('shows what was paid though the database refuses to keep it', async () => {
    const visitor = await enterPainel(house)
    const { kysely } = house.rooms.platform.db
    await sql`CREATE TRIGGER cheio BEFORE INSERT ON consultas_guardadas
      WHEN NEW.conta_id = ${sql.lit(visitor.conta.id)}
      BEGIN SELECT RAISE(ABORT, 'full'); END`.execute(kysely)
    try {
      const $ = await page(visitor.post(paginaDe(CNPJ), { formulario: 'um' }))
      assert.equal($('.secao-do-dossie').length, 4)
      assert.match($('.topo').text(), new RegExp(`custou ${10_000 - (await restam(visitor))} créditos`))
    } finally {
      await sql`DROP TRIGGER cheio`.execute(kysely)
    }
  })

  test('names the month of the base that answered, though another base is in use since', async (t) => {
    const own = await start({ SIMULATOR_URL: simulator.endereco })
    const pasta = await mkdtemp(join(tmpdir(), 'consulta-fiscal-dossie-'))
    t.after(async () => {
      await own.close()
      await rm(pasta, { recursive: true, force: true })
    })
    const visitor = await enterPainel(own)
    await visitor.post(paginaDe(CNPJ), { formulario: 'um' })
    await generateDump({ pasta, estabelecimentos: 50, versao: '2026-11' })
    await importCnpj({ pasta, raiz: join(own.pasta, 'cnpj'), amostra: true, now: () => NOW })
    own.rooms.cnpj.base.refresh()
    assert.equal(own.rooms.cnpj.base.current()?.manifesto.versao, '2026-11')
    const $ = await page(visitor.get(paginaDe(CNPJ)))
    assert.match($('.resumo-do-dossie').text(), /Receita Federal, base pública de 10\/2026/)
  })

  test('of a producer has his land, with a map, and the paper says the same', async () => {
    const visitor = await enterPainel(house)
    await visitor.post(paginaDe(PRODUTOR), { formulario: 'um' })
    const $ = await page(visitor.get(paginaDe(PRODUTOR)))
    assert.equal($('h1').text(), 'FERNANDA OLIVEIRA')
    assert.equal($('.mapa-das-partes').length, 2)
    assert.deepEqual(
      $('.coluna')
        .get()
        .map((one) => $(one).find('h2').text()),
      ['Imóveis rurais (CNIR)', 'Parcelas (SIGEF)'],
    )
    const secoes = $('.secao-do-dossie').get()
    const tons = ['bom', 'nota', 'lento', 'ruim']
    const tomDe = (one: Parameters<typeof $>[0]) => tons.find((tom) => $(one).hasClass(tom)) ?? ''
    assert.deepEqual(
      $('.resumo-do-dossie .selo')
        .get()
        .map((one) => [tomDe(one), $(one).text()]),
      secoes.map((one) => [tomDe(one), $(one).find('.achado-do-dossie').text()]),
    )
    const answer = await fetch(`${house.address}${paginaDe(PRODUTOR)}dossie.pdf`, {
      headers: { cookie: visitor.cookie },
    })
    assert.match(answer.headers.get('content-disposition') ?? '', /filename="dossie-74677237417\.pdf"/)
    const text = (await readPdfText(Buffer.from(await answer.arrayBuffer()))).replace(/\s+/g, ' ')
    for (const said of [
      'FERNANDA OLIVEIRA',
      '746.772.374-17',
      '2 parcelas certificadas',
      'SIMULADOR: nada aqui é real',
      'Não é certidão',
      'Comparados: nome (2 cadastros). A área não foi comparada: CNIR, 1.683,0049 ha; SIGEF, 38,4713 ha.',
      'Nenhuma inscrição em 19 estados · 8 não consultáveis',
      'Sem inscrição (19): AC, AP',
      'página 1 de',
      ...$('.achado-do-dossie')
        .get()
        .map((one) => $(one).text()),
    ])
      assert.ok(text.includes(said.replace(/\s+/g, ' ')), said)
  })

  test('marks on the page and on the paper where the registers contradict each other', async () => {
    const visitor = await enterPainel(house)
    await visitor.post(paginaDe(DIVERGENTE), { formulario: 'um' })
    const $ = await page(visitor.get(paginaDe(DIVERGENTE)))
    assert.match($('#divergencias').text(), /3 divergências entre cadastros/)
    const ditos = $('.divergencia')
      .get()
      .map((one) => [
        $(one).find('h3').text(),
        ...$(one)
          .find('dl > div')
          .get()
          .map((dito) => `${$(dito).find('dt').text()}: ${$(dito).find('dd').text()}`),
      ])
    const RS = 'RS (inscrição 064/169387-7)'
    const frases = $('.divergencia p').text()
    assert.ok(frases.includes(`A Receita Federal dá um nome; ${RS}, outro. Confira`), frases)
    assert.ok(frases.includes(`A Receita Federal dá um endereço; ${RS}, outro. O endereço`), frases)
    assert.deepEqual(ditos, [
      [
        'Nome',
        'Receita Federal: DANIEL PASSOS FERRAGENS LTDA',
        `${RS}: DANIEL PASSOS FERRAGENS E FILHOS LTDA`,
      ],
      ['Situação', 'Receita Federal: ATIVA', `${RS}: NÃO HABILITADA`],
      [
        'Endereço',
        'Receita Federal: AVENIDA ANDREIA ANTONIO SILVA, 722 · VISTA ALEGRE DO PRATA · RS · CEP 90156-900',
        `${RS}: RUA DO ENDERECO ANTIGO, 12 · VISTA ALEGRE DO PRATA · RS · CEP 90156-900`,
      ],
    ])
    const answer = await fetch(`${house.address}${paginaDe(DIVERGENTE)}dossie.pdf`, {
      headers: { cookie: visitor.cookie },
    })
    const text = (await readPdfText(Buffer.from(await answer.arrayBuffer()))).replace(/\s+/g, ' ')
    for (const said of [
      '3 divergências entre cadastros',
      ...ditos.flat().map((one) => one.split(': ').at(-1) ?? ''),
    ])
      assert.ok(text.includes(said), said)
  })

  test('is shown to nobody else, and at once where the account keeps no answers', async () => {
    const [owner, other] = [await enterPainel(house), await enterPainel(house)]
    await owner.post(paginaDe(CNPJ), { formulario: 'um' })
    assert.match((await other.get(paginaDe(CNPJ))).text, /Montar o dossiê/)
    assert.equal((await other.get(`${paginaDe(CNPJ)}dossie.pdf`)).status, 404)
    await house.rooms.contas.guardadas.setMinutos(other.conta.id, 0)
    const $ = await page(other.post(paginaDe(CNPJ), { formulario: 'um' }))
    assert.equal($('h1').text(), 'FAREVEL ELETRICA E FARMACIA LTDA')
    assert.equal($('a[href$=".pdf"]').length, 0)
    assert.match((await other.get(paginaDe(CNPJ))).text, /Montar o dossiê/)
  })

  test('is of a CPF or a CNPJ, typed with or without its mask', async () => {
    const visitor = await enterPainel(house)
    const typed = await visitor.get('/painel/dossie/?documento=99.034.721%2F0001-80')
    assert.deepEqual([typed.status, typed.headers.get('location')], [303, paginaDe(CNPJ)])
    const $ = await page(visitor.get('/painel/dossie/?documento=99034721000181'))
    assert.match($('.falha').text(), /dígito/)
    assert.match($('main form button').text(), /^Ver o custo$/)
    assert.equal($('.lista-de-custos tbody tr').length, 6)
    assert.equal((await visitor.get('/painel/dossie/123/')).status, 404)
  })
})

const registro = (fonte: string, parts: Partial<Registro> = {}): Registro => ({
  fonte,
  uf: '',
  nome: '',
  documento: '',
  situacao: '',
  ...parts,
})

const endereco = (logradouro: string, parts: object = {}) => ({
  logradouro,
  numero: '12',
  cep: '90000000',
  municipio: 'PORTO ALEGRE',
  uf: 'RS',
  ...parts,
})

const camposDe = (all: readonly Divergencia[]): string[] => all.map(({ campo }) => campo)

test('two ways to write one name or one address are no divergence', () => {
  const SAME: readonly (readonly [Partial<Registro>, Partial<Registro>])[] = [
    [{ nome: 'COMÉRCIO GAÚCHO LIMITADA' }, { nome: 'Comercio Gaucho Ltda - ME' }],
    [{ nome: 'IND. E COM. DE MÓVEIS S/A' }, { nome: 'INDUSTRIA E COMERCIO DE MOVEIS SOCIEDADE ANONIMA' }],
    [{ nome: '12.345.678 FULANO DE TAL' }, { nome: 'FULANO DE TAL 12345678909' }],
    [{ nome: 'FULANO DE TAL' }, { nome: 'FULANO DE TAL ***456789**' }],
    [
      { nome: 'COOPERATIVA AGROPECUARIA DOS PRODUTORES DO VALE' },
      { nome: 'COOPERATIVA AGROPECUARIA PRODUT' },
    ],
    [
      { endereco: endereco('RUA DR. JOÃO PESSOA', { numero: '0012' }) },
      { endereco: endereco('R DOUTOR JOAO PESSOA', { cep: '90.000-000', municipio: 'Porto Alegre' }) },
    ],
    [
      { endereco: endereco('RODOVIA BR 116', { numero: 'S/N' }) },
      { endereco: endereco('ROD. BR-116', { numero: '' }) },
    ],
    [{ endereco: endereco('AV. DAS NAÇÕES') }, { endereco: endereco('DAS NACOES', { cep: '' }) }],
    [{ situacao: 'ATIVA' }, { situacao: 'Habilitado', uf: 'RS' }],
    [{ documento: CNPJ }, { documento: '99.034.721/0001-80' }],
    // A masked number, and an address in another state, prove nothing.
    [{ documento: CNPJ }, { documento: '**.034.721/****-**' }],
    [{ endereco: endereco('RUA A') }, { endereco: endereco('RUA B', { uf: 'SC' }) }],
  ]
  for (const [one, other] of SAME)
    assert.deepEqual(
      findDivergencias([registro('a', one), registro('b', other)], CNPJ),
      [],
      JSON.stringify(one),
    )
})

test('what registers contradict each other in is told with the words of each', () => {
  const OTHER: readonly (readonly [string, Partial<Registro>, Partial<Registro>])[] = [
    ['Nome', { nome: 'COMÉRCIO GAÚCHO LTDA' }, { nome: 'COMÉRCIO CATARINENSE LTDA' }],
    ['Endereço', { endereco: endereco('RUA A') }, { endereco: endereco('AVENIDA A') }],
    ['Endereço', { endereco: endereco('RUA A') }, { endereco: endereco('RUA A', { numero: '14' }) }],
    ['Endereço', { endereco: endereco('RUA A') }, { endereco: endereco('RUA A', { municipio: 'CANOAS' }) }],
    ['Situação', { situacao: 'ATIVA' }, { situacao: 'BAIXADA', uf: 'RS' }],
    ['Situação', { situacao: 'INAPTA' }, { situacao: 'ATIVA', uf: 'RS' }],
    ['CPF ou CNPJ', { documento: CNPJ }, { documento: '529.982.247-25', uf: 'RS' }],
  ]
  for (const [campo, one, other] of OTHER) {
    const found = findDivergencias([registro('a Receita Federal', one), registro('RS', other)], CNPJ)
    assert.deepEqual(camposDe(found), [campo], JSON.stringify(other))
    assert.match(found[0]?.frase ?? '', /^[A-Z]/)
    assert.ok(found[0]?.ditos.some(({ fonte }) => fonte === 'RS'))
  }
})

test('who says one thing is told together, and of the states the sentence says who is behind', () => {
  const told = (...all: readonly Registro[]) => findDivergencias(all, CNPJ).map(({ frase }) => frase)
  const nomes = ['A LTDA', 'B LTDA', 'A Limitada', 'B LTDA', 'C LTDA']
  assert.match(
    told(...nomes.map((nome, at) => registro('uvxyz'.charAt(at), { nome })))[0] ?? '',
    /^U e x dão um nome; v e y, outro; z, outro\. .*nos outros cadastros\.$/,
  )
  const ativa = registro('a Receita Federal', { situacao: 'ATIVA' })
  assert.deepEqual(told(ativa, registro('o CNIR', { situacao: 'BAIXADA' })), [
    'Está em ordem para a Receita Federal, e não para o CNIR. Peça a atualização nesse cadastro.',
  ])
})

test('what is told to be the same is what two registers told, and no masked or partial thing', () => {
  const federal = { nome: 'A LTDA', documento: CNPJ, situacao: 'ATIVA', endereco: endereco('RUA A') }
  const compared = (...others: readonly Partial<Registro>[]) =>
    findComparacoes(
      [registro('a Receita Federal', federal), ...others.map((one) => registro('SC', one))],
      CNPJ,
    ).map(({ campo, cadastros }) => `${campo} ${cadastros}`)
  assert.deepEqual(compared(), [])
  assert.deepEqual(compared({ situacao: 'ATIVA' }), ['Situação 2'])
  assert.deepEqual(compared({ documento: '**.034.721/****-**', endereco: endereco('') }), [])
  assert.deepEqual(compared({ uf: 'SC', endereco: endereco('RUA B', { uf: 'SC' }) }), [])
  assert.deepEqual(compared({ nome: 'A LTDA', uf: 'SC' }, { situacao: 'ATIVA', uf: 'SC' }), [
    'Nome 2',
    'Situação 2',
  ])
  assert.deepEqual(compared({ ...federal, uf: 'RS' }), [
    'Nome 2',
    'CPF ou CNPJ 2',
    'Situação 2',
    'Endereço 2',
  ])
})

test('the farms of a person in one state are no divergence, and those of a company are', () => {
  const farms = ['RUA A', 'RUA B'].map((rua) =>
    registro(`MT, ${rua}`, { uf: 'MT', endereco: endereco(rua, { uf: 'MT' }) }),
  )
  assert.deepEqual(findDivergencias(farms, '10758396104'), [])
  assert.deepEqual(findComparacoes(farms, '10758396104'), [])
  assert.deepEqual(camposDe(findDivergencias(farms, CNPJ)), ['Endereço'])
})

test('a registration that one state closed is no divergence while another is in force', () => {
  const all = [
    registro('a Receita Federal', { situacao: 'ATIVA' }),
    registro('RS', { uf: 'RS', situacao: 'ATIVA' }),
    registro('SC', { uf: 'SC', situacao: 'BAIXADA' }),
  ]
  assert.deepEqual(findDivergencias(all, CNPJ), [])
  assert.deepEqual(camposDe(findDivergencias(all.slice(0, 1).concat(all.slice(2)), CNPJ)), ['Situação'])
})

test('on paper a piece of a page is its text: without drawings, with addresses and parted items', () => {
  const piece = html`<svg><text>AL</text></svg><ul><li>um &amp; dois</li><li><a href="${url('https://a.example/x')}">três</a></li></ul>`
  assert.equal(textOf(piece), 'um & dois; três (https://a.example/x)')
  assert.equal(textOf('R$ 1 < 2'), 'R$ 1 < 2')
})
