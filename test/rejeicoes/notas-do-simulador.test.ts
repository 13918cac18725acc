import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cenarios } from '../../simulator/nfe/cenarios.ts'
import { writeInfNFe } from '../../simulator/nfe/inf-nfe.ts'
import { chaveDo, notaDe } from '../../simulator/nfe/nota.ts'
import { checkNota } from '../kit/rejeicoes.ts'

const AUTORIZADA = new Date('2026-11-21T12:34:56Z')
const AGORA = '2026-11-21T09:35:00-03:00'

/** What the checks find in the note of a scenario, and whether its recipient is a person. */
function conferirCenario(cenario: (typeof cenarios)[number]) {
  const nota = notaDe(chaveDo(cenario, AUTORIZADA))
  assert.ok(nota)
  return {
    pessoa: nota.destinatario.tipo === 'cpf',
    achados: checkNota(writeInfNFe(nota).arquivo, { agora: AGORA }),
  }
}

test('the checks refuse nothing in the notes of the simulator, to companies and to people', () => {
  const conferidos = cenarios.map((cenario) => ({ nome: cenario.nome, ...conferirCenario(cenario) }))
  assert.deepEqual(new Set(conferidos.map(({ pessoa }) => pessoa)), new Set([true, false]))
  for (const { nome, achados } of conferidos) {
    const falhas = achados.filter(({ resultado }) => resultado === 'falha')
    assert.deepEqual(
      falhas.map(({ id }) => `${nome}: ${id}`),
      [],
    )
    assert.ok(achados.filter(({ resultado }) => resultado === 'ok').length > 60)
  }
})
