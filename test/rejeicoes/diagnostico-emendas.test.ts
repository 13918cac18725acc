import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aplicarEmendas } from '../../src/catalogo/diagnostico/emendas/aplicar.ts'
import { laudar } from '../../src/catalogo/diagnostico/laudar.ts'
import { lerArvore } from '../../src/catalogo/diagnostico/nota/arvore.ts'
import type { Laudo } from '../../src/domain/rejeicoes/laudo.ts'
import { criarMutantes } from './mutantes.ts'
import { CATALOGO, NA_EMISSAO, notaBase } from './notas.ts'

const catalogo = CATALOGO
const agora = NA_EMISSAO
const laudoDe = (xml: string): Laudo => laudar({ xml, agora, catalogo })

const base = (): string => notaBase('venda-interna').replace(/>\s+</g, '><')

/** The note with all its mends. */
function emendar(xml: string, { emendas }: Laudo): string {
  const [nfe] = lerArvore(xml).filhos
  assert.ok(nfe)
  return aplicarEmendas(xml, nfe, emendas)
}

const falhasDe = ({ verificacoes }: Laudo): string[] =>
  verificacoes.flatMap(({ id, resultado }) => (resultado === 'falha' ? [id] : []))

const mends: [string, (xml: string) => string][] = [
  ['a total', (xml) => xml.replace('<vNF>', '<vNF>1')],
  ['a total that another one is made of', (xml) => xml.replace(/(<ICMSTot>.*<vProd>)/s, '$11')],
  ['the check digit', (xml) => xml.replace(/<cDV>(\d)/, (_, dv) => `<cDV>${(Number(dv) + 1) % 10}`)],
  [
    'the key',
    (xml) => xml.replace(/(Id="NFe\d{30})(\d)/, (_, antes, d) => `${antes}${(Number(d) + 1) % 10}`),
  ],
  ['the order', (xml) => xml.replace(/(<tpNF>.*?)(<idDest>.*?<\/idDest>)/s, '$2$1')],
  ['the order of groups', (xml) => xml.replace(/(<transp>.*<\/transp>)(.*)(<\/infNFe>)/s, '$2$1$3')],
  ['the blanks', (xml) => xml.replace('<natOp>', '<natOp> \n').replace('<xNome>', '<xNome> ')],
]

for (const [o_que, estragar] of mends)
  test(`${o_que} that is wrong has a mend, and the mended note is good`, () => {
    const ruim = estragar(base())
    assert.notEqual(ruim, base())
    const laudo = laudoDe(ruim)
    assert.ok(laudo.suspeitas.length > 0 && laudo.emendas.length > 0)
    for (const { motivo, de, acao } of laudo.emendas)
      assert.ok(motivo.endsWith('.') && (acao !== 'trocar' || de !== null))
    const depois = laudoDe(emendar(ruim, laudo))
    assert.deepEqual(depois.suspeitas, [])
    assert.deepEqual(depois.emendas, [])
  })

test('several mends are applied together', () => {
  const ruim = mends
    .filter(([o_que]) => o_que !== 'a total')
    .reduce((xml, [, estragar]) => estragar(xml), base())
  const laudo = laudoDe(ruim)
  assert.deepEqual(laudoDe(emendar(ruim, laudo)).suspeitas, [])
})

test('a total is not mended while an item is in doubt, nor where that breaks another rule', () => {
  const semItem = base()
    .replace(/<NCM>.*?</, '<NCM>1<')
    .replace('<vNF>', '<vNF>1')
  assert.deepEqual(laudoDe(semItem).emendas, [])
  // The freight is in the total alone: who is wrong is not known.
  const frete = base().replace(/<det .*<\/det>/s, (itens) => itens.replace(/<vFrete>.*?<\/vFrete>/g, ''))
  assert.deepEqual(laudoDe(frete).emendas, [])
})

test('mends leave no note worse: no new error of the schema and no new failure', () => {
  const mutantes = criarMutantes(120, 7)
  let emendadas = 0
  fc.assert(
    fc.property(fc.nat({ max: mutantes.length - 1 }), fc.nat({ max: mutantes.length - 1 }), (um, outro) => {
      const xml = mutantes[um]?.xml ?? ''
      // Two changes at once, where the second is one of the key or a total.
      const vNF = /<vNF>[^<]*<\/vNF>/.exec(mutantes[outro]?.xml ?? '')?.[0]
      const ruim = vNF ? xml.replace(/<vNF>[^<]*<\/vNF>/, vNF) : xml
      const antes = laudoDe(ruim)
      if (antes.emendas.length === 0) return
      emendadas++
      const depois = laudoDe(emendar(ruim, antes))
      const caminhos = antes.esquema.erros.map(({ caminho }) => caminho)
      assert.deepEqual(
        depois.esquema.erros.filter(({ caminho }) => !caminhos.includes(caminho)),
        [],
      )
      assert.deepEqual(
        falhasDe(depois).filter((id) => !falhasDe(antes).includes(id)),
        [],
      )
      assert.ok(
        depois.esquema.erros.length + falhasDe(depois).length <
          antes.esquema.erros.length + falhasDe(antes).length,
      )
    }),
    { seed: 20261123, numRuns: 150 },
  )
  assert.ok(emendadas >= 20, `${emendadas} notes had a mend`)
})
