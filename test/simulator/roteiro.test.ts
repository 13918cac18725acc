import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createAutoridades } from '../../simulator/autoridades.ts'
import { ufs } from '../../simulator/documento/inscricao-estadual.ts'
import { ufsComCertidao } from '../../simulator/estados/estados.ts'
import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { comportamentos } from '../../simulator/mundo/comportamento.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { CATALOGO } from '../../simulator/platform/icp/catalogo.ts'
import type { Espera } from '../../simulator/roteiro/linha.ts'
import { esperaDaLinha } from '../../simulator/roteiro/linha.ts'
import { listNotas, listRoteiro, writeDocumentos } from '../../simulator/roteiro/roteiro.ts'
import { writeIndice } from '../../simulator/site/site.ts'

const NOW = new Date('2026-11-21T12:34:56Z')

const rows = listRoteiro()
const notes = listNotas(NOW)
const all = [...rows, ...notes]

test('docs/simulator.md is what the list says (node simulator/main.ts documentos --markdown > docs/simulator.md)', () => {
  const file = readFileSync(new URL('../../docs/simulator.md', import.meta.url), 'utf8')
  assert.equal(file, writeDocumentos('markdown', NOW))
  assert.equal(file, writeDocumentos('markdown', new Date('2030-01-01T00:00:00Z')))
})

test('every company that is out of the ordinary for the Receita Federal has a row, and is nobody of the world', () => {
  const asked = new Set(rows.map(({ parametros }) => parametros.cnpj))
  const known = new Set(listContribuintes().map(({ documento }) => documento))
  for (const { nome, documento } of cenariosFederais) {
    assert.ok(asked.has(documento), nome)
    assert.ok(!known.has(documento), nome)
  }
})

test('the list is the same every time, without repeated requests or empty parameters by accident', () => {
  assert.deepEqual(listRoteiro(), rows)
  const requests = rows.map(({ endpoint, parametros }) => JSON.stringify([endpoint, parametros]))
  assert.equal(new Set(requests).size, requests.length)
  for (const { parametros, espera } of rows)
    if (Object.values(parametros).includes('')) assert.equal(espera.error_code, 'PARAMETRO_AUSENTE')
})

test('every misbehaviour has a row, with a document that nobody of the world has', () => {
  const asked = new Set(rows.map(({ parametros }) => parametros.cnpj))
  const known = new Set(listContribuintes().map(({ documento }) => documento))
  for (const { nome, documento } of comportamentos)
    assert.ok(asked.has(documento) && !known.has(documento), nome)
  assert.equal(new Set(comportamentos.map(({ documento }) => documento)).size, comportamentos.length)
})

for (const endpoint of ['/api/consultar', '/api/consultar-cnd']) {
  test(`no state is asked for more than two failures of availability in a row of its own: ${endpoint}`, () => {
    const reserved = new Set(comportamentos.map(({ documento }) => documento))
    // Without a reserved document, a 503 means that the state does not take the question. It says nothing of
    // the state's availability.
    const calls = rows.filter(
      ({ endpoint: its, parametros, espera: { http } }) =>
        its === endpoint && (http === 200 || reserved.has(parametros.cnpj ?? '')),
    )
    const inARow = new Map<string, number>()
    for (const [index, { parametros, espera }] of calls.entries()) {
      const uf = parametros.uf ?? ''
      const failures = espera.http === 503 ? (inARow.get(uf) ?? 0) + 1 : 0
      inARow.set(uf, failures)
      assert.ok(failures <= 2, `${uf}, row ${index}`)
      if (failures > 1) assert.notEqual(calls[index - 1]?.parametros.uf, uf)
    }
  })
}

test('every state has a row in which it answers, of either kind, or one that says that nobody is asked', () => {
  for (const endpoint of ['/api/consultar', '/api/consultar-cnd'])
    for (const uf of ufs) {
      const own = rows.filter((row) => row.endpoint === endpoint && row.parametros.uf === uf)
      const played = endpoint === '/api/consultar' || ufsComCertidao.has(uf)
      const says = played ? own.some(({ espera }) => espera.creditos === 1) : own.length === 1
      assert.ok(says, `${endpoint} ${uf}`)
    }
})

test('every code of the endpoints that exist has a row', () => {
  const codes = (endpoint: string) =>
    [
      ...new Set(rows.filter((row) => row.endpoint === endpoint).map(({ espera }) => espera.error_code)),
    ].sort()
  assert.deepEqual(codes('/api/consultar'), [
    'DOCUMENTO_INVALIDO',
    'PARAMETRO_AUSENTE',
    'PARAMETRO_CONFLITANTE',
    'PROCESSAMENTO_FALHOU',
    'SITE_INDISPONIVEL',
    'UF_NAO_SUPORTADA',
    undefined,
  ])
  const ofAllStates = ['DOCUMENTO_INVALIDO', 'PARAMETRO_AUSENTE', undefined]
  assert.deepEqual(codes('/api/consultar-cnd'), [
    'DOCUMENTO_INVALIDO',
    'PARAMETRO_AUSENTE',
    'PARAMETRO_CONFLITANTE',
    'SITE_INDISPONIVEL',
    'UF_NAO_SUPORTADA',
    undefined,
  ])
  assert.deepEqual(
    codes('/api/consultar-ie-todos'),
    ['IE_NAO_SUPORTADO', 'PARAMETRO_CONFLITANTE', ...ofAllStates].sort(),
  )
  assert.deepEqual(codes('/api/consultar-cnd-todos'), ofAllStates)
  assert.deepEqual(codes('/api/consultar-cnpj'), [
    'CNPJ_NAO_ENCONTRADO',
    'DOCUMENTO_INVALIDO',
    'PARAMETRO_AUSENTE',
    'PARAMETRO_INVALIDO',
    'RF_LIVE_ERROR',
    undefined,
  ])
  const ofFederal = rows.filter(({ endpoint }) => endpoint === '/api/consultar-cnd-federal')
  assert.deepEqual([...new Set(ofFederal.map(({ espera }) => espera.source_error ?? espera.status))].sort(), [
    'CNPJ_INVALIDO',
    'CPF_INVALIDO',
    'EM_PROCESSAMENTO',
    'PROVIDER_ERROR',
    'erro',
    'nao_contribuinte',
    'negativa',
    'positiva',
    'positiva_com_efeitos_de_negativa',
    undefined,
  ])
})

const ofRequests = ['DOCUMENTO_INVALIDO', 'PARAMETRO_AUSENTE', 'PARAMETRO_CONFLITANTE']
test('every outcome of the rural registries has a row', () => {
  for (const [endpoint, ...own] of [
    ['/api/consultar-cnir', 'PROCESSAMENTO_FALHOU', 'SITE_INDISPONIVEL'],
    ['/api/consultar-sigef', 'SIGEF_HTTP_ERROR', 'SIGEF_NETWORK_ERROR', 'SIGEF_PARSE_FAILED'],
  ]) {
    const its = rows.filter((row) => row.endpoint === endpoint)
    const codes = its.map(({ espera }) => espera.source_error ?? espera.error_code)
    assert.deepEqual([...new Set(codes)].sort(), [...ofRequests, ...own, undefined].sort())
  }
})

test('every outcome of a certificate has a row', () => {
  const outcomes = rows.filter(({ endpoint }) => endpoint === '/api/consultar-cnd')
  assert.deepEqual([...new Set(outcomes.map(({ espera }) => espera.status))].sort(), [
    'erro',
    'nao_contribuinte',
    'negativa',
    'positiva',
    'positiva_com_efeitos_de_negativa',
    'sem_certidao',
    undefined,
  ])
})

test('what is charged is shown where it is not the usual credit', () => {
  const linha = { endpoint: '/', parametros: {}, nota: '' }
  const shown = (espera: Espera) => esperaDaLinha({ ...linha, espera })
  assert.equal(shown({ http: 200, creditos: 1 }), '200')
  assert.equal(shown({ http: 200, status: 'erro', creditos: 0 }), '200 erro, 0 créditos')
  assert.equal(shown({ http: 200, creditos: 17 }), '200, 17 créditos')
  assert.equal(
    shown({ http: 200, status: 'ok', manifestacao: 'ciencia_registrada', cstat: '138', creditos: 3 }),
    '200 ok ciencia_registrada (cStat 138), 3 créditos',
  )
  assert.equal(
    shown({ http: 200, status: 'erro', manifestacao: null, cstat: '', creditos: 0 }),
    '200 erro, 0 créditos',
  )
  assert.equal(shown({ http: 503, error_code: 'SITE_INDISPONIVEL', creditos: 0 }), '503 SITE_INDISPONIVEL')
})

test('the three formats hold every row', () => {
  assert.deepEqual(JSON.parse(writeDocumentos('json', NOW)), all)
  assert.equal(writeDocumentos('texto', NOW).trimEnd().split('\n').length, all.length)
  const cells = writeDocumentos('markdown', NOW).split('\n')
  for (const { nota } of all)
    assert.ok(
      cells.some((line) => line.endsWith(`| ${nota} |`)),
      nota,
    )
})

const CLIENTE = { servico: 'http://127.0.0.1:8081', chave: 'fk_da_demonstracao' }

test('the index page says that all is simulated, and names every request, certificate and host', () => {
  const autoridades = createAutoridades({ agora: () => new Date() })
  const gateway = { host: '127.0.0.1', porta: 9999 }
  const page = writeIndice({ linhas: all, certificados: CATALOGO, autoridades, gateway, cliente: CLIENTE })
  assert.match(page, /<html lang="pt-BR">/)
  assert.match(page, /Isto é um simulador/)
  for (const host of autoridades.flatMap(({ hosts }) => hosts)) assert.ok(page.includes(host), host)
  assert.doesNotMatch(page, /<(?:link|img)|src=|https:\/\//, 'nothing is loaded from elsewhere')
  assert.equal(page.match(/curl -i/g)?.length, all.length)
  for (const known of [
    'SERVICO=http://127.0.0.1:8081',
    'SIMULADOR=http://127.0.0.1:9999',
    'CHAVE=fk_da_demonstracao',
  ])
    assert.ok(page.includes(known), known)
  for (const { envio } of notes) assert.ok(page.includes(envio?.corpo.chave ?? '?'))
  for (const { nome } of CATALOGO) assert.ok(page.includes(`/certificados/${nome}.pfx`), nome)
  const every = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, found = '']) => found)
  const ids = every(/ id="([^"]*)"/g)
  assert.equal(new Set(ids).size, ids.length)
  for (const to of every(/href="#([^"]*)"/g)) assert.ok(ids.includes(to), to)
  for (const { envio } of notes) assert.ok(ids.some((id) => id.startsWith(envio?.certificado ?? '?')))
})

test('a command of the index page, pasted into a shell, sends the body that the row says', async () => {
  const gateway = { host: '127.0.0.1', porta: 9999 }
  const page = writeIndice({
    linhas: notes,
    certificados: [],
    autoridades: [],
    gateway,
    cliente: undefined,
  })
  const commands = [...page.matchAll(/<code class="comando">(.*?)<\/code>/g)].map(([, html = '']) =>
    html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
  )
  const curl = `curl() { case "$1" in -s) printf %s "$2" ;; *) printf '%s\\n' "$7" "$8" ;; esac; }`
  const script = [curl, 'CHAVE=fk SERVICO=http://service SIMULADOR=http://simulator', ...commands].join('\n')
  const { stdout } = await promisify(execFile)('sh', ['-c', script])
  const sent = stdout.trimEnd().split('\n')
  const said = notes.flatMap(({ endpoint, envio }) => {
    const { corpo, certificado = '', senha } = envio ?? {}
    const pfx = Buffer.from(`http://simulator/certificados/${certificado}.pfx`).toString('base64')
    return [{ ...corpo, certificado: pfx, senha }, `http://service${endpoint}`]
  })
  assert.deepEqual(
    sent.map((line) => (line.startsWith('{') ? JSON.parse(line) : line)),
    said,
  )
})

test('what is said of one state alone comes before what is said of each, which is folded', () => {
  const gateway = { host: '127.0.0.1', porta: 9999 }
  const page = writeIndice({ linhas: all, certificados: [], autoridades: [], gateway, cliente: undefined })
  const [, section = ''] = page.split('id="api-consultar"')
  const [before = '', folded = ''] = section.split('<details>')
  assert.ok((before.match(/curl -i/g)?.length ?? 0) > 0, 'something of interest stands first')
  assert.match(folded, /uma inscrição em cada estado \(\d+\)/)
})
