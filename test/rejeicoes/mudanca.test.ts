import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChaveComDigito } from '../../src/documento/chave.ts'
import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'

const nota = `<?xml version="1.0"?>
<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe1" versao="4.00">
  <ide><cUF>35</cUF><cNF>10203040</cNF><mod>55</mod><serie>1</serie><nNF>7</nNF><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpEmis>1</tpEmis><cDV>0</cDV></ide>
  <emit><CNPJ>11222333000181</CNPJ><IE/></emit>
  <det nItem="1"><prod><xProd>A &amp; B</xProd></prod></det>
  <det nItem="2"><prod><xProd>C</xProd></prod></det>
</infNFe></NFe>`

const casos: { nome: string; mudanca: Mudanca; de: string; para: string }[] = [
  {
    nome: 'the text of a field',
    mudanca: { campo: 'ide/nNF', valor: '8' },
    de: '<nNF>7</nNF>',
    para: '<nNF>8</nNF>',
  },
  {
    nome: 'a field that is empty',
    mudanca: { campo: 'emit/IE', valor: '1 < 2' },
    de: '<IE/>',
    para: '<IE>1 &lt; 2</IE>',
  },
  {
    nome: 'the field of one item',
    mudanca: { campo: 'det[2]/prod/xProd', valor: 'D' },
    de: '<xProd>C</xProd>',
    para: '<xProd>D</xProd>',
  },
  {
    nome: 'an attribute',
    mudanca: { campo: 'det[2]/@nItem', valor: '3' },
    de: '<det nItem="2">',
    para: '<det nItem="3">',
  },
  {
    nome: 'an attribute of infNFe',
    mudanca: { campo: '@versao', valor: null },
    de: ' versao="4.00"',
    para: '',
  },
  {
    nome: 'a group, taken out with its line',
    mudanca: { campo: 'det[1]', valor: null },
    de: '\n  <det nItem="1"><prod><xProd>A &amp; B</xProd></prod></det>',
    para: '',
  },
  {
    nome: 'new XML before a field',
    mudanca: { campo: 'ide/mod', xml: '<x/>', onde: 'antes' },
    de: '<mod>',
    para: '<x/><mod>',
  },
  {
    nome: 'new XML after a field',
    mudanca: { campo: 'ide/mod', xml: '<x/>', onde: 'depois' },
    de: '</mod>',
    para: '</mod><x/>',
  },
  {
    nome: 'new XML inside an empty field',
    mudanca: { campo: 'emit/IE', xml: '<x/>', onde: 'dentro' },
    de: '<IE/>',
    para: '<IE><x/></IE>',
  },
  {
    nome: 'new XML at the end of a group',
    mudanca: { campo: 'emit', xml: '<CRT>3</CRT>', onde: 'dentro' },
    de: '<IE/></emit>',
    para: '<IE/><CRT>3</CRT></emit>',
  },
]

for (const { nome, mudanca, de, para } of casos)
  test(`a change of ${nome} leaves the rest of the note as it is`, () => {
    assert.equal(nota.split(de).length, 2)
    assert.equal(aplicarMudancas(nota, [mudanca]), nota.replace(de, para))
  })

test('a change without a position is made at every such place', () => {
  const mudada = aplicarMudancas(nota, [{ campo: 'det/prod/xProd', valor: 'E' }])
  assert.equal(mudada.split('<xProd>E</xProd>').length, 3)
})

test('the key is made anew from the fields', () => {
  const mudada = aplicarMudancas(nota, [{ campo: 'ide/nNF', valor: '9' }, { recalcular: 'chave' }])
  const [, chave = ''] = /Id="NFe(\d+)"/.exec(mudada) ?? []
  assert.equal(chave.slice(0, 43), '3526111122233300018155001000000009110203040')
  assert.ok(isChaveComDigito(chave))
  assert.match(mudada, new RegExp(`<cDV>${chave.at(-1)}</cDV>`))
})

test('a change of a place that the note does not have is an error', () => {
  assert.throws(() => aplicarMudancas(nota, [{ campo: 'ide/nada', valor: '1' }]), /ide\/nada/)
})
