import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Uf, ufs } from '../../src/documento/uf.ts'
import { type Ativacao, advise, autorizadores, type Doc } from '../../src/sefaz/rules.ts'
import { knownBy, svcQuestions } from '../../src/sefaz/rules-quadro.ts'

/** What an SVC last said: 107 open, 113 closing, 114 closed, nothing. */
type Dito = 107 | 113 | 114 | undefined

const estados = { 107: 'ativada', 113: 'encerrando', 114: 'desativada' } as const

const sabido = (fora: readonly string[], dito: Dito = undefined) => {
  const estado = dito && estados[dito]
  return { fora: new Set(fora), ativacaoDe: (): Ativacao | undefined => estado && { estado, em: 1 } }
}

const linhas: [doc: Doc, uf: Uf, fora: string[], dito: Dito, esperado: string][] = [
  ['nfe', 'SP', [], undefined, 'emitir SVC-AN Emita normalmente.'],
  ['nfce', 'SP', [], undefined, 'emitir - Emita normalmente.'],
  ['cte', 'SP', ['nfe-sp'], undefined, 'emitir SVC-RS Emita normalmente.'],
  // Its own SVC is out, and the state does not need it.
  ['nfe', 'PR', ['nfe-svrs'], undefined, 'emitir SVC-RS Emita normalmente.'],
  ['nfe', 'RJ', ['nfe-svrs'], 107, 'contingencia-svc SVC-AN Emita pela SVC-AN, que este estado ativou.'],
  ['nfe', 'PR', ['nfe-pr'], 107, 'contingencia-svc SVC-RS Emita pela SVC-RS, que este estado ativou.'],
  ['cte', 'RJ', ['cte-svrs'], 107, 'contingencia-svc SVC-SP Emita pela SVC-SP, que este estado ativou.'],
  ['cte', 'SP', ['cte-svsp'], 107, 'contingencia-svc SVC-RS Emita pela SVC-RS, que este estado ativou.'],
  [
    'nfe',
    'RJ',
    ['nfe-svrs'],
    113,
    'contingencia-svc SVC-AN A SVC-AN está ativada e será desativada em breve: confira antes de emitir por ela.',
  ],
  [
    'nfe',
    'RJ',
    ['nfe-svrs'],
    114,
    'esperar SVC-AN A contingência deste estado é a SVC-AN, que responde, mas o estado não a ativou: aguarde.',
  ],
  [
    'nfe',
    'RJ',
    ['nfe-svrs'],
    undefined,
    'esperar SVC-AN A contingência deste estado é a SVC-AN, que responde; ainda não se sabe se o estado a ativou.',
  ],
  [
    'nfe',
    'PR',
    ['nfe-pr', 'nfe-svrs'],
    107,
    'esperar SVC-RS A contingência deste estado é a SVC-RS, que também não responde: aguarde.',
  ],
  [
    'cte',
    'MT',
    ['cte-mt', 'cte-svrs'],
    undefined,
    'esperar SVC-RS A contingência deste estado é a SVC-RS, que também não responde: aguarde.',
  ],
  [
    'nfce',
    'RJ',
    ['nfce-svrs', 'nfe-svrs'],
    107,
    'contingencia-offline - Emita em contingência offline e transmita quando o autorizador voltar: a NFC-e não tem SVC.',
  ],
]

for (const [doc, uf, fora, dito, esperado] of linhas)
  test(`${doc} in ${uf}, out: ${fora.join(' and ') || 'nobody'}; the SVC says ${dito ?? 'nothing'}`, () => {
    const { acao, svc = '-', texto } = advise(doc, uf, sabido(fora, dito))
    assert.equal(`${acao} ${svc} ${texto}`, esperado)
  })

/** The three documents of a state when all of a data centre is out, and nobody has activated anything. */
const casas: [casa: string, uf: Uf, esperado: string][] = [
  ['AM', 'AM', 'esperar contingencia-offline emitir'],
  ['BA', 'BA', 'esperar emitir emitir'],
  ['GO', 'GO', 'esperar contingencia-offline emitir'],
  ['MG', 'MG', 'esperar contingencia-offline esperar'],
  ['MS', 'MS', 'esperar contingencia-offline esperar'],
  ['MT', 'MT', 'esperar contingencia-offline esperar'],
  ['PE', 'PE', 'esperar emitir emitir'],
  ['PR', 'PR', 'esperar contingencia-offline esperar'],
  ['RS', 'RS', 'esperar contingencia-offline esperar'],
  ['RS', 'RJ', 'esperar contingencia-offline esperar'],
  ['RS', 'MA', 'emitir contingencia-offline esperar'],
  ['RS', 'BA', 'emitir contingencia-offline esperar'],
  ['SP', 'SP', 'esperar contingencia-offline esperar'],
  ['SP', 'PE', 'emitir emitir esperar'],
  ['SERPRO', 'MA', 'esperar emitir emitir'],
]

for (const [casa, uf, esperado] of casas)
  test(`${uf} when all of ${casa} is out`, () => {
    const fora = autorizadores.filter((one) => one.casa === casa).map(({ id }) => id)
    const acoes = (['nfe', 'nfce', 'cte'] as const).map((doc) => advise(doc, uf, sabido(fora, 114)).acao)
    assert.equal(acoes.join(' '), esperado)
  })

test('while somebody is out, each SVC that answers is asked about one state a round, in turns', () => {
  const known = new Map<string, Ativacao>()
  const ativacaoDe = (doc: Doc, uf: Uf) => known.get(`${doc} ${uf}`)
  const fora = new Set(['nfe-svrs', 'nfce-svrs', 'cte-svrs', 'nfe-pr'])
  const asked = Array.from({ length: 40 }, (_, round) =>
    svcQuestions({ fora, ativacaoDe }).map(({ doc, uf, svc }) => {
      known.set(`${doc} ${uf}`, { estado: 'desativada', em: round })
      return `${doc} ${svc.nome} ${uf}`
    }),
  )
  // SVC-RS has the address of what is out, so nobody asks it about PR.
  assert.deepEqual(asked[0], ['nfe SVC-AN AC', 'cte SVC-SP AC'])
  const served = (id: string) => autorizadores.find((one) => one.id === id)?.ufs ?? []
  assert.deepEqual(
    asked.slice(0, 16).map(([nfe]) => nfe?.slice(-2)),
    served('nfe-svrs'),
  )
  assert.deepEqual(asked[16]?.[0], 'nfe SVC-AN AC')
  assert.deepEqual(
    asked.slice(0, 19).map(([, cte]) => cte?.slice(-2)),
    served('cte-svrs'),
  )
  assert.deepEqual(svcQuestions({ fora: new Set(), ativacaoDe }), [])
})

test('what an SVC said before the fall began is not known of it', () => {
  const queda = { autorizador: 'nfe-svrs', inicio: 100, fim: null, cStat: null, motivo: '' }
  const passada = { ...queda, autorizador: 'nfe-pr', fim: 200 }
  const abertos = [{ id: '1', casa: 'RS' as const, inicio: 0, fim: null, quedas: [passada, queda] }]
  const at = (em: number) => knownBy({ abertos, ativacaoDe: () => ({ estado: 'ativada', em }) })
  assert.deepEqual([...at(0).fora], ['nfe-svrs'])
  assert.equal(at(99).ativacaoDe('nfe', 'RJ'), undefined)
  assert.equal(at(100).ativacaoDe('nfe', 'RJ')?.estado, 'ativada')
  assert.ok(ufs.every((uf) => advise('nfce', uf, at(100)).acao === 'emitir'))
})
