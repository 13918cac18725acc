import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decidePasso, hasSobra, type PassoFederal, type SituacaoFederal } from '../../src/federal/rules.ts'
import { chamada, DECIDED_AT, emDias, emitidaHa, guardada, HORA_MS, haMinutos } from '../kit/federal.ts'

type Row = [regra: string, situacao: Partial<SituacaoFederal>, passo: PassoFederal]

const consulta: PassoFederal = { passo: 'entregar', modo: 'consulta' }
const emissao: PassoFederal = { passo: 'entregar', modo: 'emissao' }
const emitir: PassoFederal = { passo: 'emitir' }
const perguntar: PassoFederal = { passo: 'perguntar' }
const esperar: PassoFederal = { passo: 'esperar' }
const recusar: PassoFederal = { passo: 'recusar' }
const nova = { emitirNova: true }
const soContrato = { issuesNova: false }

const linhas: Readonly<Record<string, Row[]>> = {
  'a valid certificate exists that is valid for more than 3 more days': [
    ['with 180 days left it is returned, and nothing is issued', { guardada: guardada(180) }, consulta],
    ['on the fourth day before its last it is still returned', { guardada: guardada(4) }, consulta],
    ['it is returned though an issuance runs', { guardada: guardada(180), emCurso: true }, consulta],
    [
      'it is returned though a new one was refused just now',
      { guardada: guardada(180), recusadaEm: haMinutos(1) },
      consulta,
    ],
    ['it is returned where no route can issue', { guardada: guardada(180), ...soContrato }, consulta],
    ['it is returned though the clock was set back by months', { guardada: guardada(400) }, consulta],
  ],
  'no certificate exists, or the existing one expires within 3 days': [
    ['with none the authority is asked, and issues one', {}, perguntar],
    ['the same where the contract is the only route', soContrato, perguntar],
    ['with 3 days left the authority is asked for a newer one', { guardada: guardada(3) }, perguntar],
    [
      'with 3 days left, as the authority just said, a new one is issued',
      { guardada: guardada(3, { conferidaEm: haMinutos(5) }) },
      emitir,
    ],
    ['on its last day a new one is issued', { guardada: guardada(0, { conferidaEm: haMinutos(5) }) }, emitir],
    ['an expired one counts as none', { guardada: guardada(-1, { conferidaEm: haMinutos(5) }) }, perguntar],
    [
      'an expired one counts as none where it was announced and never delivered',
      { guardada: guardada(-1, { emissao: { fim: haMinutos(1), anunciada: true } }) },
      perguntar,
    ],
    ['a date that is none counts as none', { guardada: { ...guardada(9), validade: '' } }, perguntar],
    [
      'what was just issued is delivered though it ends soon, for a new one would be the same',
      { guardada: guardada(2, { emissao: { fim: haMinutos(1), anunciada: false } }) },
      emissao,
    ],
    [
      'with 3 days left and no route that can issue, the call fails and tells the last day',
      { ...soContrato, guardada: guardada(3, { conferidaEm: haMinutos(60) }) },
      { passo: 'sem-rota', validade: emDias(3) },
    ],
    [
      'an hour later the contract is asked again, for the firm may have issued a newer one itself',
      { ...soContrato, guardada: guardada(3, { conferidaEm: haMinutos(60.01) }) },
      perguntar,
    ],
  ],
  'emitir_nova = true': [
    ['a new one is issued, though a valid one exists', { ...nova, guardada: guardada(180) }, emitir],
    ['a new one is issued where there is none', nova, emitir],
    [
      'another one the same day: the authority may return the same control code',
      { ...nova, guardada: emitidaHa(16) },
      emitir,
    ],
    [
      'where no route can issue while one is valid, the call fails and tells its last day',
      { ...nova, ...soContrato, guardada: guardada(180) },
      { passo: 'sem-rota', validade: emDias(180) },
    ],
    ['where the contract may issue the first one, it is asked', { ...nova, ...soContrato }, perguntar],
    [
      'after an expired one too',
      { ...nova, ...soContrato, guardada: guardada(-1, { conferidaEm: haMinutos(5) }) },
      perguntar,
    ],
  ],
  'repeated calls with emitir_nova=true within 15 minutes': [
    ['right after the end they get the same issuance', { ...nova, guardada: emitidaHa(0) }, emissao],
    ['after 15 minutes they still do, whoever asked', { ...nova, guardada: emitidaHa(15) }, emissao],
    ['then a new one is issued', { ...nova, guardada: emitidaHa(15.01) }, emitir],
    ['they get it though another issuance runs', { ...nova, guardada: emitidaHa(5), emCurso: true }, emissao],
    ['they wait for the end of one that runs', { ...nova, guardada: guardada(180), emCurso: true }, esperar],
    ['a clock set back by an hour keeps the issuance', { ...nova, guardada: emitidaHa(-60) }, emissao],
    [
      'a time stamp a day ahead is wrong, and holds nobody up',
      { ...nova, guardada: emitidaHa(-1440) },
      emitir,
    ],
    [
      'they get it where no route can issue another',
      { ...nova, ...soContrato, guardada: emitidaHa(5) },
      emissao,
    ],
  ],
  modo: [
    ['is emissao for 15 minutes after an issuance, whoever asks', { guardada: emitidaHa(15) }, emissao],
    ['is consulta then', { guardada: emitidaHa(15.01) }, consulta],
    [
      'is emissao for what EM_PROCESSAMENTO announced and nobody got, days later too',
      { guardada: guardada(120, { emissao: { fim: haMinutos(60 * 24 * 60), anunciada: true } }) },
      emissao,
    ],
  ],
  'issuance does not finish within about 60 seconds': [
    ['a later call waits for it and starts no other', { emCurso: true }, esperar],
    ['so does one with emitir_nova', { ...nova, emCurso: true }, esperar],
    ['so does one whose certificate ends soon', { guardada: guardada(3), emCurso: true }, esperar],
    ['a later call gets it', { guardada: emitidaHa(120, { anunciada: true }) }, emissao],
    [
      'a later call with emitir_nova gets it, and starts no other',
      { ...nova, guardada: emitidaHa(60 * 24, { anunciada: true }) },
      emissao,
    ],
    [
      'after a day a call with emitir_nova starts another',
      { ...nova, guardada: emitidaHa(60 * 24 + 1, { anunciada: true }) },
      emitir,
    ],
  ],
  'a refusal': [
    ['is the answer for an hour', { recusadaEm: haMinutos(60) }, recusar],
    ['is asked again then', { recusadaEm: haMinutos(60.01) }, perguntar],
    ['answers emitir_nova too, so that a loop bills nobody', { ...nova, recusadaEm: haMinutos(1) }, recusar],
    ['answers where the certificate ends soon', { guardada: guardada(1), recusadaEm: haMinutos(1) }, recusar],
    ['yields to a question that runs', { recusadaEm: haMinutos(1), emCurso: true }, esperar],
    [
      'yields to what was issued just now',
      { ...nova, guardada: emitidaHa(5), recusadaEm: haMinutos(1) },
      emissao,
    ],
    ['a day ahead of the clock is wrong, and holds nobody up', { recusadaEm: haMinutos(-1440) }, perguntar],
  ],
}

for (const [regra, casos] of Object.entries(linhas))
  describe(regra, () => {
    for (const [nome, situacao, passo] of casos)
      test(nome, () => assert.deepEqual(decidePasso(chamada(situacao)), passo))
  })

describe('days are counted in Brasília', () => {
  const midnight = new Date('2026-11-21T03:00:00Z')

  test('the fourth day before the last ends at midnight there, not in UTC', () => {
    assert.equal(hasSobra('2026-11-24', DECIDED_AT), true)
    assert.equal(hasSobra('2026-11-24', new Date(midnight.getTime() - 1)), true)
    assert.equal(hasSobra('2026-11-24', midnight), false)
  })

  test('a certificate is valid to the end of its last day', () => {
    const last = chamada({ guardada: emitidaHa(0), agora: new Date(midnight.getTime() - 1) })
    const situacao = { ...last, guardada: { ...emitidaHa(0), validade: '2026-11-20', emissao: undefined } }
    assert.equal(decidePasso({ ...situacao, issuesNova: false }).passo, 'perguntar')
    const kept = { ...situacao.guardada, conferidaEm: new Date(midnight.getTime() - HORA_MS) }
    assert.deepEqual(decidePasso({ ...situacao, guardada: kept }), emitir)
    assert.deepEqual(decidePasso({ ...situacao, guardada: kept, agora: midnight }), perguntar)
  })
})
