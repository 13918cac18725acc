import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { XmlDocument } from 'libxml2-wasm'
import { manifestacoes, statusNfe } from '../../src/nfe/rules.ts'
import { errorCodes, sourceCodes } from '../../src/platform/errors.ts'
import { markup } from '../../src/platform/pages/erros-textos.ts'
import { html } from '../../src/platform/pages/html.ts'
import { sourceStatuses } from '../../src/platform/wire/source-status.ts'
import { situacoesCertidao } from '../../src/portal/rules-certidao.ts'
import { rowsOf, testOnce } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { reservado } from '../kit/simulator.ts'

/** Specification, "HTTP errors by endpoint". */
const httpTable: readonly [code: string, status: number][] = [
  ['PARAMETRO_AUSENTE', 400],
  ['PARAMETRO_CONFLITANTE', 400],
  ['DOCUMENTO_INVALIDO', 400],
  ['UF_NAO_SUPORTADA', 400],
  ['PROCESSAMENTO_FALHOU', 502],
  ['SITE_INDISPONIVEL', 503],
  ['ERRO_INTERNO', 500],
  ['IE_NAO_SUPORTADO', 400],
  ['LIMITE_ATINGIDO', 402],
  ['RATE_LIMIT_EXCEEDED', 429],
  ['CNPJ_NAO_ENCONTRADO', 404],
  ['RF_LIVE_ERROR', 502],
  ['TODAS_FONTES_FALHARAM', 502],
  ['PARAMETRO_INVALIDO', 400],
  ['MONITOR_INDISPONIVEL', 502],
  ['REJEICOES_INDISPONIVEL', 502],
  ['REJEICAO_NAO_ENCONTRADA', 404],
  ['CHAVE_INVALIDA', 400],
  ['CERTIFICADO_INVALIDO', 400],
  ['LIMITE_PLANO', 402],
  ['RATE_LIMIT', 429],
]

/** Specification, "Errors reported inside `source_status` with HTTP 200". */
const sourceTable = [
  'EM_PROCESSAMENTO',
  'PROVIDER_ERROR',
  'CNPJ_INVALIDO',
  'CPF_INVALIDO',
  'SIGEF_DISABLED',
  'SIGEF_NO_SESSION',
  'SIGEF_HTTP_ERROR',
  'SIGEF_NETWORK_ERROR',
  'SIGEF_PARSE_FAILED',
]

const PARTS = ['O que significa', 'O que fazer', 'Onde aparece']
const NOBODY = 'Nenhuma consulta deste servidor, por enquanto.'
const ANYWHERE = /^Qualquer endereço/

let house: House
let page: string
let $: CheerioAPI
/** The operations of the OpenAPI document, by their names on the page. */
let operations: readonly (readonly [name: string, described: Record<string, unknown>])[]
before(async () => {
  house = await start({ IE_SECONDS: '1', CND_SECONDS: '3' })
  page = (await house.ask('/erros', { key: null })).text
  $ = load(page)
  const { body } = await house.ask('/openapi.json', { key: null })
  operations = Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(
      ([method, described]) => [`${method.toUpperCase()} ${path}`, Object(described)] as const,
    ),
  )
})
after(() => house.close())

/** The labels of a section's list, each with what stands beside it. */
function partsOf(id: string): Map<string, string> {
  const parts = new Map<string, string>()
  $(`#${id} dt`).each((_, dt) => {
    const said = $(dt).next('dd')
    const items = said.find('li')
    const text =
      items.length > 0
        ? said
            .find('p, li')
            .map((_, one) => $(one).text())
            .get()
            .join('\n')
        : said.text()
    parts.set($(dt).text(), text)
  })
  return parts
}

/** The operations that a section names: those of HTTP errors, and those of `source_status`. */
function operationsOf(code: string): { http: string[]; source: string[] } {
  const lines = (partsOf(code).get('Onde aparece') ?? '').split('\n')
  const at = lines.findIndex((line) => line.startsWith('Em source_status'))
  const isOperation = (line: string) => /^(GET|POST) /.test(line)
  const http = (at < 0 ? lines : lines.slice(0, at)).filter(isOperation)
  return { http, source: at < 0 ? [] : lines.slice(at).filter(isOperation) }
}

/** What the OpenAPI document declares of a code. */
function declaredOf(code: string): { http: string[]; source: string[] } {
  const has = ({ responses }: Record<string, unknown>) =>
    Object.values(Object(responses)).some((response) =>
      new RegExp(`\\b${code}\\b`).test(Object(response).description),
    )
  const isOfSource = (described: Record<string, unknown>) => {
    const codes = described['x-codigos-da-fonte']
    return Array.isArray(codes) && codes.includes(code)
  }
  return {
    http: operations.filter(([, described]) => has(described)).map(([name]) => name),
    source: operations.filter(([, described]) => isOfSource(described)).map(([name]) => name),
  }
}

describe('each code of the specification has its section', () => {
  for (const [code, status] of httpTable)
    testOnce(`${code}, HTTP ${status}`, () => {
      assert.equal($(`#${code} .selo`).first().text(), `HTTP ${status}`)
      const parts = partsOf(code)
      assert.deepEqual([...parts.keys()], PARTS)
      for (const [part, text] of parts) assert.ok(text.length > 3, part)
    })

  for (const code of sourceTable)
    testOnce(`${code}, in source_status with HTTP 200`, () => {
      assert.equal($(`#${code} .selo`).first().text(), 'HTTP 200')
      const parts = partsOf(code)
      assert.deepEqual([...parts.keys()], PARTS)
      for (const [part, text] of parts) assert.ok(text.length > 3, part)
    })
})

const all = { ...errorCodes, ...sourceCodes }

testOnce('each code of the service has one section, and no other code has one', () => {
  const shown = $('article')
    .map((_, article) => $(article).attr('id'))
    .get()
    .filter((id) => /^[A-Z]/.test(id))
  assert.deepEqual(shown.toSorted(), Object.keys(all).toSorted())
})

for (const [code, { retryS }] of Object.entries(all))
  testOnce(
    `${code}: ${retryS === null ? 'repeating is said not to help' : 'it is said when to repeat'}`,
    () => {
      assert.match(
        $(`#${code} .selo`).last().text(),
        retryS === null ? /^Não repetir$/ : /^Repetir após \d+ \w+$/,
      )
    },
  )

for (const code of Object.keys(all))
  testOnce(
    `${code}: the operations are those that the document declares, or it is said that there are none`,
    () => {
      const declared = declaredOf(code)
      assert.deepEqual(operationsOf(code), declared)
      const said = partsOf(code).get('Onde aparece') ?? ''
      const isAnswered = declared.http.length + declared.source.length > 0
      assert.equal(isAnswered, said !== NOBODY && !ANYWHERE.test(said))
    },
  )

const failures: readonly (readonly [operation: string, ...queries: string[]])[] = [
  ['GET /api/consultar-cnd', `uf=GO&cnpj=${reservado('cnd-pdf-de-outro')}`],
  [
    'GET /api/consultar-ie-todos',
    `cnpj=${reservado('misto')}`,
    `cnpj=${reservado('258')}`,
    `cnpj=${reservado('outro-documento')}`,
  ],
  ['GET /api/consultar-cnd-todos', `cnpj=${reservado('misto')}`, `cnpj=${reservado('cnd-pdf-de-outro')}`],
]
for (const [operation, ...queries] of failures)
  for (const query of rowsOf(queries))
    test(`what a source_status says is declared: ${operation}?${query}`, async () => {
      const { body } = await house.ask(`${operation.replace('GET ', '')}?${query}`)
      const entries: unknown[] = Array.isArray(body.results) ? body.results : [body]
      const statuses = entries.map((entry) => Object(Object(entry).source_status))
      for (const { status } of statuses) assert.ok(sourceStatuses.includes(status), JSON.stringify(body))
      const codes = new Set(statuses.map(({ error_code }) => error_code).filter(Boolean))
      assert.ok(codes.size > 0)
      for (const code of codes) assert.ok(operationsOf(code).source.includes(operation), code)
    })

testOnce('the type of a problem leads to its section', async () => {
  const problems = [
    await house.ask('/api/consultar', { key: null }),
    await house.ask('/api/consultar'),
    await house.ask('/nada'),
    await house.ask('/api/consultar', { method: 'DELETE' }),
  ]
  for (const { body } of problems) {
    const { pathname, hash } = new URL(String(body.type), house.address)
    assert.equal(pathname, '/erros')
    assert.equal($(`article${hash} h3`).text(), body.error_code)
  }
})

testOnce('the failure that the page shows is one as it comes', async () => {
  const { body, headers } = await house.ask(`/api/consultar?uf=SP&cnpj=${reservado('lento')}`)
  const [shownHeaders = '', shown = ''] = $('pre').text().split('\n\n')
  const request = { instance: '', request_id: '' }
  assert.deepEqual({ ...JSON.parse(shown), ...request }, { ...body, ...request })
  assert.match(shownHeaders, new RegExp(`Retry-After: ${headers.get('retry-after')}$`))
})

const lists: readonly [id: string, words: readonly string[]][] = [
  ['status-certidao', situacoesCertidao],
  ['status-nota', statusNfe],
  ['manifestacao', manifestacoes],
  ['source-status', sourceStatuses],
]
for (const [id, words] of lists)
  testOnce(`the list ${id} has each word that an answer may hold, with its meaning`, () => {
    const parts = partsOf(id)
    assert.deepEqual([...parts.keys()], words)
    for (const [word, meaning] of parts) assert.ok(meaning.length > 15, word)
  })

testOnce('the page is well formed, and every link in it leads somewhere', async () => {
  const document = XmlDocument.fromString(page)
  document.dispose()
  const ids = $('[id]')
    .map((_, element) => $(element).attr('id'))
    .get()
  assert.equal(new Set(ids).size, ids.length)
  const hrefs = $('a').map((_, link) => $(link).attr('href') ?? '')
  for (const href of new Set(hrefs.get())) {
    if (href.startsWith('#')) assert.ok(ids.includes(href.slice(1)), href)
    else {
      const { pathname } = new URL(href, `${house.address}/erros`)
      // The dashboard leads whoever has no login to its door.
      const expected = pathname.startsWith('/painel/') ? 303 : 200
      assert.equal((await house.ask(pathname, { key: null })).status, expected, pathname)
    }
  }
  const levels = $('h1, h2, h3')
    .map((_, heading) => Number(heading.name.slice(1)))
    .get()
  assert.equal(levels[0], 1)
  for (const [at, level] of levels.entries()) assert.ok(level - (levels[at - 1] ?? 0) <= 1)
  assert.equal($('html').attr('lang'), 'pt-BR')
  assert.equal($('script').length, $('script[src^="/estatico/moldura."]').length)
})

testOnce('a text of the page is escaped, and may hold code alone', () => {
  const hostile = `<img src=x onerror="a('&')">`
  assert.equal(String(html`${markup(hostile)}`), '&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt;')
  assert.equal(String(html`${markup('antes `<b>` depois')}`), 'antes <code>&lt;b&gt;</code> depois')
})

testOnce('in production the page is the same, without the warning of the simulator', async () => {
  const live = await start({
    AUTHORITIES: 'live',
    CADASTRO: 'convite',
    BOOTSTRAP_API_KEY: 'chave-de-teste-0123456789',
  })
  try {
    const { status, text } = await live.ask('/erros', { key: null })
    assert.equal(status, 200)
    assert.equal(
      text,
      page.replace(/<p class="aviso">.*?<\/p>/, '').replace(/<p>Modo simulador: .*?<\/p>/, ''),
    )
    assert.notEqual(text, page)
  } finally {
    await live.close()
  }
})
