import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diaDepois } from '../../src/documento/dia.ts'
import type { Verificacao } from '../../src/rejeicoes/rules.ts'
import type { Achado } from '../../src/rejeicoes/rules-laudo.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { lerVerificacao } from '../../tools/rejeicoes/verificacoes.ts'
import {
  checkNota,
  circunstancias,
  comAssinatura,
  emVigor,
  isDecidida,
  notaBase,
  notas,
  problemaDoEsquema,
  verificacoes,
} from '../kit/rejeicoes.ts'

/** The checks that fail. */
const falhas = (...nota: Parameters<typeof checkNota>): Achado[] =>
  checkNota(...nota).filter(({ resultado }) => resultado === 'falha')

/** A code and what its check says, to see in a failed test which check refuses too much. */
const contar = (achados: readonly Achado[]): string[] =>
  achados.map(({ id, ocorrencias }) => `${id}: ${ocorrencias[0]?.mensagem}`)

const resultadoDe = (achados: readonly Achado[], id: string): string | undefined =>
  achados.find((achado) => achado.id === id)?.resultado

/** The right note and the wrong one of a check. */
function parDe({ exemplo }: Verificacao): { certo: string; errado: string } {
  const certo = aplicarMudancas(notaBase(exemplo.nota), exemplo.certo ?? [])
  return { certo, errado: aplicarMudancas(certo, exemplo.errado) }
}

/** Fields of NT 2026.008 v1.00, of which no package of schemas was published yet. */
const SEM_ESQUEMA = /<(?:vUnComLiq|vProdLiq|vProdLiqTot|ICMSPrevistoPagtoAntecip)>/

describe('the checks of the rejection catalogue', () => {
  it('are at least 250 that the note decides', () => {
    const decididas = verificacoes.filter(isDecidida)
    assert.ok(decididas.length >= 250, `${decididas.length} checks`)
  })

  it('have ids of their own', () => {
    const ids = verificacoes.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('have only the closed operators', () => {
    const [primeira] = verificacoes
    assert.throws(
      () => lerVerificacao({ ...primeira, vigencia: {}, regra: { script: '1' } }, 'x.json', () => ({})),
      /x\.json/,
    )
  })

  it('refuse nobody by a rule that was withdrawn', () => {
    const retiradas = verificacoes.filter(({ vigencia }) => vigencia?.ate !== undefined)
    assert.ok(retiradas.some(({ codigo }) => codigo === 229))
    for (const verificacao of retiradas) {
      const { errado } = parDe(verificacao)
      const dia = diaDepois(verificacao.vigencia?.ate ?? '', 1)
      const depois = checkNota(errado, { regencia: { dia, ambiente: '1' } })
      assert.equal(resultadoDe(depois, verificacao.id), 'nao_aplicavel')
    }
  })

  for (const [nome, xml] of notas)
    it(`refuse nothing in the base note ${nome}`, () => {
      assert.deepEqual(contar(falhas(xml)), [])
    })

  for (const verificacao of verificacoes.filter(isDecidida)) {
    const { id, codigo } = verificacao
    it(`${id} passes its right note, and refuses its wrong one with its code alone`, () => {
      const contexto = { regencia: emVigor(verificacao) }
      const { certo, errado } = parDe(verificacao)
      assert.deepEqual(contar(falhas(certo, contexto)), [])
      assert.equal(resultadoDe(checkNota(certo, contexto), id), 'ok')
      if (!SEM_ESQUEMA.test(certo))
        assert.equal(problemaDoEsquema(comAssinatura(certo), contexto.regencia), undefined)
      const achados = falhas(errado, contexto)
      assert.equal(resultadoDe(achados, id), 'falha')
      assert.deepEqual(contar(achados.filter((achado) => achado.codigo !== codigo)), [])
      assert.doesNotMatch(
        JSON.stringify(achados.map(({ ocorrencias }) => ocorrencias)),
        /\{[a-z./]|undefined/,
      )
    })
  }

  for (const verificacao of verificacoes.filter((uma) => !isDecidida(uma)))
    it(`${verificacao.id} decides nothing until what it needs is at hand`, () => {
      const { id } = verificacao
      const { certo, errado } = parDe(verificacao)
      assert.equal(resultadoDe(checkNota(certo), id), 'indeterminado')
      assert.equal(resultadoDe(checkNota(errado), id), 'indeterminado')
      assert.equal(resultadoDe(checkNota(certo, circunstancias), id), 'ok')
      assert.equal(resultadoDe(checkNota(errado, circunstancias), id), 'falha')
    })
})
