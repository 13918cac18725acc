import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import {
  CATALOGO,
  comOutroTotal,
  faltasDe,
  makeMutantes,
  NA_EMISSAO,
  nomeia,
  notas,
} from '../kit/rejeicoes.ts'

const catalogo = CATALOGO
const agora = NA_EMISSAO

const suspeitasDe = (xml: string) => makeLaudo({ xml, agora, catalogo }).suspeitas

test('the diagnosis names the changed field in 95 % of 100 mutated notes', (t) => {
  const mutantes = makeMutantes(100, 20261123)
  assert.equal(mutantes.length, 100)
  const faltas = mutantes.filter((mutante) => !nomeia(suspeitasDe(mutante.xml), mutante))
  t.diagnostic(`${100 - faltas.length} of 100; missed: ${faltasDe(faltas)}`)
  assert.ok(faltas.length <= 5, faltasDe(faltas))
})

test('it finds nothing in the notes that are not mutated', () => {
  assert.ok(notas.size >= 15)
  for (const [nome, xml] of notas) assert.deepEqual(suspeitasDe(xml), [], nome)
})

test('it finds nothing where a total is off by less than the tolerance of its rule', () => {
  let quantas = 0
  for (const [nome, xml] of notas) {
    const outra = comOutroTotal(xml, 40)
    if (!outra) continue
    quantas++
    assert.deepEqual(suspeitasDe(outra), [], nome)
    const demais = comOutroTotal(xml, 60)
    assert.ok(
      demais && suspeitasDe(demais).some(({ codigo }) => codigo === 610),
      `${nome}: off by more is found`,
    )
  }
  assert.ok(quantas >= 5, `${quantas} notes`)
})
