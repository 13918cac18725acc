import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { openDivergencias } from '../../src/rejeicoes/rejeicoes.ts'
import { CATALOGO, NA_EMISSAO, notaBase } from '../kit/rejeicoes.ts'

test('the operator is told which rules of ours contradict an authorization, and nothing of the note', () => {
  const lines: string[] = []
  const divergencias = openDivergencias(pino({ base: null }, { write: (line) => lines.push(line) }))
  const nota = notaBase('venda-interna').replace(/(<ICMSTot>.*?<vFrete>).*?</s, '$19.99<')
  const protocolo = `<protNFe versao="4.00"><infProt><chNFe>${/Id="NFe(\d+)/.exec(nota)?.[1]}</chNFe><dhRecbto>2026-11-10T10:20:00-03:00</dhRecbto><cStat>100</cStat></infProt></protNFe>`
  const autorizada = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${nota.replace(/^<\?xml[^>]*>\s*/, '')}${protocolo}</nfeProc>`
  for (const xml of [nota, autorizada])
    divergencias.note(makeLaudo({ xml, agora: NA_EMISSAO, catalogo: CATALOGO }))
  const [line, ...others] = lines
  assert.deepEqual(others, [])
  const { level, codigos, dia, ambiente, msg, time, ...rest } = JSON.parse(line ?? '{}')
  assert.deepEqual([level, codigos, dia, ambiente], [40, [535, 610], '2026-11-10', 'producao'])
  assert.equal(msg, 'rules of ours contradict an authorization')
  assert.deepEqual(rest, {})
})
