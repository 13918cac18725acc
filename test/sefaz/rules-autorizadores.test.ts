import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ufs } from '../../src/documento/uf.ts'
import { autorizadores, autorizadorOf, docs, svcOf } from '../../src/sefaz/rules.ts'
import { enderecos } from '../../src/sefaz/source-enderecos.ts'

/**
 * State, NF-e, its SVC, NFC-e, CT-e, its SVC: the table of the national portals as two public clients carry
 * it (read in November 2026).
 */
const TABELA = `
AC SVRS SVC-AN SVRS SVRS SVC-SP
AL SVRS SVC-AN SVRS SVRS SVC-SP
AM AM SVC-RS AM SVRS SVC-SP
AP SVRS SVC-AN SVRS SVSP SVC-RS
BA BA SVC-RS SVRS SVRS SVC-SP
CE SVRS SVC-AN SVRS SVRS SVC-SP
DF SVRS SVC-AN SVRS SVRS SVC-SP
ES SVRS SVC-AN SVRS SVRS SVC-SP
GO GO SVC-RS GO SVRS SVC-SP
MA SVAN SVC-RS SVRS SVRS SVC-SP
MG MG SVC-AN MG MG SVC-SP
MS MS SVC-RS MS MS SVC-RS
MT MT SVC-RS MT MT SVC-RS
PA SVRS SVC-AN SVRS SVRS SVC-SP
PB SVRS SVC-AN SVRS SVRS SVC-SP
PE PE SVC-RS SVRS SVSP SVC-RS
PI SVRS SVC-AN SVRS SVRS SVC-SP
PR PR SVC-RS PR PR SVC-SP
RJ SVRS SVC-AN SVRS SVRS SVC-SP
RN SVRS SVC-AN SVRS SVRS SVC-SP
RO SVRS SVC-AN SVRS SVRS SVC-SP
RR SVRS SVC-AN SVRS SVSP SVC-RS
RS RS SVC-AN RS SVRS SVC-SP
SC SVRS SVC-AN SVRS SVRS SVC-SP
SE SVRS SVC-AN SVRS SVRS SVC-SP
SP SP SVC-AN SP SVSP SVC-RS
TO SVRS SVC-AN SVRS SVRS SVC-SP`

test('each state has its authorizer and its contingency for each document', () => {
  const nome = (doc: (typeof docs)[number], uf: (typeof ufs)[number]) =>
    autorizadorOf(doc, uf).nome.replace('SEFAZ ', '')
  const linhas = ufs.map((uf) =>
    [
      uf,
      nome('nfe', uf),
      svcOf('nfe', uf)?.nome,
      nome('nfce', uf),
      nome('cte', uf),
      svcOf('cte', uf)?.nome,
    ].join(' '),
  )
  assert.deepEqual(linhas, TABELA.trim().split('\n'))
  for (const uf of ufs) assert.equal(svcOf('nfce', uf), undefined)
})

test('one probe for each physical endpoint: 12 for the NF-e, 9 for the NFC-e, 6 for the CT-e', () => {
  const counts = docs.map((doc) => autorizadores.filter((one) => one.doc === doc).length)
  assert.deepEqual(counts, [12, 9, 6])
  assert.deepEqual(Object.keys(enderecos).sort(), autorizadores.map(({ id }) => id).sort())
})
