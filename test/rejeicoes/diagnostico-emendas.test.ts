import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readArvore } from '../../src/rejeicoes/arvore.ts'
import { applyEmendas } from '../../src/rejeicoes/diagnostico/emendas.ts'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import type { Laudo } from '../../src/rejeicoes/rules-laudo.ts'
import { vezes } from '../kit/basics.ts'
import {
  AGORA,
  CATALOGO,
  comAssinatura,
  makeMutantes,
  NA_EMISSAO,
  notaAssinada,
  notaBase,
} from '../kit/rejeicoes.ts'

const catalogo = CATALOGO
const agora = NA_EMISSAO
const laudoDe = (xml: string): Laudo => makeLaudo({ xml, agora, catalogo })

const base = (): string => notaBase('venda-interna').replace(/>\s+</g, '><')

/** The note with all its mends. */
function emendar(xml: string, { emendas }: Laudo): string {
  const [nfe] = readArvore(xml).filhos
  assert.ok(nfe)
  return applyEmendas(xml, nfe, emendas)
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
  [
    'the order of three fields that follow each other',
    (xml) =>
      xml.replace(
        /(<cUF>.*?<\/cUF>)(<cNF>.*?<\/cNF>)(<natOp>.*?<\/natOp>)(<mod>.*<verProc>.*?<\/verProc>)/s,
        '$4$2$3$1',
      ),
  ],
  [
    'the blanks in a field that is out of order',
    (xml) => xml.replace(/<natOp>(.*?)<\/natOp>(.*<\/verProc>)/s, '$2<natOp> \n$1</natOp>'),
  ],
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

/** Whether the second diagnosis has nothing wrong that the first had not, and less in all. */
function assertMelhor(depois: Laudo, antes: Laudo, qual: string): void {
  const caminhos = antes.esquema.erros.map(({ caminho }) => caminho)
  assert.deepEqual(
    depois.esquema.erros.filter(({ caminho }) => !caminhos.includes(caminho)),
    [],
    qual,
  )
  assert.deepEqual(
    falhasDe(depois).filter((id) => !falhasDe(antes).includes(id)),
    [],
    qual,
  )
  assert.ok(
    depois.esquema.erros.length + falhasDe(depois).length <
      antes.esquema.erros.length + falhasDe(antes).length,
    qual,
  )
}

test('mends leave no note worse: no new error of the schema and no new failure', () => {
  const mutantes = makeMutantes(vezes(120), 7)
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
      assertMelhor(laudoDe(emendar(ruim, antes)), antes, `${um} ${outro}`)
    }),
    { seed: 20261123, numRuns: vezes(150) },
  )
  assert.ok(emendadas >= vezes(20), `${emendadas} notes had a mend`)
})

test('the corrected XML of every mutant is no worse than it: unsigned, and with all mends', () => {
  let corrigidos = 0
  for (const { xml, nota, tipo, caminho } of makeMutantes(vezes(300), 27)) {
    const assinado = comAssinatura(xml)
    const antes = laudoDe(assinado)
    assert.equal(antes.corrigido !== null, antes.emendas.length > 0)
    if (!antes.corrigido) continue
    corrigidos++
    const { xml: texto, chave, mudancas, falta } = antes.corrigido
    const depois = laudoDe(texto)
    assertMelhor(depois, antes, `${nota} ${tipo} ${caminho}`)
    assert.equal(texto, emendar(assinado, antes).replace(/<Signature.*<\/Signature>/s, ''))
    assert.equal(depois.assinatura.situacao, 'ausente')
    assert.deepEqual(depois.emendas, [])
    assert.equal(chave, depois.chave)
    assert.equal(mudancas.length, antes.emendas.length + 1)
    // What is left is what a diagnosis of the corrected file says, then to sign, then to transmit.
    const deles = falta.filter((uma) => /^(?:Corrija|Confira, porque)/.test(uma))
    assert.deepEqual(
      deles.map((uma) => Number(/a rejeição (\d+)/.exec(uma)?.[1])),
      depois.suspeitas.map(({ codigo }) => codigo),
    )
    assert.deepEqual(falta.slice(-2), [
      'Assine o XML com o certificado digital do emitente.',
      'Transmita a nota assinada à SEFAZ.',
    ])
  }
  assert.ok(corrigidos >= vezes(60), `${corrigidos} notes were corrected`)
})

test('the corrected XML is the client’s byte for byte but for what is changed', () => {
  const inteira = notaBase('venda-interna')
  const cliente = inteira
    .replace(/^<\?xml[^>]*\?>/, "<?xml version='1.0' encoding='ISO-8859-1'?><!-- do ERP > 2 -->")
    .replace(/<natOp>[^<]*/, '<natOp><![CDATA[Venda & entrega]]>')
    .replace(/(<xFant>|<xNome>)[^<]*/, '$1A&#199;A&#205; &amp; CIA &quot;2&quot;')
    .replaceAll('\n', '\r\n')
    .replace(' versao="4.00"', "\n  versao='4.00'\t")
  const ruim = cliente
    .replace(/<vNF>[^<]*/, '<vNF>9999.99')
    .replace('<natOp><![', '<natOp>\t <![')
    .replace(/(<infNFe[^>]*>)/, '$1<!-- <vNF>0</vNF> -->')
  const { corrigido, emendas } = laudoDe(ruim)
  assert.equal(emendas.length, 2)
  assert.equal(
    corrigido?.xml,
    cliente.replace(/(<infNFe[^>]*>)/, '$1<!-- <vNF>0</vNF> -->').replace("'ISO-8859-1'", "'UTF-8'"),
  )
  assert.match(
    corrigido.mudancas.join('\n'),
    /Valor total da nota \(total\/ICMSTot\/vNF\): de “9999\.99” para “\d+\.00” \(rejeição 610\)/,
  )
  assert.match(corrigido.mudancas.join('\n'), /declaração do XML diz agora UTF-8/)
})

test('what surrounds the note is taken off with its signature, and both are told', async () => {
  const proc = await notaAssinada()
  const recusada = proc.replace(/(<infProt.*<cStat>)100/s, '$1610').replace('<vNF>', '<vNF>9')
  const { corrigido } = makeLaudo({ xml: recusada, agora: AGORA, catalogo })
  assert.ok(corrigido)
  const nfe = /<NFe .*<\/NFe>/s.exec(proc)?.[0].replace(/<Signature.*<\/Signature>/s, '')
  assert.equal(corrigido.xml, nfe)
  assert.match(
    corrigido.mudancas.join(' '),
    /assinatura \(Signature\) foi retirada.*envelope nfeProc foi retirado/,
  )
  // Nobody may send again what is authorised.
  const autorizada = makeLaudo({ xml: proc.replace('<vNF>', '<vNF>9'), agora: AGORA, catalogo })
  assert.equal(autorizada.corrigido, null)
  // A batch gives its namespace to the note.
  const xmlns = ' xmlns="http://www.portalfiscal.inf.br/nfe"'
  const lote = `<enviNFe${xmlns} versao="4.00"><idLote>1</idLote><indSinc>1</indSinc>${nfe?.replace(xmlns, '').replace('<vNF>', '<vNF>9')}</enviNFe>`
  const doLote = makeLaudo({ xml: lote, agora: AGORA, catalogo }).corrigido
  assert.equal(doLote?.xml, nfe)
})

test('what no mend covers is left to do: by hand, the answer that nothing confirms, and a QR Code', () => {
  const ruim = base()
    .replace('<vNF>', '<vNF>1')
    .replace(/(<dest><CNPJ>\d{13})\d/, '$19')
  const { corrigido, suspeitas } = makeLaudo({ xml: ruim, agora, catalogo, cstat: 539 })
  assert.ok(corrigido && suspeitas.length === 3)
  const [aMao, respondida, ...resto] = corrigido.falta
  assert.match(aMao ?? '', /^(?:Corrija à mão|Confira, porque a UF pode aplicá-la,) a rejeição \d+ \(/)
  assert.match(respondida ?? '', /^Resolva a rejeição 539 \(.*, que a SEFAZ respondeu/)
  assert.equal(resto.length, 2)
  const comQuebras = laudoDe(ruim.replace('><ide>', '>\n<ide>')).corrigido
  assert.match(comQuebras?.xml ?? '', />\n<ide>/)
  assert.match(comQuebras?.falta.at(-3) ?? '', /^Retire os espaços e as quebras de linha .*588/)
  const nfce = notaBase('nfce').replace(/>\s+</g, '><')
  const outraChave = nfce.replace(/(Id="NFe\d{30})(\d)/, (_, antes, d) => `${antes}${(Number(d) + 1) % 10}`)
  const daNfce = laudoDe(outraChave).corrigido
  assert.match(daNfce?.falta.join(' ') ?? '', /Gere de novo o QR Code/)
  assert.equal(makeLaudo({ xml: ruim, agora, catalogo, semCorrigido: true }).corrigido, null)
})
