import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useCatalogo } from '../kit/catalogo.ts'
import { testWhoAsksFirst } from '../kit/house.ts'

const PATH = '/api/v1/rejeicoes'
const house = useCatalogo()

const SEM_DIAS = { de: '', de_talvez: '', ate: '', ate_talvez: '' }

test('the detail has the members of the list, and causes, steps and checks', async () => {
  const { status, body, headers } = await house().ask(`${PATH}/610`)
  assert.equal(status, 200)
  assert.equal(headers.get('x-credits-charged'), '0')
  const { codigo, categoria, causas, solucao_passos, verificacoes_analiticas } = body
  assert.deepEqual(
    { codigo, categoria, causas, solucao_passos },
    {
      codigo: 610,
      categoria: 'Totalização/Valores',
      causas: ['Causa de 610.'],
      solucao_passos: ['Passo de 610.'],
    },
  )
  const listed = await house().ask(`${PATH}?q=610`)
  const [resumo] = Object(listed.body.results)
  for (const [name, value] of Object.entries(resumo)) assert.deepEqual(body[name], value, name)
  assert.deepEqual(verificacoes_analiticas, [
    {
      id: '610-vnf',
      titulo: 'vNF fecha',
      descricao: 'Soma os componentes.',
      campos: ['total/ICMSTot/vNF', 'total/ICMSTot/vProd'],
      regra: { fecha: [{ v: 'total/ICMSTot/vNF' }, { v: 'total/ICMSTot/vProd' }], tol: '0.50' },
      mensagem_falha: 'vNF é {total/ICMSTot/vNF}; a soma dá {esperado}.',
      modelos: ['55', '65'],
      escopo: '',
      quando: null,
      exceto: [],
      dependencia: 'xml',
      aplicacao: 'obrigatoria',
      vigencia: { ...SEM_DIAS, texto: '', homologacao: SEM_DIAS },
      fonte: { documento: 'NT 2023.001 v1.60', regra: 'W16-10' },
    },
  ])
})

test('verificacoes_analiticas may be empty, and a number with two meanings says so', async () => {
  const { body } = await house().ask(`${PATH}/208`)
  assert.deepEqual(body.verificacoes_analiticas, [])
  assert.deepEqual(body.outro_significado, {
    motivo: 'CNPJ informado inválido, evento ECONF',
    fonte: 'NT 2024.002',
  })
  assert.equal((await house().ask(`${PATH}/539`)).body.outro_significado, null)
})

test('404 REJEICAO_NAO_ENCONTRADA: the code is not in the catalogue', async () => {
  for (const codigo of ['100', '9999', '123456']) {
    const { status, body, headers } = await house().ask(`${PATH}/${codigo}`)
    assert.deepEqual(
      [status, body.error_code, body.retryable],
      [404, 'REJEICAO_NAO_ENCONTRADA', false],
      codigo,
    )
    assert.match(String(body.detail), new RegExp(codigo))
    assert.equal(headers.get('x-credits-charged'), '0')
  }
})

test('400 PARAMETRO_INVALIDO: codigo is no whole number from 1', async () => {
  for (const codigo of ['0', '-1', '5.39', 'abc', '539a', '%20', '1e3']) {
    const { status, body, headers } = await house().ask(`${PATH}/${codigo}`)
    assert.deepEqual([status, body.error_code], [400, 'PARAMETRO_INVALIDO'], codigo)
    assert.deepEqual(body.errors, [{ parameter: 'codigo', reason: 'envie um número inteiro, 1 ou mais' }])
    assert.equal(headers.get('x-credits-charged'), '0')
  }
})

test('a codigo in the query counts for nothing', async () => {
  assert.equal((await house().ask(`${PATH}/539?codigo=204`)).body.codigo, 539)
})

testWhoAsksFirst(house, `${PATH}/539`)

test('the answer is not sent again while it is the same', async () => {
  const { headers } = await house().ask(`${PATH}/539`)
  const again = await house().ask(`${PATH}/539`, { headers: { 'If-None-Match': headers.get('etag') ?? '' } })
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('405: the detail is read only', async () => {
  const { status, headers } = await house().ask(`${PATH}/539`, { method: 'POST' })
  assert.deepEqual([status, headers.get('allow')], [405, 'GET'])
})
