import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digitoDaChave } from '../../src/documento/chave.ts'
import { comAssinatura, notas, problemaDoEsquema } from '../kit/rejeicoes.ts'

describe('the base notes of the rejection catalogue', () => {
  it('are at least fourteen, of both models', () => {
    assert.ok(notas.size >= 14, `${notas.size} notes`)
    const modelos = [...notas.values()].map((xml) => /<mod>(\d\d)<\/mod>/.exec(xml)?.[1])
    assert.deepEqual([...new Set(modelos)].sort(), ['55', '65'])
  })

  for (const [nome, xml] of notas) {
    it(`${nome} is valid by the official schema once it is signed`, () => {
      assert.equal(problemaDoEsquema(comAssinatura(xml)), undefined)
      assert.notEqual(problemaDoEsquema(xml), undefined)
    })

    it(`${nome} has a key with the right check digit`, () => {
      const chave = /\bId="NFe(\d{44})"/.exec(xml)?.[1] ?? ''
      assert.equal(digitoDaChave(chave.slice(0, 43)), chave.at(-1))
    })
  }
})
