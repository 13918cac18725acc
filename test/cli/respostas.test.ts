import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deCnd, deCndTodas, deIe, deIeTodas, dePerfil } from '../../src/cli/respostas.ts'
import { CND_TODOS, cnd, type House, IE_TODOS, start } from '../kit/house.ts'

const CNPJ = '99001002000162'

let house: House
before(async () => {
  house = await start({}, () => new Date())
})
after(() => house.close())

const bodyOf = async (path: string) => Object((await house.ask(path)).body)

type NoEstado = { uf: string; result: object | null; source_status: { status: string } }

const FALHA = { status: 'timeout', error_code: 'TIMEOUT', error_message: 'Demorou.', retryable: true }

/** An answer of all states, in which only these still answer. */
const only = (body: { results: NoEstado[] }, ...ufs: readonly string[]) => ({
  ...Object(body),
  results: body.results.map((one) =>
    ufs.includes(one.uf)
      ? one
      : { ...one, source_status: FALHA, ...('results' in one ? { results: [] } : { result: null }) },
  ),
})

test('a certificate past its last day is no good news', async () => {
  const body = await bodyOf(cnd(CNPJ, 'SP'))
  assert.equal(deCnd(body).tom, 'bom')
  const past = (status: string) =>
    deCnd({ ...body, result: { ...body.result, status, validade: '2020-01-31' } })
  const negativa = past('negativa')
  assert.deepEqual([negativa.tom, negativa.veredito], ['nota', ['Negativa, vencida', 'venceu em 31/01/2020']])
  assert.equal(
    past('positiva_com_efeitos_de_negativa').veredito[0],
    'Positiva com efeitos de negativa, vencida',
  )
  const todas = await bodyOf(`${CND_TODOS}?cnpj=${CNPJ}`)
  const results = todas.results.map((one: NoEstado) => ({
    ...one,
    result: one.result && { ...one.result, validade: '2020-01-31' },
  }))
  const { tom, veredito } = deCndTodas({ ...todas, results })
  assert.deepEqual([tom, veredito[0]], ['nota', '2 negativas, vencidas'])
})

test('what some states alone answered is never green', async () => {
  const certidoes = await bodyOf(`${CND_TODOS}?cnpj=${CNPJ}`)
  assert.equal(deCndTodas(certidoes).tom, 'bom')
  const some = deCndTodas(only(certidoes, 'SP'))
  assert.deepEqual([some.tom, some.veredito], ['nota', ['1 negativa', '26 falharam']])
  const inscricoes = await bodyOf(`${IE_TODOS}?cnpj=${CNPJ}`)
  assert.equal(deIeTodas(inscricoes).tom, 'bom')
  assert.equal(deIeTodas(only(inscricoes, 'SP')).tom, 'nota')
  assert.equal(deIeTodas(only(inscricoes, 'AC')).tom, 'nota')
})

test('a profile without certificates, or with some of them, says so and is not green', async () => {
  const perfil = await bodyOf(`/api/perfil-produtor?cnpj=${CNPJ}`)
  const sem = dePerfil({ ...perfil, cnd_estaduais: null })
  assert.deepEqual([sem.tom, sem.veredito.at(-1)], ['nota', 'certidões não responderam'])
  const some = dePerfil({ ...perfil, cnd_estaduais: only(perfil.cnd_estaduais, 'SP') })
  assert.deepEqual([some.tom, some.veredito.at(-1)], ['nota', '26 estados não responderam'])
})

test('one that the state did not issue is called so, and no failure is', async () => {
  const body = await bodyOf(cnd(CNPJ, 'SP'))
  const said = (status: string) => deCnd({ ...body, result: { ...body.result, status } }).veredito[0]
  assert.equal(said('sem_certidao'), 'Não emitida')
  assert.equal(said('erro'), 'Não veio')
})

test('a registration whose activities ended is none in force, though its words begin as those of one', async () => {
  const body = await bodyOf(`/api/consultar?uf=SP&cnpj=${CNPJ}`)
  assert.equal(deIe(body).tom, 'bom')
  const [first] = body.results
  const ended = deIe({ ...body, results: [{ ...first, situacao_ie: 'ATIVIDADES ENCERRADAS' }] })
  assert.equal(ended.tom, 'nota')
})
