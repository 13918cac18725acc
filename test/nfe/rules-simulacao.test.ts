import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RespostaDaDistribuicao } from '../../src/nfe/rules.ts'
import type { Andamento } from '../../src/nfe/rules-manifestacao.ts'
import { forecastEvento, type Previsao } from '../../src/nfe/rules-simulacao.ts'
import { comeco, doEmitente, falha, foraDoPrazo, limitada, resumo, xml } from '../kit/nfe-steps.ts'

const prever = (dias: number, resposta: RespostaDaDistribuicao, start: Partial<Andamento> = {}): Previsao =>
  forecastEvento(comeco(dias, { ...start, feitos: [{ passo: 'consulta', resposta }] }))

test('a young note would get the Ciência, and a Confirmação only where that one comes too late', () => {
  const { status, cstat, evento, mensagem } = prever(3, resumo(3))
  assert.deepEqual(
    [status, cstat, evento?.codigo, evento?.noPrazo],
    ['somente_resumo', '138', '210210', true],
  )
  assert.match(
    mensagem,
    /^Simulação: nada foi registrado\. .* registraria a Ciência da Operação \(210210\), aceita até 27\/11\/2026, 12:00:00/,
  )
  assert.match(
    mensagem,
    /não pode ser desfeita e não impede .* recusasse por prazo .* a Confirmação da Operação \(210200\), aceita até 16\/05\/2027/,
  )
})

test('after its 10 days the Ciência would still be tried', () => {
  const { evento, mensagem } = prever(15, resumo(15))
  assert.equal(evento?.noPrazo, false)
  assert.match(
    mensagem,
    /tentaria registrar a Ciência da Operação \(210210\), cujo prazo terminou em 15\/11\/2026/,
  )
})

test('over two months the portal comes first, then the Confirmação with all that it entails', () => {
  for (const [dias, resposta, prazo] of [
    [75, resumo(75), new Date('2027-03-05T15:00:00Z')],
    [120, foraDoPrazo, null],
  ] as const) {
    const { evento, mensagem } = prever(dias, resposta)
    assert.deepEqual([evento?.codigo, evento?.prazo], ['210200', prazo])
    assert.match(
      mensagem,
      /procuraria a nota no portal nacional e, se ele não a liberasse, registraria a Confirmação/,
    )
    assert.match(mensagem, /não pode ser desfeita e impede o emitente de cancelar a nota\.$/)
  }
})

test('a limited certificate would register the Ciência; until when is not known', () => {
  const { cstat, evento, mensagem } = prever(3, limitada)
  assert.deepEqual(
    [cstat, evento],
    ['656', { codigo: '210210', nome: 'Ciência da Operação', prazo: null, noPrazo: null }],
  )
  assert.match(mensagem, /aceita até 10 dias depois da autorização/)
})

test('where no event would follow, it says why', () => {
  const rows: [Previsao, status: string, porque: RegExp][] = [
    [prever(3, resumo(3), { manifestar: false }), 'somente_resumo', /manifestar = false/],
    [prever(3, resumo(3), { canSign: false }), 'somente_resumo', /chave RSA/],
    [prever(181, resumo(181)), 'somente_resumo', /o prazo de toda manifestação terminou/],
    [prever(3, resumo(3, 'denegada')), 'cancelada', /denegada não recebe evento/],
    [prever(3, xml), 'ok', /o XML já está disponível/],
    [prever(3, doEmitente), 'somente_resumo', /641/],
    [prever(3, { tipo: 'sem-permissao', cStat: '640', xMotivo: '' }), 'nao_autorizado', /não participa/],
    [prever(3, falha), 'erro', /repita a simulação/],
    [forecastEvento(comeco(3)), 'erro', /repita a simulação/],
  ]
  for (const [{ evento, status, mensagem }, expected, porque] of rows) {
    assert.deepEqual([evento, status], [null, expected])
    assert.match(mensagem, porque)
    assert.doesNotMatch(mensagem, /undefined| {2}|\.\./)
  }
})
