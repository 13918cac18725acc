import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeituraSefaz } from '../../src/sefaz/rules.ts'
import { type ChamadasProprias, checkPalavra } from '../../src/sefaz/rules.ts'

const normal: LeituraSefaz = {
  autorizador: 'nfe-sp',
  em: 0,
  resultado: 'resposta',
  conexaoMs: null,
  tlsMs: null,
  respostaMs: 300,
  cStat: 107,
  motivo: '',
  desmentida: null,
}

const falha = (tipo: ChamadasProprias['falhas'][number]['tipo'], codigo: string): ChamadasProprias => ({
  boas: 3,
  falhas: [{ tipo, codigo }],
})

const linhas: [nome: string, chamadas: ChamadasProprias | undefined, esperada: boolean | null][] = [
  ['nobody called', undefined, null],
  ['all calls were answered', { boas: 3, falhas: [] }, false],
  ['a call was not answered in time', falha('timeout', ''), true],
  ['a call found no connection', falha('network', 'ECONNREFUSED'), true],
  ['a call met HTTP 503', falha('http', 'HTTP 503'), true],
  ['a call was told that the service is paused', falha('http', 'cStat 108'), true],
  ['a call was told that the service stands still', falha('http', 'cStat 109'), true],
  ['a call was told of an error without a number', falha('http', 'cStat 999'), true],
  ['a call found no such page', falha('http', 'HTTP 404'), false],
  ['TLS refused our certificate', falha('network', 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED'), false],
  ['a call was told that we ask too often', falha('blocked', 'cStat 656'), false],
  ['a call was refused as we put it', falha('http', 'cStat 215'), false],
  ['a firewall turned us away', falha('blocked', 'HTTP 403'), false],
  ['an answer was not understood', falha('parse', ''), false],
  [
    'the only call failed for a reason of ours',
    { boas: 0, falhas: [{ tipo: 'blocked', codigo: 'HTTP 403' }] },
    null,
  ],
]

for (const [nome, chamadas, esperada] of linhas)
  test(`an authority that says normal, while ${nome}`, () => {
    assert.equal(checkPalavra(normal, chamadas).desmentida, esperada)
  })

test('an authority that says that it is down is not contradicted', () => {
  const paused = { ...normal, resultado: 'erro', cStat: 108 } as const
  assert.equal(checkPalavra(paused, falha('timeout', '')).desmentida, null)
})
