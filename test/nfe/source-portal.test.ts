import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo, createLivroDeEventos } from '../../simulator/nfe/nota.ts'
import { createPortalNacional } from '../../simulator/nfe/portal.ts'
import { createEscrivao } from '../../simulator/nfe/proc.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import { readNfeProc } from '../../src/nfe/source-documento.ts'
import { downloadAtPortal } from '../../src/nfe/source-portal.ts'
import { hostProfiles } from '../../src/platform/wire/dial.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { type CaptchaSolver, noSolver, openWebhook } from '../../src/portal/captcha.ts'
import { type Authority, openAuthority } from '../kit/authority.ts'

const NOW = new Date('2026-11-21T15:00:00Z')
const now = (): Date => NOW
const captchas = createCaptchas(now)
/** The tasks that the operator's webhook got. */
const tasks: Record<string, unknown>[] = []
const webhook = createServer(async (request, response) => {
  const body = await buffer(request)
  tasks.push(JSON.parse(body.toString()))
  const { status, json } = captchas.resolvedor.resolver(request.headers.authorization, body)
  response.writeHead(status).end(JSON.stringify(json))
})

let authority: Authority
let direct: Http
let captcha: CaptchaSolver
before(async () => {
  const writeNfeProc = createEscrivao(createAssinantes())
  const meios = { agora: now, ritmo: 0, captchas, livro: createLivroDeEventos(), writeNfeProc }
  authority = await openAuthority([createPortalNacional(meios)])
  direct = openTransport({ mode: 'live', ca: [], hosts: {} })
  await once(webhook.listen(0, '127.0.0.1'), 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { token } = captchas.resolvedor
  captcha = openWebhook(direct, { url: `http://127.0.0.1:${port}/`, token, ufs: new Set(['BR']) })
})
after(async () => {
  await direct.close()
  webhook.close()
  await authority.close()
})

type More = { nome?: string; ambiente?: 'producao' | 'homologacao'; captcha?: CaptchaSolver }

/** Asks for the note of a scenario, with its A1 file or another one. */
async function baixar(cenario: string, more: More = {}) {
  const { nome = `nfe-${cenario}`, ambiente = 'producao', captcha: solver = captcha } = more
  const { idadeDias } = comCenario(cenario)
  const chave = chaveDo(comCenario(cenario), new Date(NOW.getTime() - idadeDias * 86_400_000))
  const http = authority.openWith(await authority.certificate(nome), hostProfiles)
  const meios = { http, ambiente, now, deadlineMs: 10_000, captcha: solver }
  try {
    return { chave, resposta: await downloadAtPortal(meios, { chave }) }
  } finally {
    await http.close()
  }
}

test('a participant gets the note, and is asked for the certificate by renegotiation, for the file alone', async () => {
  const before = authority.gateway.estatisticas().handshakes.renegociados
  tasks.length = 0
  const { chave, resposta } = await baixar('dois-meses')
  assert.ok(resposta.tipo === 'xml')
  assert.ok(readNfeProc(resposta.xml, chave).ok)
  assert.equal(authority.gateway.estatisticas().handshakes.renegociados, before + 1)
  assert.equal(tasks.length, 1)
  const [{ uf, fonte, tipo, site_key, pagina } = {}] = tasks
  const known = {
    uf: 'BR',
    fonte: 'AN/portal',
    tipo: 'hcaptcha',
    pagina: 'https://www.nfe.fazenda.gov.br/portal/consultaRecaptcha.aspx',
  }
  assert.deepEqual({ uf, fonte, tipo, pagina }, known)
  assert.match(String(site_key), /^[0-9a-f-]{36}$/)
  assert.ok(!JSON.stringify(tasks).includes(chave), 'the webhook never sees the key')
})

test('so does the issuer, and in the test environment', async () => {
  assert.equal((await baixar('emitente', { ambiente: 'homologacao' })).resposta.tipo, 'xml')
})

test('a certificate that the note does not name is denied in the portal’s own words', async () => {
  const { resposta } = await baixar('dois-meses', { nome: 'nfe-estranho' })
  const texto = 'O CNPJ ou CPF do certificado não está autorizado a fazer o download do documento.'
  assert.deepEqual(resposta, { tipo: 'negada', texto })
})

test('so is a note that does not exist', async () => {
  const { resposta } = await baixar('inexistente')
  assert.ok(resposta.tipo === 'negada')
  assert.match(resposta.texto, /^NF-e INEXISTENTE na base nacional/)
})

test('a captcha that is refused is tried three times in all', async () => {
  tasks.length = 0
  await assert.rejects(baixar('portal-captcha'), { name: 'SourceError', codigo: 'captcha-errado' })
  assert.equal(tasks.length, 3)
})

const failures: [scenario: string, error: object][] = [
  ['emitente-portal-fora', { codigo: 'erro.aspx', unavailable: true }],
  ['portal-layout', { kind: 'parse' }],
  ['portal-outra-chave', { kind: 'parse', message: /não é a nota: o XML é de outra chave/ }],
  ['portal-sem-protocolo', { kind: 'parse', message: /não é a nota: o XML não tem o protocolo/ }],
  ['portal-queda', { kind: 'network' }],
]
for (const [scenario, error] of failures)
  test(`where the portal does not answer as it should, that is said: ${scenario}`, async () => {
    await assert.rejects(baixar(scenario), { name: 'SourceError', source: 'AN/portal', ...error })
  })

test('where nobody solves its captcha nothing is sent', async () => {
  const before = authority.gateway.estatisticas().conexoes
  await assert.rejects(baixar('dois-meses', { captcha: noSolver }), {
    name: 'RotaNaoAtende',
    codigo: 'captcha',
  })
  assert.equal(authority.gateway.estatisticas().conexoes, before)
})
