import assert from 'node:assert/strict'
import { createHash, verify, X509Certificate } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { SignedXml } from 'xml-crypto'
import { cenarios, comCenario } from '../../simulator/nfe/cenarios.ts'
import type { Nota } from '../../simulator/nfe/nota.ts'
import { chaveDo, createLivroDeEventos, dvDaChave, notaDe, readChave } from '../../simulator/nfe/nota.ts'
import { createEscrivao, writeResumo } from '../../simulator/nfe/proc.ts'
import { createCadeia, NOSSOS_NOMES } from '../../simulator/platform/icp/cadeia.ts'
import { readTitular } from '../../simulator/platform/icp/catalogo.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import { isCnpj, isCpf } from '../../src/documento/documento.ts'
import { cutOut, openSchema } from '../kit/witnesses.ts'

const NOW = new Date('2026-11-21T12:34:56Z')

const chain = await createCadeia(NOSSOS_NOMES, new Date('2027-11-21T00:00:00Z'))
const write = createEscrivao(createAssinantes(async () => chain))
const proc = openSchema('procNFe_v4.00.xsd')
const summary = openSchema('resNFe_v1.01.xsd')
after(() => {
  proc.dispose()
  summary.dispose()
})

function noteOf(name: string, authorized = NOW): Nota {
  const note = notaDe(chaveDo(comCenario(name), authorized))
  assert.ok(note)
  return note
}

test('a key tells its scenario and the second in which its note was authorized, in the time of Brasília', () => {
  const instants = fc.date({
    min: new Date('2006-01-02T00:00:00Z'),
    max: new Date('2099-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(fc.constantFrom(...cenarios), instants, (scenario, instant) => {
      const key = chaveDo(scenario, instant)
      assert.match(key, /^35\d{4}[0-9A-Z]{12}\d{2}55001\d{9}1\d{9}$/)
      const note = notaDe(key)
      assert.equal(note?.cenario, scenario)
      assert.equal(note.autorizacao.getTime(), Math.floor(instant.getTime() / 1000) * 1000)
    }),
  )
  assert.equal(readChave(chaveDo(comCenario('ciencia'), NOW))?.aamm, '2611')
  assert.equal(readChave(chaveDo(comCenario('ciencia'), new Date('2026-11-01T02:59:59Z')))?.aamm, '2610')
})

test('the check digit of a key is that of the published examples', () => {
  for (const key of [
    '35260811222333000181550010000000011123456787',
    '35260812ABC34501DE35550010000000011123456788',
  ])
    assert.equal(dvDaChave(key.slice(0, 43)), key.slice(43))
})

test('a key in which anything is changed is of no note', () => {
  const key = chaveDo(comCenario('ciencia'), NOW)
  fc.assert(
    fc.property(fc.nat({ max: 43 }), fc.nat({ max: 9 }), (place, digit) => {
      const other = key.slice(0, place) + digit + key.slice(place + 1)
      assert.equal(notaDe(other) === undefined, other !== key)
    }),
  )
  // A 31st of November, with the right check digit.
  const impossible = `${key.slice(0, 35)}31123456`
  assert.equal(notaDe(impossible + dvDaChave(impossible)), undefined)
  for (const text of ['', key.slice(1), `${key}0`, key.replace('55001', '65001')])
    assert.equal(notaDe(text), undefined)
})

test('each scenario has a number, a name and a holder of its own, and the holder is on the note what it says', () => {
  const all = (values: readonly unknown[]) => assert.equal(new Set(values).size, cenarios.length)
  all(cenarios.map(({ numero }) => numero))
  all(cenarios.map(({ nome }) => nome))
  all(cenarios.map(({ titular }) => titular.documento))
  for (const { nome, papel, titular } of cenarios) {
    assert.match(nome, /^[a-z0-9-]+$/)
    assert.ok((titular.tipo === 'cnpj' ? isCnpj : isCpf)(titular.documento), nome)
    const { emitente, destinatario, transportador, autorizados } = noteOf(nome)
    const roles = {
      emitente: emitente === titular,
      destinatario: destinatario === titular,
      transportador: transportador === titular,
      autorizado: autorizados.includes(titular),
    }
    assert.deepEqual(
      Object.entries(roles).flatMap(([role, is]) => (is ? [role] : [])),
      NOT_ON_THE_NOTE.includes(papel) ? [] : [papel],
    )
  }
  for (const [nome, papel] of [
    ['filial', 'destinatario'],
    ['matriz', 'destinatario'],
    ['matriz-emitente', 'emitente'],
    ['transferencia', 'emitente'],
  ] as const) {
    const { [papel]: other, cenario } = noteOf(nome)
    assert.equal(other.documento.slice(0, 8), cenario.titular.documento.slice(0, 8))
    assert.notEqual(other.documento, cenario.titular.documento)
  }
})

/** Holders that are no party to the note, or only with another establishment. */
const NOT_ON_THE_NOTE = ['estranho', 'filial', 'matriz', 'matriz-do-emitente']

test('the note of every scenario and its summary are valid by the official schemas', async () => {
  for (const { nome, titular } of cenarios) {
    const note = noteOf(nome)
    const xml = await write(note)
    // The schemas on npm take no letters in a CNPJ yet.
    const inDigits = (text: string): string =>
      [titular, note.emitente].reduce(
        (seen, { documento }) => seen.replaceAll(documento, documento.replace(/[A-Z]/g, '0')),
        text,
      )
    assert.equal(proc.problem(inDigits(xml)), undefined, nome)
    assert.equal(summary.problem(inDigits(writeResumo(note))), undefined, nome)
    assert.ok(xml.includes(titular.documento) !== NOT_ON_THE_NOTE.includes(note.cenario.papel), nome)
    assert.ok(xml.length > 6_000 && xml.length < 12_000, `${xml.length}`)
  }
})

test('whatever is bought, the note is valid and its totals are the sums of its items', async () => {
  const cents = (texts: string[]) => texts.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0)
  for (let second = 0; second < 20; second++) {
    const xml = await write(noteOf('ciencia', new Date(NOW.getTime() + second * 61_000)))
    assert.equal(proc.problem(xml), undefined)
    const total = cutOut(xml, 'ICMSTot')
    const items = xml.match(/<det .*<\/det>/)?.[0] ?? ''
    for (const [sum, part] of [
      ['vProd', 'vProd'],
      ['vNF', 'vProd'],
      ['vBC', 'vProd'],
      ['vICMS', 'vICMS'],
      ['vPIS', 'vPIS'],
      ['vCOFINS', 'vCOFINS'],
    ] as const) {
      const parts = [...items.matchAll(new RegExp(`<${part}>([^<]*)`, 'g'))].map(([, text = '']) => text)
      assert.equal(cents(total.text(sum)), cents(parts), sum)
    }
  }
})

test('a note verifies with an independent library, and not when anything in it is changed', async () => {
  const xml = await write(noteOf('autorizado'))
  const signature = cutOut(xml, 'Signature').xml
  const check = (text: string): boolean => {
    const signed = new SignedXml({ publicCert: leafOf(xml).toString() })
    signed.loadSignature(signature)
    try {
      return signed.checkSignature(text)
    } catch {
      return false
    }
  }
  const document = xml.match(/<NFe .*<\/NFe>/)?.[0] ?? ''
  assert.ok(check(document))
  assert.ok(check(xml))
  assert.ok(!check(document.replace('<indFinal>0', '<indFinal>1')))
  assert.ok(!check(document.replace(' &amp; COMÉRCIO', ' COMÉRCIO')))
})

test('a note verifies by hand: the digest of its canonical form, its signature, its protocol and its summary agree', async () => {
  const note = noteOf('emitente')
  const xml = await write(note)
  const canonical = (name: string): string => {
    const document = XmlDocument.fromString(xml)
    try {
      const node = document.get(`//*[local-name()='${name}']`)
      assert.ok(node)
      return node.canonicalizeToString()
    } finally {
      document.dispose()
    }
  }
  const digest = createHash('sha1').update(canonical('infNFe')).digest('base64')
  assert.deepEqual(cutOut(xml, 'SignedInfo').text('DigestValue'), [digest])
  assert.deepEqual(cutOut(xml, 'infProt').text('digVal'), [digest])
  assert.deepEqual(cutOut(writeResumo(note), 'resNFe').text('digVal'), [digest])
  const [value = ''] = cutOut(xml, 'Signature').text('SignatureValue')
  const leaf = leafOf(xml)
  assert.ok(
    verify('sha1', Buffer.from(canonical('SignedInfo')), leaf.publicKey, Buffer.from(value, 'base64')),
  )
  assert.deepEqual(readTitular(leaf), note.emitente)
  assert.ok(leaf.verify(chain.intermediaria.publica))
  assert.ok(leaf.validFromDate < new Date(NOW.getTime() - 220 * 86_400_000) && leaf.validToDate > NOW)
})

test('a note is the same octets each time it is asked for, and its summary too', async () => {
  const note = noteOf('pessoa')
  assert.equal(await write(note), await write(noteOf('pessoa')))
  assert.equal(writeResumo(note), writeResumo(noteOf('pessoa')))
  assert.notEqual(await write(note), await write(noteOf('pessoa', new Date(NOW.getTime() + 1000))))
})

test('the summary says the situation, and both say when the note was authorized in the time of Brasília', async () => {
  const told = (name: string) => cutOut(writeResumo(noteOf(name)), 'resNFe').text('cSitNFe')
  assert.deepEqual(
    [told('ciencia'), told('resumo-denegada'), told('resumo-cancelada')],
    [['1'], ['2'], ['3']],
  )
  const time = ['2026-11-21T09:34:56-03:00']
  assert.deepEqual(cutOut(writeResumo(noteOf('ciencia')), 'resNFe').text('dhRecbto'), time)
  assert.deepEqual(cutOut(await write(noteOf('ciencia')), 'infProt').text('dhRecbto'), time)
})

test('the book begins with what the scenario says was registered, and keeps what is registered since', () => {
  const book = createLivroDeEventos()
  const { chave } = noteOf('ciencia-anterior')
  const before = { tpEvento: '210210', nSeqEvento: 1 }
  assert.deepEqual(book.eventosDe(chave), [before])
  const event = { tpEvento: '210200', nSeqEvento: 1 }
  book.register(chave, event)
  assert.deepEqual(book.eventosDe(chave), [before, event])
  assert.deepEqual(book.eventosDe(noteOf('ciencia').chave), [])
  assert.deepEqual(book.eventosDe('?'), [])
  assert.equal(createLivroDeEventos().eventosDe(chave).length, 1)
})

test('the book forgets the notes that were asked about least lately, of more than 10,000', () => {
  const book = createLivroDeEventos()
  const keys = Array.from({ length: 10_001 }, (_, i) => String(i).padStart(44, '0'))
  for (const key of keys) book.register(key, { tpEvento: '210210', nSeqEvento: 1 })
  const told = keys.map((key) => book.eventosDe(key).length)
  assert.deepEqual([told[0], told.at(-1), told.filter(Boolean).length], [0, 1, 10_000])
})

function leafOf(xml: string): X509Certificate {
  const [leaf = ''] = cutOut(xml, 'Signature').text('X509Certificate')
  return new X509Certificate(Buffer.from(leaf, 'base64'))
}
