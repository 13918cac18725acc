import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { apresentarCertidao, apresentarCertidoesTodos } from '../../src/certidao/apresentacao.ts'
import { drawApresentacao } from '../../src/cli/respostas.ts'
import { apresentarInscricoes, apresentarInscricoesTodos } from '../../src/inscricao/apresentacao.ts'
import type { Apresentar } from '../../src/platform/pages/apresentacao.ts'
import { html, url } from '../../src/platform/pages/html.ts'
import { apresentarPerfil } from '../../src/rural/apresentacao-perfil.ts'
import { CND_TODOS, cnd, type House, IE_TODOS, start } from '../kit/house.ts'

const CNPJ = '99001002000162'

let house: House
before(async () => {
  house = await start({}, () => new Date())
  process.env.FORCE_COLOR = '1'
  delete process.env.NO_COLOR
})
after(() => house.close())

const bodyOf = async (path: string) => Object((await house.ask(path)).body)

const cores: Readonly<Record<string, string>> = { 31: 'vermelho', 32: 'verde', 33: 'amarelo', 2: 'apagado' }

/** The colour of the verdict, as a terminal is told it, and its words. */
function said(apresentar: Apresentar, body: unknown): [cor: string | undefined, veredito: string] {
  const agora = new Date()
  const drawn = drawApresentacao(apresentar(body, agora), {
    consulta: 'Consulta',
    custo: [],
    deUmEstado: undefined,
    agora,
  })
  const [, , coloured = ''] = drawn.split('\x1b[')
  const [cor = ''] = coloured.split('m')
  return [cores[cor], coloured.slice(cor.length + 1)]
}

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
  assert.deepEqual(said(apresentarCertidao, body), ['verde', 'Negativa'])
  const past = (status: string) =>
    said(apresentarCertidao, { ...body, result: { ...body.result, status, validade: '2020-01-31' } })
  assert.deepEqual(past('negativa'), ['amarelo', 'Negativa, vencida'])
  assert.deepEqual(past('positiva_com_efeitos_de_negativa'), [
    'amarelo',
    'Positiva com efeitos de negativa, vencida',
  ])
  const todas = await bodyOf(`${CND_TODOS}?cnpj=${CNPJ}`)
  const results = todas.results.map((one: NoEstado) => ({
    ...one,
    result: one.result && { ...one.result, validade: '2020-01-31' },
  }))
  assert.deepEqual(said(apresentarCertidoesTodos, { ...todas, results }), ['amarelo', '2 vencidas'])
})

test('what some states alone answered is never green', async () => {
  const certidoes = await bodyOf(`${CND_TODOS}?cnpj=${CNPJ}`)
  assert.equal(said(apresentarCertidoesTodos, certidoes)[0], 'verde')
  assert.deepEqual(said(apresentarCertidoesTodos, only(certidoes, 'SP')), [
    'amarelo',
    'Negativa em SP (26 falharam)',
  ])
  const inscricoes = await bodyOf(`${IE_TODOS}?cnpj=${CNPJ}`)
  assert.equal(said(apresentarInscricoesTodos, inscricoes)[0], 'verde')
  assert.equal(said(apresentarInscricoesTodos, only(inscricoes, 'SP'))[0], 'amarelo')
  assert.equal(said(apresentarInscricoesTodos, only(inscricoes, 'AC'))[0], 'amarelo')
})

test('a profile without certificates, or with some of them, says so and is not green', async () => {
  const perfil = await bodyOf(`/api/perfil-produtor?cnpj=${CNPJ}`)
  const sem = said(apresentarPerfil, { ...perfil, cnd_estaduais: null })
  assert.equal(sem[0], 'amarelo')
  assert.match(sem[1], /^1 inscrição ativa em SP, certidões não responderam$/)
  const some = said(apresentarPerfil, { ...perfil, cnd_estaduais: only(perfil.cnd_estaduais, 'SP') })
  assert.equal(some[0], 'amarelo')
  assert.match(some[1], /^1 inscrição ativa em SP, negativa em SP; falha em 26 estados$/)
  const { frase } = apresentarPerfil(
    { ...perfil, cnd_estaduais: only(perfil.cnd_estaduais, 'SP') },
    new Date(),
  )
  assert.match(String(frase), /^Em 26 estados algo falhou, sem custo: certidão em AC, AL, .* e TO ·/)
})

test('one that the state did not issue is called so, and no failure is', async () => {
  const body = await bodyOf(cnd(CNPJ, 'SP'))
  const of = (status: string) => said(apresentarCertidao, { ...body, result: { ...body.result, status } })
  assert.deepEqual(of('sem_certidao'), ['amarelo', 'Não emitida'])
  assert.deepEqual(of('erro'), ['vermelho', 'A certidão não veio'])
})

test('a registration whose activities ended is none in force, though its words begin as those of one', async () => {
  const body = await bodyOf(`/api/consultar?uf=SP&cnpj=${CNPJ}`)
  assert.equal(said(apresentarInscricoes, body)[0], 'verde')
  const [first] = body.results
  const ended = { ...body, results: [{ ...first, situacao_ie: 'ATIVIDADES ENCERRADAS' }] }
  assert.deepEqual(said(apresentarInscricoes, ended), ['amarelo', 'Inscrição atividades encerradas'])
})

test('an element that nothing says at a terminal is a mistake, and no markup reaches one', () => {
  const dita = apresentarInscricoes(
    {
      uf: 'SP',
      document: CNPJ,
      document_type: 'cnpj',
      results: [],
      fonte: '',
      consultado_em: '',
      cached: false,
    },
    new Date(),
  )
  const draw = (frase: typeof dita.frase) =>
    drawApresentacao(
      { ...dita, frase },
      { consulta: 'Consulta', custo: [], deUmEstado: undefined, agora: new Date() },
    )
  const link = html`<p>Veja a <a href="${url('https://www.exemplo.br/a?b=1&c=2')}">página</a>, <q>${'a < b'}</q>.</p>`
  assert.ok(draw(link).includes('Veja a página (https://www.exemplo.br/a?b=1&c=2), “a < b”.'))
  assert.throws(() => draw(html`<table></table>`), /nothing says <table>/)
})
