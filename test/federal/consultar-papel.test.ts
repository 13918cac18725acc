import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comportamentos } from '../../simulator/mundo/comportamento.ts'
import { dito, startFederal } from '../kit/federal.ts'

/** The reserved documents whose paper is wrong stand in another list of the simulator. */
const reservado = (nome: string): string =>
  comportamentos.find((one) => one.nome === nome)?.documento ?? assert.fail(nome)

const CERTIDAO = /^CERTIDÃO (?:NEGATIVA|POSITIVA COM EFEITOS DE NEGATIVA) DE DÉBITOS RELATIVOS AOS TRIBUTOS/

/** A company, and what is said of its paper; `null` where this route has no such paper. */
type Papel = [nome: string, contrato: string | null, portal: string | null]

const bons: Papel[] = [
  ['papel-quebrado', 'negativa', 'negativa'],
  ['papel-colado', 'negativa', 'negativa'],
  ['papel-sem-acentos', 'negativa', 'negativa'],
  ['papel-duas-paginas', 'negativa', 'negativa'],
  ['papel-raiz', 'negativa', 'negativa'],
  ['data-uri', 'negativa', 'negativa'],
  ['efeitos', 'positiva_com_efeitos_de_negativa', 'positiva_com_efeitos_de_negativa'],
  ['tipo-e-papel', null, 'positiva_com_efeitos_de_negativa'],
]

const ruins: [nome: string, documento: string, why: RegExp][] = [
  ['a text that contradicts the title', 'papel-contradiz', /se contradiz/],
  ['an end before the issue', 'papel-datas', /datas não se entendem/],
  ['no control code', 'papel-sem-codigo', /sem código de controle/],
  ['another CNPJ', reservado('cnd-pdf-de-outro'), /não é deste CNPJ/],
  ['a page of HTML in its place', reservado('cnd-html-como-pdf'), /o que não é um PDF/],
  ['a file that is damaged', reservado('cnd-pdf-corrompido'), /não se consegue ler|sem texto/],
]

for (const rota of ['contrato', 'portal'] as const)
  describe(`rule 1, by the ${rota}: status, dates and control code are read from the authority's own PDF`, () => {
    test('it is delivered in every form that declares the queried CNPJ', async (t) => {
      const { ask } = await startFederal(t, { CND_FEDERAL_ROTAS: rota })
      for (const [nome, contrato, portal] of bons) {
        const situacao = rota === 'contrato' ? contrato : portal
        if (situacao === null) continue
        const answer = await ask(nome)
        const { modo, protocolo, emissao_iso, validade_iso, pdf_base64, status_raw } = Object(
          answer.body.result,
        )
        assert.deepEqual(dito(answer), { situacao, modo, cached: false, creditos: 1 }, nome)
        assert.match(status_raw, CERTIDAO)
        assert.match(protocolo, /^[0-9A-F]{4}(?:\.[0-9A-F]{4}){3}$/)
        assert.equal((Date.parse(validade_iso) - Date.parse(emissao_iso)) / 86_400_000, 180, nome)
        assert.ok(Buffer.from(pdf_base64, 'base64').includes('%PDF-'))
        assert.deepEqual([answer.body.avisos, answer.body.fonte], [[], `BR/cnd-${rota}`])
      }
    })

    test('otherwise status = erro, status_raw tells why it could not be validated, and nothing is charged', async (t) => {
      const { ask } = await startFederal(t, { CND_FEDERAL_ROTAS: rota })
      for (const [nome, documento, why] of ruins) {
        const answer = await ask(documento)
        assert.deepEqual(dito(answer), { situacao: 'erro', modo: '', cached: false, creditos: 0 }, nome)
        const { status_raw, pdf_base64, protocolo, validade_iso } = Object(answer.body.result)
        assert.match(status_raw, why, nome)
        assert.doesNotMatch(status_raw, CERTIDAO, nome)
        assert.deepEqual([pdf_base64, protocolo, validade_iso], ['', '', ''])
        assert.deepEqual(answer.body.avisos, [], nome)
      }
    })
  })

test('what the gateway says of its own paper must not contradict it', async (t) => {
  const { ask } = await startFederal(t, { CND_FEDERAL_ROTAS: 'contrato' })
  const answer = await ask('tipo-e-papel')
  assert.deepEqual(dito(answer), { situacao: 'erro', modo: '', cached: false, creditos: 0 })
  assert.match(Object(answer.body.result).status_raw, /diz uma coisa e sua certidão outra/)
})

test('the texts of the portal in the place of a certificate are told as what they mean, free of charge', async (t) => {
  const { ask } = await startFederal(t, { CND_FEDERAL_ROTAS: 'portal' })
  for (const [nome, situacao, words] of [
    ['insuficiente', 'positiva', /^As informações disponíveis .* são insuficientes .*Internet\.$/],
    ['portal-nao-emitida', 'positiva', /^As informações disponíveis .* são insuficientes .*Internet\.$/],
    ['inapta', 'positiva', /^Inscrição no CNPJ .* Inapta .* não permitida\.$/],
    ['nao-inscrito', 'nao_contribuinte', /^O número informado não consta do cadastro CNPJ\.$/],
    ['98764009000254', 'erro', /^A certidão deve ser emitida para o CNPJ da matriz – 98\.764\.009\/0001-73$/],
  ] as const) {
    const answer = await ask(nome)
    const { status_raw } = Object(answer.body.result)
    assert.deepEqual(dito(answer), { situacao, modo: '', cached: false, creditos: 0 }, nome)
    assert.match(status_raw, words)
  }
  for (const nome of ['falha', 'portal-sistema-fora']) {
    const answer = await ask(nome)
    assert.deepEqual(dito(answer), { error: 'PROVIDER_ERROR', cached: false, creditos: 0 }, nome)
    assert.equal(answer.headers.get('retry-after'), '180')
  }
})

test('rule 3, by the portal: while it works the answer is EM_PROCESSAMENTO, and a later call delivers that issuance', async (t) => {
  const env = { CND_FEDERAL_ROTAS: 'portal', CND_FEDERAL_SECONDS: '5' }
  const { ask, emissoes, pass, settled } = await startFederal(t, env)
  const early = await ask('processa-muito')
  assert.deepEqual(dito(early), { error: 'EM_PROCESSAMENTO', cached: false, creditos: 0 })
  assert.deepEqual([early.headers.get('retry-after'), early.body.result], ['30', null])
  assert.deepEqual([Object(early.body.source_status).status, early.status], ['error', 200])
  pass(180_000)
  await settled()
  assert.deepEqual(dito(await ask('processa-muito')), {
    situacao: 'negativa',
    modo: 'emissao',
    cached: true,
    creditos: 1,
  })
  assert.equal(await emissoes('processa-muito'), 1)
})
