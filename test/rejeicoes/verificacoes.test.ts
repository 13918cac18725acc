import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { notaBase, notas } from './notas.ts'
import { conferir, verificacoes } from './verificacoes.ts'

/** The checks that fail, as people read them. */
const falhas = (xml: string, agora?: string) =>
  conferir(xml, agora).filter(({ resultado }) => resultado === 'falha')

/** A code and what its check says, to see in a failed test which check refuses too much. */
const contar = (achados: ReturnType<typeof falhas>) =>
  achados.map(({ id, ocorrencias }) => `${id}: ${ocorrencias[0]?.mensagem}`)

describe('the checks of the rejection catalogue', () => {
  it('have ids of their own', () => {
    const ids = verificacoes.map(({ id }) => id)
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
    )
  })

  for (const [nome, xml] of notas)
    it(`refuse nothing in the base note ${nome}`, () => {
      assert.deepEqual(contar(falhas(xml)), [])
    })

  for (const { id, codigo, exemplo, vigencia } of verificacoes)
    it(`${id} passes its right note, and refuses its wrong one with its code alone`, () => {
      const agora = vigencia?.ate === undefined ? undefined : `${vigencia.ate}T10:16:00-03:00`
      const certo = aplicarMudancas(notaBase(exemplo.nota), exemplo.certo ?? [])
      assert.deepEqual(contar(falhas(certo, agora)), [])
      assert.equal(conferir(certo, agora).find((achado) => achado.id === id)?.resultado, 'ok')
      const errado = falhas(aplicarMudancas(certo, exemplo.errado), agora)
      assert.ok(
        errado.some((achado) => achado.id === id),
        `it does not refuse its wrong note, which has: ${contar(errado)}`,
      )
      assert.deepEqual(contar(errado.filter((achado) => achado.codigo !== codigo)), [])
      for (const { ocorrencias } of errado)
        for (const { mensagem, onde } of ocorrencias) assert.doesNotMatch(mensagem + onde, /\{|\}|undefined/)
    })
})
