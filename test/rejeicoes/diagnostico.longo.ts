import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnose } from '../../src/rejeicoes/diagnostico/diagnostico.ts'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import {
  AGORA,
  CATALOGO,
  faltasDe,
  makeMutantes,
  NA_EMISSAO,
  nomeia,
  notaDeItens,
  tipos,
} from '../kit/rejeicoes.ts'

const catalogo = CATALOGO

const MIB = 1024 * 1024

test('memory stays flat over 2,000 diagnoses of good, wrong and malformed notes', async (t) => {
  const boa = await notaDeItens(48)
  const notas = [
    boa,
    boa.replace(/<NCM>.*?<\/NCM>/g, ''),
    boa.replace('<vNF>', '<vNF>9'),
    boa.replace('</ide>', ''),
  ]
  const memorias: number[] = []
  for (let vez = 0; vez < 2_000; vez++) {
    const xml = notas[vez % notas.length] ?? boa
    const laudo = await diagnose({ xml, agora: AGORA, catalogo }, { owner: 'teste' })
    assert.equal(laudo.suspeitas.length === 0, xml === boa)
    if (vez % 200 === 199) memorias.push(process.memoryUsage.rss() / MIB)
  }
  t.diagnostic(`${memorias.map(Math.round).join(', ')} MB`)
  const [, primeira = 0] = memorias
  assert.ok((memorias.at(-1) ?? 0) < primeira + 30, memorias.map(Math.round).join(', '))
})

test('the diagnosis names the changed field in 95 % of 2,000 mutated notes', (t) => {
  const mutantes = makeMutantes(2_000, 16)
  assert.equal(mutantes.length, 2_000)
  const agora = NA_EMISSAO
  const faltas = mutantes.filter(
    (mutante) => !nomeia(makeLaudo({ xml: mutante.xml, agora, catalogo }).suspeitas, mutante),
  )
  for (const tipo of tipos)
    t.diagnostic(
      `${tipo}: ${faltas.filter((falta) => falta.tipo === tipo).length} of ${mutantes.filter((um) => um.tipo === tipo).length} missed`,
    )
  t.diagnostic(`missed: ${faltasDe(faltas)}`)
  assert.ok(faltas.length <= 100, `${faltas.length} of 2,000`)
})
