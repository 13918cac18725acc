import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { apresentarPerfil } from '../../src/rural/apresentacao-perfil.ts'
import { semPausas } from '../kit/authority.ts'
import { NOW } from '../kit/basics.ts'
import { newPostgres } from '../kit/databases.ts'
import { type House, loseTable, start } from '../kit/house.ts'
import { CNPJ, CPF, creditsOf, PATH, startAlone } from '../kit/rural.ts'

let house: House
let close: () => Promise<void>
before(async () => {
  ;({ house, close } = await startAlone())
})
after(() => close())

test('502 TODAS_FONTES_FALHARAM: by CPF, no state answers in either section, and nothing is charged', async () => {
  const answer = await house.ask(`${PATH}?cpf=${CPF}`)
  assert.equal(answer.status, 502)
  assert.equal(answer.body.error_code, 'TODAS_FONTES_FALHARAM')
  assert.deepEqual([answer.body.retryable, answer.headers.get('retry-after')], [true, '60'])
  assert.match(String(answer.body.detail), /Tente de novo em 1 minuto\. Nada foi cobrado\.$/)
  assert.equal(creditsOf(answer), '0')
})

test('a stream of which nothing was sent but failures ends with the same problem', async () => {
  const { text } = await house.ask(`${PATH}?cpf=${CPF}`, { headers: { accept: 'text/event-stream' } })
  const last = text.trimEnd().split('\n\n').at(-1) ?? ''
  assert.match(last, /^event: erro\ndata: \{.*"error_code":"TODAS_FONTES_FALHARAM"/)
})

test('a company whose states are all dead has its receita_federal alone, for 1 credit', async () => {
  const { body, ...answer } = await house.ask(`${PATH}?cnpj=${CNPJ}`)
  assert.equal(answer.status, 200)
  assert.equal(Object(body.receita_federal).cnpj, CNPJ)
  assert.deepEqual([body.inscricoes_estaduais, body.cnd_estaduais], [null, null])
  assert.equal(creditsOf(answer), '1')
  assert.equal(answer.headers.get('age'), null)
  const [inscricoes, certidoes, ...others] = Object(body.avisos)
  assert.match(
    inscricoes,
    /^inscricoes_estaduais: nenhum estado respondeu\. Falharam desta vez: AC, AL, .*TO\.$/,
  )
  assert.match(certidoes, /^cnd_estaduais: nenhum estado respondeu\. Falharam desta vez: /)
  assert.deepEqual([others, answer.headers.get('retry-after')], [[], null])
  const dita = apresentarPerfil(body, NOW)
  assert.deepEqual(
    [dita.tom, dita.veredito],
    ['nota', 'Inscrições não responderam, certidões não responderam'],
  )
})

test('a company that the base lacks did not make its section fail: three nulls are 200, and cost nothing', async () => {
  const { status, body, headers } = await house.ask(`${PATH}?cnpj=11222333000181`)
  assert.equal(status, 200)
  assert.deepEqual([body.receita_federal, body.inscricoes_estaduais, body.cnd_estaduais], [null, null, null])
  assert.equal(creditsOf({ headers }), '0')
})

test('all sections are null because states failed: avisos and Retry-After say so, in a stream too', async () => {
  const path = `${PATH}?cnpj=11222333000181`
  const { body, headers } = await house.ask(path)
  assert.equal(headers.get('retry-after'), '60')
  const [first, ...each] = Object(body.avisos)
  assert.match(
    first,
    /^Todas as seções vieram null, mas há fontes que falharam: .* Tente de novo em 1 minuto\.$/,
  )
  assert.deepEqual(
    each.map((aviso: string) => aviso.split(':')[0]),
    ['receita_federal', 'inscricoes_estaduais', 'cnd_estaduais'],
  )
  const dita = apresentarPerfil(body, NOW)
  assert.deepEqual([dita.tom, dita.veredito], ['ruim', 'Nada se sabe ainda: fontes falharam'])
  assert.match(String(dita.frase), /^Há fontes que falharam: isto não quer dizer que nada conste/)
  const { text } = await house.ask(path, { headers: { accept: 'text/event-stream' } })
  assert.match(text, /event: resultado\ndata: \{.*"avisos":\["Todas as seções vieram null, mas/)
})

test('one state that has no registration is an answer: two nulls are 200, though all else failed', async (t) => {
  const env = { DATABASE_URL: await newPostgres(), SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras' }
  const first = await start({ ...env, ...(await semPausas()) })
  const kept = await first.ask(`/api/consultar?uf=AC&cpf=${CPF}`)
  assert.deepEqual([kept.status, kept.body.results], [200, []])
  await first.close()
  const alone = await startAlone(env)
  t.after(alone.close)
  const { status, body, headers } = await alone.house.ask(`${PATH}?cpf=${CPF}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.inscricoes_estaduais, body.cnd_estaduais], [null, null])
  assert.equal(creditsOf({ headers }), '0')
})

test('502 TODAS_FONTES_FALHARAM: without a base the section of the company has failed too', async (t) => {
  const alone = await startAlone()
  t.after(alone.close)
  alone.house.rooms.cnpj.base.close()
  const { status, body } = await alone.house.ask(`${PATH}?cnpj=${CNPJ}`)
  assert.deepEqual([status, body.error_code, body.retryable], [502, 'TODAS_FONTES_FALHARAM', true])
})

test('without a base the states still answer', async (t) => {
  const own = await start(await semPausas())
  t.after(own.close)
  own.rooms.cnpj.base.close()
  const { status, body, headers } = await own.ask(`${PATH}?cnpj=${CNPJ}`)
  assert.equal(status, 200)
  assert.equal(body.receita_federal, null)
  assert.equal(headers.get('x-base-cnpj'), null)
  assert.notEqual(body.cnd_estaduais, null)
})

test('a bug that strikes every state leaves the company, and is logged', async (t) => {
  const broken = await start(await semPausas())
  t.after(broken.close)
  await loseTable(broken, 'cache')
  const { status, body, headers } = await broken.ask(`${PATH}?cnpj=${CNPJ}`)
  assert.deepEqual([status, creditsOf({ headers })], [200, '1'])
  assert.deepEqual([body.inscricoes_estaduais, body.cnd_estaduais], [null, null])
})

test('500 ERRO_INTERNO: a bug in every section; with a failure of another kind among them it is 502', async (t) => {
  const broken = await start(await semPausas())
  t.after(broken.close)
  await loseTable(broken, 'cache')
  const { status, body, headers } = await broken.ask(`${PATH}?cpf=${CPF}`)
  assert.deepEqual([status, body.error_code, creditsOf({ headers })], [500, 'ERRO_INTERNO', '0'])
  broken.rooms.cnpj.base.close()
  const mixed = await broken.ask(`${PATH}?cnpj=${CNPJ}`)
  assert.deepEqual([mixed.status, mixed.body.error_code], [502, 'TODAS_FONTES_FALHARAM'])
})

test('a page says that there is no debt only where every state answered about certificates', async (t) => {
  const own = await start(await semPausas())
  t.after(own.close)
  const { body } = await own.ask(`${PATH}?cnpj=99001002000162`)
  const said = (corpo: object) => {
    const { tom, veredito } = apresentarPerfil(corpo, NOW)
    return [tom, veredito.replace(/^1 inscrição ativa em SP, /, '')]
  }
  const certidoes = Object(body.cnd_estaduais)
  const answers = certidoes.results.filter(
    (one: { source_status: { status: string } }) => one.source_status.status === 'success',
  )
  const withCertidoes = (results: object[]) => ({ ...body, cnd_estaduais: { ...certidoes, results } })
  assert.deepEqual(said(withCertidoes(answers)), ['bom', '2 certidões negativas'])
  const semNada = answers.map((one: { result: object }) => ({
    ...one,
    result: { ...one.result, status: 'nao_contribuinte' },
  }))
  assert.deepEqual(said(withCertidoes(semNada)), ['bom', 'nenhuma pendência'])
  assert.deepEqual(said({ ...body, cnd_estaduais: null }), ['nota', 'certidões não responderam'])
  const source_status = { status: 'timeout', error_code: 'TIMEOUT', error_message: 'x', retryable: true }
  const failing = (results: object[]) =>
    results.map((one, at) => (at < 2 ? { ...one, source_status, result: null } : one))
  assert.deepEqual(said(withCertidoes(failing(semNada))), ['nota', '2 certidões não vieram'])
  const { frase } = apresentarPerfil(withCertidoes(failing(semNada)), NOW)
  assert.match(String(frase), /^Em 2 estados algo falhou, sem custo: certidão em [A-Z]{2} e [A-Z]{2} ·/)
})
