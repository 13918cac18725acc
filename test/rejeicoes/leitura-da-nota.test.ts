import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XmlDocument } from 'libxml2-wasm'
import { readArvore } from '../../src/rejeicoes/arvore.ts'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { canonize, canonizePartes } from '../../src/rejeicoes/nota.ts'
import { parseDecimal } from '../../src/rejeicoes/verificacoes/valores.ts'
import { CATALOGO, NA_EMISSAO, notaAssinada, notaBase } from '../kit/rejeicoes.ts'

/** What may stand between two tags of a note, canonical or not. */
const pedacos = [
  ...['D"ÁGUA \' x', '&amp;&lt;&gt;', '&quot;', '&#65;', '&#xD;', '\r\n', '\n', 'a>b'],
  ...['<!-- a -->', '<![CDATA[x]]>', '<x/>', '<x></x>', '<x ></x>', '<x></x >', '<x a="1" b="2"></x>'],
  ...['<x b="1" a="2"></x>', "<x a='1'></x>", '<x a="1"  b="2"></x>', '<x a="&gt;"></x>', '<x a=">"></x>'],
  ...['<x a="\n"></x>', '<x xmlns="u:v"></x>', '<NFe xmlns="http://www.portalfiscal.inf.br/nfe"></NFe>'],
]

test('the canonical form of a note is that of the standard, however the note is written', async () => {
  const boa = await notaAssinada()
  const nota = boa.slice(boa.indexOf('<NFe'), boa.indexOf('</NFe>') + 6)
  for (const pedaco of ['', ...pedacos])
    for (const antes of ['<ide>', '<CanonicalizationMethod']) {
      const xml = nota.replace(antes, () => pedaco + antes)
      using documento = XmlDocument.fromString(xml)
      assert.deepEqual(canonize(documento, xml), canonizePartes(documento), JSON.stringify(pedaco))
    }
})

test('the tree of a note has the texts, attributes and places of its XML', () => {
  const xml = `<?xml version="1.0"?><?a <b>?><!-- <c> --><r i='1>"2'\n j = "&lt;&#128;"><x>a&amp;<![CDATA[<&amp;]]>b</x >\n<p:y/></r >`
  const [r] = readArvore(xml).filhos
  assert.ok(r)
  assert.deepEqual({ ...r.atributos }, { i: '1>"2', j: '<\u0080' })
  assert.equal(xml.slice(r.inicio, r.fim), xml.slice(xml.indexOf('<r')))
  assert.deepEqual(
    r.filhos.map(({ nome, prefixo, texto, inicio, fim }) => [nome, prefixo, texto, xml.slice(inicio, fim)]),
    [
      ['x', '', 'a&<&amp;b', '<x>a&amp;<![CDATA[<&amp;]]>b</x >'],
      ['y', 'p', '', '<p:y/>'],
    ],
  )
})

test('a text behind a tag that ends with a blank is no attribute of it', () => {
  const xml = '<r><x >a="b"</x><y ><z i="1" /></y ></r>'
  const [r] = readArvore(xml).filhos
  const [x, y] = r?.filhos ?? []
  assert.deepEqual({ ...x?.atributos }, {})
  assert.equal(x?.texto, 'a="b"')
  assert.deepEqual({ ...y?.filhos[0]?.atributos }, { i: '1' })
  const nota = notaBase('venda-interna').replace(/<natOp>.*?</, '<natOp >TIPO="B"<')
  const { esquema, suspeitas } = makeLaudo({ xml: nota, agora: NA_EMISSAO, catalogo: CATALOGO })
  assert.deepEqual([esquema.valido, suspeitas], [true, []])
})

test('a protocol within a note of another declared encoding is read as the text that it is', () => {
  const nota = notaBase('venda-interna').replace(/^<\?xml[^>]*>/, '')
  const chave = /Id="NFe(\d+)/.exec(nota)?.[1]
  const protocolo = `<protNFe><infProt><chNFe>${chave}</chNFe><dhRecbto>2026-11-10T10:20:00-03:00</dhRecbto><digVal>AAAA</digVal><cStat>100</cStat></infProt></protNFe>`
  for (const codificacao of ['UTF-16', 'X-NONE', 'ISO-8859-1']) {
    const xml = `<?xml version="1.0" encoding="${codificacao}"?>${nota.replace('</NFe>', `${protocolo}</NFe>`)}`
    const { suspeitas } = makeLaudo({ xml, agora: NA_EMISSAO, catalogo: CATALOGO })
    assert.equal(suspeitas[0]?.codigo, 402, codificacao)
  }
})

test('a protocol of a day that does not exist decides no day, and authorises nothing', () => {
  const nota = notaBase('venda-interna').replace(/^<\?xml[^>]*>/, '')
  const chave = /Id="NFe(\d+)/.exec(nota)?.[1]
  for (const quando of ['2026-02-31T10:00:00-03:00', '0000-01-01T00:00:00+14:00', '2026-11-10T24:00:01Z']) {
    const protocolo = `<protNFe><infProt><chNFe>${chave}</chNFe><dhRecbto>${quando}</dhRecbto><cStat>100</cStat></infProt></protNFe>`
    const xml = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe">${nota}${protocolo}</nfeProc>`
    const { regras } = makeLaudo({ xml, agora: NA_EMISSAO, catalogo: CATALOGO })
    assert.deepEqual([regras.dia, regras.base, regras.autorizada], ['2026-11-10', 'emissao', false], quando)
  }
})

test('the day of an authorization is told as it was in Brasília, by whose rules the note is judged', () => {
  const nota = notaBase('venda-interna').replace(/^<\?xml[^>]*>/, '')
  const protocolo = `<protNFe><infProt><chNFe>${/Id="NFe(\d+)/.exec(nota)?.[1]}</chNFe><dhRecbto>2026-11-11T01:00:00Z</dhRecbto><cStat>100</cStat></infProt></protNFe>`
  const xml = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe">${nota}${protocolo}</nfeProc>`
  const { regras, avisos } = makeLaudo({ xml, agora: NA_EMISSAO, catalogo: CATALOGO })
  assert.equal(regras.dia, '2026-11-10')
  assert.ok(avisos.some((aviso) => aviso.includes('protocolo de 10/11/2026')))
})

test('a decimal is read exactly to the tenth place, short or long', () => {
  const lidos: [string, bigint | undefined][] = [
    ['0', 0n],
    ['-1.5', -15_000_000_000n],
    ['99999.9999999999', 999_999_999_999_999n],
    ['999999999999.99', 9_999_999_999_999_900_000_000n],
    ['9999999999999.99', 99_999_999_999_999_900_000_000n],
    ['0.00000000001', undefined],
    ...['', '-', '.', '1.', '.1', '1..2', '1,5', ' 1', '1e3', '--1'].map((texto): [string, undefined] => [
      texto,
      undefined,
    ]),
  ]
  for (const [texto, valor] of lidos) assert.equal(parseDecimal(texto), valor, texto)
})
