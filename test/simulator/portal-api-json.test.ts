import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Uf } from '../../simulator/documento/uf.ts'
import { portais as al } from '../../simulator/estados/al.ts'
import { portais as es } from '../../simulator/estados/es.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { openPortais, type Portals } from '../kit/simulator-portal.ts'

const AL = { ie: 'cadastro.sefaz.al.gov.br', cnd: 'contribuinte.sefaz.al.gov.br' }
const EMITIR = '/certidao/sfz-certidao-api/api/public/emitirCertidao?cacheBuster=1795261840000'
const ES = 's2-internet.sefaz.es.gov.br'

let portals: Portals
before(async () => {
  portals = await openPortais([...al, ...es])
})
after(() => portals.close())

const one = (uf: Uf): string => exemplos().umaInscricao.get(uf) ?? assert.fail(uf)
const siteKey = (text: string): string => /data-sitekey="([^"]*)"/.exec(text)?.[1] ?? assert.fail(text)

test('AL lists in pages of Spring, knows persons without registration, and answers 404 for nobody', async () => {
  const ask = (path: string) => portals.visitor().get(AL.ie, `/sfz-cadastro-api/api/contribuinte/${path}`)
  const list = (document: string, page = 0) => ask(`obterListaContribuintes/CNPJ/${document}/${page}/50`)
  const { content, last } = JSON.parse((await list(one('AL'))).text)
  assert.equal(last, true)
  assert.match(content[0].numeroCaceal + content[0].identificacao.digitoCaceal, /^24\d{7}$/)
  assert.equal(content[0].situacaoCadastral.situacaoCadastralContribuinte, 'ATIVO')
  assert.match(content[0].situacaoCadastral.dataAlteracaoSituacaoCastral, /^\d{4}-\d\d-\d\d \d\d:/)
  const sheet = JSON.parse((await ask(`obterDadosFic/${content[0].numeroCaceal}`)).text)
  assert.equal(sheet.situacaoCadastralRecente.situacaoCadastral, 'ATIVO')
  assert.equal((await ask(`obterDadosFic/${content[0].numeroCaceal}1`)).status, 404)
  assert.equal(JSON.parse((await list(exemplos().semInscricao)).text).content[0].numeroCaceal, null)
})

test('AL certifies in base64, and refuses with status 500 and its words', async () => {
  const ask = (numeroDocumento: string, tipoDocumento = 'CNPJ') =>
    portals.visitor().postJson(AL.cnd, EMITIR, { numeroDocumento, tipoDocumento })
  const { conteudo } = JSON.parse((await ask(reservado('cnd-positiva'))).text)
  assert.match(Buffer.from(conteudo, 'base64').toString('latin1'), /^%PDF/)
  const refused = await ask(reservado('cnd-sem-certidao'))
  assert.equal(refused.status, 500)
  assert.match(JSON.parse(refused.text).description, /^Não foi possível emitir a certidão/)
  assert.equal((await ask(one('AL'), 'CPF')).status, 500)
})

test('ES draws its form by script, and certifies once for each token', async () => {
  const visitor = portals.visitor()
  const script = { headers: { 'x-requested-with': 'XMLHttpRequest' } }
  const post = (path: string, fields: Record<string, string>, sent = script) =>
    visitor.post(ES, `/certidao/${path}`, fields, sent)
  const emit = async (numIdentificacao: string, token: string) =>
    JSON.parse(
      (await post('emitir-certidao-internet', { numIdentificacao, 'cf-turnstile-response': token })).text,
    )
  await visitor.get(ES, '/certidao/cnd')
  assert.match(
    (await post('renderiza', { passo: 'R1' }, { headers: { 'x-requested-with': '' } })).text,
    /expirada/,
  )
  const key = siteKey((await post('renderiza', { passo: 'R1' })).text)
  const token = () => portals.token('turnstile', key, `https://${ES}/certidao/cnd`)
  const good = await token()
  const { success, data } = await emit(one('ES'), good)
  assert.ok(success)
  assert.match(Buffer.from(data.blbCertidao, 'base64').toString('latin1'), /^%PDF/)
  assert.match((await emit(reservado('cnd-positiva'), await token())).message, /possui débito/)
})
