import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { DIAGNOSTICAR, postNota, useCatalogo } from '../kit/catalogo.ts'
import { type Answer, start } from '../kit/house.ts'
import { reservado } from '../kit/simulator.ts'

const NOTA = readFileSync('data/rejeicoes/notas/venda-interna.xml', 'utf8')
const NFCE = readFileSync('data/rejeicoes/notas/nfce.xml', 'utf8')
/** A taxpayer of the simulator, with its registration. */
const CNPJ = '99034721000180'
const IE = '0966922786'
const house = useCatalogo({
  codigos: [203, 231, 232, 230, 301, 302, 303, 305, 306, 480, 481, 482],
})

type Sent = Record<string, unknown> | string
const post = (body: Sent, headers?: Record<string, string | null>): Promise<Answer> =>
  postNota(house(), body, headers)

/** A party of the note with these fields. */
const parte = (xml: string, grupo: 'emit' | 'dest', fields: Record<string, string>): string => {
  const [whole = ''] = new RegExp(`<${grupo}>.*</${grupo}>`, 's').exec(xml) ?? []
  const changed = Object.entries(fields).reduce(
    (text, [name, value]) =>
      text.replace(new RegExp(`<${name}>[^<]*</${name}>`), value && `<${name}>${value}</${name}>`),
    whole,
  )
  return xml.replace(whole, changed)
}

const emRS = { CNPJ, IE, UF: 'RS', cMun: '4312906' }
/** The issuer is a known taxpayer. */
const conhecida = parte(NOTA, 'emit', emRS)
/** Both parties are that taxpayer. */
const propria = parte(conhecida, 'dest', emRS)

type Decisao = {
  codigo: number
  resultado: string
  certeza: string | null
  mensagem: string
  consultado_em: string
}
const decisoesOf = ({ body }: Answer): Map<number, Decisao> =>
  new Map(Object(body.cadastros).decisoes.map((one: Decisao) => [one.codigo, one]))
const consultasOf = ({ body }: Answer): Record<string, unknown>[] => Object(body.cadastros).consultas
const creditos = ({ headers }: Answer): string | null => headers.get('x-credits-charged')

test('a note is diagnosed free of charge: schema, signature, checks and what the authority answered', async () => {
  const answer = await post({ xml: NOTA, cstat: 539 })
  assert.equal(answer.status, 200, answer.text.slice(0, 300))
  assert.deepEqual(Object.keys(answer.body), [
    'request_id',
    'cstat',
    'modelo',
    'chave',
    'esquema',
    'assinatura',
    'regras',
    'suspeitas',
    'se_transmitida_hoje',
    'divergencias',
    'verificacoes',
    'resumo',
    'emendas',
    'corrigido',
    'avisos',
    'cadastros',
  ])
  const { request_id, cstat, modelo, chave, esquema, assinatura, cadastros } = answer.body
  assert.equal(request_id, answer.headers.get('x-request-id'))
  assert.equal(Object(cstat).codigo, 539)
  assert.deepEqual([modelo, chave], ['55', /Id="NFe(\d{44})"/.exec(NOTA)?.[1]])
  assert.match(Object(esquema).pacote, /^PL_/)
  assert.deepEqual([Object(esquema).valido, Object(esquema).erros], [true, []])
  assert.equal(Object(assinatura).situacao, 'ausente')
  assert.equal(cadastros, null)
  assert.equal(creditos(answer), '0')
})

test('without cstat, or with one that the catalogue lacks, the member cstat is null', async () => {
  for (const cstat of [undefined, 100]) assert.equal((await post({ xml: NOTA, cstat })).body.cstat, null)
})

test('every error of the schema is told at once, with its item, its field and its value', async () => {
  const xml = NOTA.replace('<NCM>62052000</NCM>', '<NCM>6205</NCM>').replace('<CFOP>5101</CFOP>', '')
  const { body } = await post({ xml })
  const { valido, erros } = Object(body.esquema)
  assert.equal(valido, false)
  assert.ok(erros.length >= 2, JSON.stringify(erros))
  const ncm = erros.find(({ caminho }: { caminho: string }) => caminho.endsWith('prod/NCM'))
  assert.match(ncm.onde, /item 1/)
  assert.equal(ncm.valor, '6205')
})

test('the corrected XML comes with its changes and what is left, unless it is not wanted', async () => {
  // The total as the catalogue of this test computes it.
  const boa = NOTA.replace(/<vNF>[^<]*/, '<vNF>3818.00')
  const xml = boa.replace('<NCM>', '<NCM> ')
  const { body } = await post({ xml })
  const { xml: corrigido, chave, mudancas, falta } = Object(body.corrigido)
  assert.equal(corrigido, boa)
  assert.equal(chave, body.chave)
  assert.match(mudancas.join(), /\(det\[1\]\/prod\/NCM\): de “ 62052000” para “62052000” \(rejeição 225\)/)
  assert.match(falta.join(' '), /^Retire os espaços .* Assine .* Transmita .*\.$/s)
  const none = await post({ xml, corrigido: false })
  assert.equal(none.body.corrigido, null)
  assert.deepEqual(none.body.emendas, body.emendas)
  assert.equal((await post({ xml: boa })).body.corrigido, null)
  const wrong = await post({ xml, corrigido: 'nao' })
  assert.match(String(wrong.body.detail), /corrigido: envie true, false/)
})

test('XML that is not well formed is a diagnosis, and no refusal', async () => {
  const { status, body } = await post({ xml: NOTA.replace('</emit>', '') })
  assert.equal(status, 200)
  assert.equal(Object(body.esquema).valido, false)
})

const REFUSALS: [what: string, body: Sent, status: number, code: string, says: RegExp][] = [
  ['xml not sent', {}, 400, 'PARAMETRO_AUSENTE', /xml/],
  ['an empty xml counts as not sent', { xml: '' }, 400, 'PARAMETRO_AUSENTE', /xml/],
  ['xml that is no text', { xml: 1 }, 400, 'PARAMETRO_INVALIDO', /xml: envie um texto/],
  ['a text that is no XML', { xml: 'nota' }, 400, 'PARAMETRO_INVALIDO', /não é um XML/],
  ['an XML that is no note', { xml: '<CTe/>' }, 400, 'PARAMETRO_INVALIDO', /não é de uma NF-e/],
  ['<!DOCTYPE', { xml: `<!DOCTYPE NFe>${NOTA}` }, 400, 'PARAMETRO_INVALIDO', /DOCTYPE/],
  [
    'maximo_creditos below 0',
    { xml: NOTA, maximo_creditos: -1 },
    400,
    'PARAMETRO_INVALIDO',
    /maximo_creditos: envie 0 ou mais/,
  ],
  [
    'maximo_creditos that is no whole number',
    { xml: NOTA, maximo_creditos: 1.5 },
    400,
    'PARAMETRO_INVALIDO',
    /maximo_creditos: envie um número inteiro/,
  ],
  [
    'maximo_creditos as a text',
    { xml: NOTA, maximo_creditos: '2' },
    400,
    'PARAMETRO_INVALIDO',
    /inteiro, sem aspas/,
  ],
  ['cstat that is no code', { xml: NOTA, cstat: '539' }, 400, 'PARAMETRO_INVALIDO', /cstat/],
  ['cadastros that is no switch', { xml: NOTA, cadastros: 'sim' }, 400, 'PARAMETRO_INVALIDO', /cadastros/],
  ['a misspelt cadastro', { xml: NOTA, cadastro: true }, 400, 'PARAMETRO_INVALIDO', /o campo é cadastros/],
  ['no JSON', '{', 400, 'CORPO_INVALIDO', /JSON/],
  ['a list', '[]', 400, 'CORPO_INVALIDO', /objeto/],
  ['more than 1 MiB', { xml: 'x'.repeat(1024 * 1024) }, 413, 'CORPO_MUITO_GRANDE', /1024 KiB/],
]
for (const [what, body, status, code, says] of REFUSALS)
  test(`${code}: ${what}`, async () => {
    const answer = await post(body)
    assert.deepEqual([answer.status, answer.body.error_code], [status, code])
    assert.match(String(answer.body.detail), says)
    assert.equal(creditos(answer), '0')
  })

test('415: the body is JSON or XML', async () => {
  assert.equal((await post(NOTA, { 'content-type': 'text/plain' })).status, 415)
})

test('401 and 429 come before everything else', async () => {
  assert.equal((await post('{', { key: null })).status, 401)
  const { key, conta } = await house().open('lite')
  for (let i = 0; i < 30; i++) await house().rooms.contas.rateLimit.consume(conta)
  assert.equal((await post('{', { key })).body.error_code, 'RATE_LIMIT_EXCEEDED')
})

test('502 REJEICOES_INDISPONIVEL: without a catalogue nothing is diagnosed', async (t) => {
  const own = await start({ REJEICOES_FILE: '/dev/null/rejeicoes.json' })
  t.after(() => own.close())
  const headers = { 'content-type': 'application/json' }
  const answer = await own.ask(DIAGNOSTICAR, { method: 'POST', headers, body: JSON.stringify({ xml: NOTA }) })
  assert.deepEqual([answer.status, answer.body.error_code], [502, 'REJEICOES_INDISPONIVEL'])
})

test('cadastros: the registers of issuer and recipient decide, each lookup is listed and charged, none twice', async () => {
  const { key, conta } = await house().open('starter')
  const answer = await post({ xml: propria, cadastros: true }, { key })
  assert.equal(answer.status, 200, answer.text.slice(0, 300))
  const consultas = consultasOf(answer)
  assert.deepEqual(
    consultas.map(({ consulta, uf, documento_tipo, documento, creditos, fonte, erro }) => [
      consulta,
      uf,
      documento_tipo,
      documento,
      creditos,
      fonte,
      erro,
    ]),
    [['/api/consultar', 'RS', 'cnpj', '9903********80', 1, 'RS/ie', '']],
  )
  assert.equal(Object(answer.body.cadastros).creditos, 1)
  assert.equal(creditos(answer), '1')
  assert.equal(answer.headers.get('x-credits-remaining'), '999')
  const charges = (await house().rooms.platform.ledger.extrato(conta.id)).filter(
    ({ tipo }) => tipo === 'charge',
  )
  assert.deepEqual(
    charges.map(({ creditos, endpoint, request_id }) => [creditos, endpoint, request_id]),
    [[1, DIAGNOSTICAR, answer.body.request_id]],
  )
  const decisoes = decisoesOf(answer)
  assert.deepEqual(
    [...decisoes.values()].map(({ codigo, resultado, certeza }) => [codigo, resultado, certeza]),
    [
      [163, 'nao_aplicavel', null],
      // The note is of a day on which nobody knows whether these were in force.
      [178, 'indeterminado', null],
      [179, 'indeterminado', null],
      [180, 'indeterminado', null],
      [181, 'indeterminado', null],
      [182, 'indeterminado', null],
      [203, 'ok', 'provavel'],
      [230, 'ok', 'certa'],
      [231, 'ok', 'certa'],
      [232, 'nao_aplicavel', null],
      [233, 'ok', 'certa'],
      [234, 'ok', 'certa'],
      [301, 'ok', 'provavel'],
      [302, 'indeterminado', null],
      [303, 'nao_aplicavel', null],
      [305, 'indeterminado', null],
      [306, 'ok', 'certa'],
      [480, 'ok', 'certa'],
      [481, 'indeterminado', null],
      [482, 'ok', 'certa'],
      [622, 'nao_aplicavel', null],
      [624, 'nao_aplicavel', null],
    ],
  )
  assert.equal(decisoes.get(230)?.consultado_em, NOW.toISOString())
})

test('cadastros: an IE of another taxpayer is found by its number, and is a likely rejection', async () => {
  const answer = await post({ xml: parte(NOTA, 'dest', { IE: '182452825113' }), cadastros: true })
  const decisoes = decisoesOf(answer)
  assert.equal(decisoes.get(233)?.resultado, 'ok')
  assert.deepEqual(
    [decisoes.get(234)?.resultado, decisoes.get(234)?.certeza],
    ['falha', 'certa'],
    JSON.stringify(consultasOf(answer)),
  )
  // What is known of the other taxpayer's registration says nothing of this one.
  assert.equal(decisoes.get(482)?.resultado, 'indeterminado')
  const suspeita = Object(answer.body.suspeitas).find(({ codigo }: Decisao) => codigo === 234)
  assert.equal(suspeita.origem, 'cadastro')
  assert.equal(suspeita.ocorrencias[0].onde, 'destinatário')
})

test("cadastros: an issuer's IE of another taxpayer is told at the issuer", async () => {
  const emit = parte(conhecida, 'emit', { CNPJ: '11222333000181' })
  const { body } = await post({ xml: emit, cadastros: true })
  const suspeita = Object(body.suspeitas).find(({ codigo }: Decisao) => codigo === 231)
  assert.deepEqual([suspeita?.origem, suspeita?.ocorrencias[0].onde], ['cadastro', 'emitente'])
})

test('cadastros: the sample base that a first start makes decides the federal list of a company that it has', async () => {
  const fechada = parte(NOTA, 'emit', { ...emRS, CNPJ: '99073498000180', IE: '0859781534' })
  const xml = fechada.replace(/(<dhEmi>)\d{4}-\d{2}-\d{2}/, '$12026-11-16')
  const answer = await post({ xml, cadastros: true })
  const decisoes = decisoesOf(answer)
  assert.equal(Object(answer.body.cadastros).base_cnpj, '2026-10')
  assert.deepEqual(
    [178, 179, 203, 301].map((codigo) => decisoes.get(codigo)?.resultado),
    ['indeterminado', 'falha', 'falha', 'falha'],
  )
  assert.match(String(decisoes.get(179)?.mensagem), /base CNPJ de 10\/2026 .*baixada desde/)
})

test('maximo_creditos caps the lookups before any is made; what they would decide says why it is not', async () => {
  for (const [maximo_creditos, made] of [
    [0, 0],
    [1, 1],
    [2, 2],
    [9, 3],
  ] as const) {
    const answer = await post({ xml: conhecida, cadastros: true, maximo_creditos })
    assert.equal(consultasOf(answer).length, made)
    assert.equal(creditos(answer), String(made))
    const falta = decisoesOf(answer).get(233)
    assert.equal(falta?.resultado, made === 3 ? 'ok' : 'indeterminado')
    if (made < 3) assert.match(String(falta?.mensagem), /maximo_creditos/)
  }
})

test('402 LIMITE_ATINGIDO: the most that the lookups can cost is held, and none is made without it', async () => {
  const { key, conta } = await house().open('lite')
  const { ledger } = house().rooms.platform
  await ledger.charge({ conta, request_id: crypto.randomUUID(), endpoint: 'x', creditos: 97 })
  const refused = await post({ xml: conhecida, cadastros: true }, { key })
  assert.deepEqual(
    [refused.status, refused.body.error_code, refused.body.required, refused.body.remaining],
    [402, 'LIMITE_ATINGIDO', 4, 3],
  )
  const more = await post({ xml: conhecida, cadastros: true, maximo_creditos: 50 }, { key })
  assert.equal(more.body.required, 4, 'no more is held than the lookups can cost')
  const capped = await post({ xml: conhecida, cadastros: true, maximo_creditos: 3 }, { key })
  assert.deepEqual([capped.status, creditos(capped)], [200, '3'])
  assert.equal(capped.headers.get('x-credits-remaining'), '0')
  const one = await post({ xml: propria, cadastros: true }, { key })
  assert.deepEqual([one.status, one.body.required], [402, 2], 'one taxpayer is asked for once')
  assert.equal((await post({ xml: conhecida }, { key })).status, 200, 'without cadastros it is free')
})

test('a register that fails leaves its rules undecided, says why, and costs nothing', async () => {
  const cnpj = reservado('html-503')
  const xml = parte(NOTA, 'dest', { CNPJ: cnpj, UF: 'BA', IE: '' })
  const answer = await post({ xml, cadastros: true, maximo_creditos: 4 })
  const failed = consultasOf(answer).find(({ uf }) => uf === 'BA')
  assert.deepEqual([failed?.creditos, failed?.consultado_em], [0, ''])
  assert.match(String(failed?.erro), /\S/)
  const undecided = decisoesOf(answer).get(232)
  assert.equal(undecided?.resultado, 'indeterminado')
  assert.match(String(undecided?.mensagem), /BA não respondeu/)
})

test('a recipient without IE: 232 is never guessed, since the register does not say who may leave it out', async () => {
  const decisoes = decisoesOf(await post({ xml: parte(propria, 'dest', { IE: '' }), cadastros: true }))
  assert.equal(decisoes.get(232)?.resultado, 'indeterminado')
  assert.match(String(decisoes.get(232)?.mensagem), new RegExp(IE))
  for (const codigo of [233, 234, 302, 306, 482])
    assert.equal(decisoes.get(codigo)?.resultado, 'nao_aplicavel', String(codigo))
})

test('a register that failed is not asked again by the number', async () => {
  const xml = parte(NOTA, 'dest', { CNPJ: reservado('html-503'), UF: 'BA', IE: '12345663' })
  const asked = consultasOf(await post({ xml, cadastros: true })).filter(({ uf }) => uf === 'BA')
  assert.deepEqual(
    asked.map(({ documento_tipo }) => documento_tipo),
    ['cnpj'],
  )
})

test('an NFC-e is checked for its issuer alone, and 301 is not its code', async () => {
  const dest = `<dest><CNPJ>${CNPJ}</CNPJ><enderDest><UF>RS</UF></enderDest><indIEDest>9</indIEDest></dest>`
  const nfce = parte(NFCE, 'emit', emRS).replace('</emit>', `</emit>${dest}`)
  const answer = await post({ xml: nfce, cadastros: true })
  const decisoes = decisoesOf(answer)
  assert.deepEqual([...decisoes.keys()], [163, 178, 179, 180, 181, 182, 203, 230, 231, 301, 480, 481, 622])
  assert.equal(decisoes.get(230)?.resultado, 'ok')
  assert.match(String(decisoes.get(301)?.mensagem), /781/)
  assert.equal(creditos(answer), '1')
})

test('a field that is longer than any register has is quoted no further', async () => {
  const answer = await post({ xml: parte(NOTA, 'dest', { IE: '9'.repeat(15_000) }), cadastros: true })
  assert.match(String(decisoesOf(answer).get(233)?.mensagem), /cadastro/)
  assert.ok(JSON.stringify(answer.body.cadastros).length < 20_000)
})

test('an XML that is not well formed makes no lookup, and charges nothing', async () => {
  const answer = await post({ xml: conhecida.replace('</NFe>', ''), cadastros: true })
  assert.deepEqual([answer.status, creditos(answer)], [200, '0'])
  assert.deepEqual(answer.body.cadastros, { creditos: 0, consultas: [], base_cnpj: '', decisoes: [] })
})

test('a refused text makes no lookup, and charges nothing', async () => {
  const answer = await post({ xml: `<!DOCTYPE NFe>${conhecida}`, cadastros: true })
  assert.deepEqual([answer.status, creditos(answer)], [400, '0'])
})
