import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseInstante, readNfeProc } from '../../src/nfe/source-documento.ts'
import { vezes } from '../kit/basics.ts'
import { notaAssinada, OUTRA_CHAVE } from '../kit/nfe-steps.ts'

test('a signed note is read: who takes part in it, and the code of its authorization', async () => {
  for (const nome of ['ciencia', 'autorizado', 'transportador', 'pessoa', 'letras']) {
    const { nota, chave, xml } = await notaAssinada(nome)
    const { emitente, destinatario, transportador, autorizados } = nota
    const all = [emitente, destinatario, ...(transportador ? [transportador] : []), ...autorizados]
    const participantes = all.map(({ documento }) => documento)
    assert.deepEqual(readNfeProc(xml, chave), { ok: true, participantes, cStat: '100' }, nome)
  }
})

test('prefixes, a byte order mark, comments, quotes of the other kind and white space make no difference', async () => {
  const { chave, xml } = await notaAssinada()
  const plain = readNfeProc(xml, chave)
  const [signature = ''] = /<Signature .*<\/Signature>/s.exec(xml) ?? []
  for (const other of [
    `\ufeff${xml}\n`,
    xml.replace('?>', "?>\n<!-- <nfeProc> & --><?pi '?>"),
    xml.replaceAll(/<(\/?)(nfeProc|protNFe|infProt)\b/g, '<$1n:$2'),
    xml.replace(/ Id="(NFe\d+)"/, "\n  Id = '$1'\t"),
    xml.replaceAll('><', '>\n<'),
    xml.replace(signature, '').replace(/<infNFe/, `${signature}<infNFe`),
    xml.replace(signature, signature.replaceAll(/<(\/?)(\w)/g, '<$1ds:$2').replace('xmlns=', 'xmlns:ds=')),
    xml.replaceAll(/<(emit|dest|protNFe|NFe)\b/g, '<!-- <$1> --><$1'),
    xml.replace(/<cProd>[^<]*/, '<cProd><![CDATA[<a> & ]] b]]>'),
  ]) {
    assert.notEqual(other, xml)
    assert.deepEqual(readNfeProc(other, chave), plain)
  }
})

test('a protocol may leave out the digest of the note, and says no other', async () => {
  const { chave, xml } = await notaAssinada()
  assert.equal(readNfeProc(xml.replace(/<digVal>.*<\/digVal>/, ''), chave).ok, true)
})

test('what is not the whole and authorized note of the key is told for what it is', async () => {
  const { chave, xml } = await notaAssinada()
  const [prot = ''] = /<protNFe.*<\/protNFe>/s.exec(xml) ?? []
  const [signature = ''] = /<Signature .*<\/Signature>/s.exec(xml) ?? []
  const [infNFe = ''] = /<infNFe.*<\/infNFe>/s.exec(xml) ?? []
  for (const [defeito, other] of [
    ['o XML está malformado', ''],
    ['o XML está malformado', xml.slice(0, -2)],
    ['o XML está malformado', `${xml}<a/>`],
    ['o XML está malformado', xml.replace('<nfeProc', '<!DOCTYPE nfeProc [<!ENTITY a "b">]><nfeProc')],
    ['a raiz do XML não é nfeProc', xml.replaceAll('nfeProc', 'procNFe')],
    ['a raiz do XML não é nfeProc', `<lote>${xml.replace(/<\?.*?\?>/, '')}</lote>`],
    ['o XML não tem a nota (infNFe)', xml.replace(infNFe, '')],
    ['o XML é de outra chave', xml.replace(`Id="NFe${chave}"`, `Id="NFe${OUTRA_CHAVE}"`)],
    ['o XML é de outra chave', xml.replace(`Id="NFe${chave}"`, '')],
    ['o XML é de outra chave', xml.replace(infNFe, infNFe + infNFe)],
    ['o XML não tem o protocolo de autorização (protNFe)', xml.replace(prot, '')],
    ['o XML não tem o protocolo de autorização (protNFe)', xml.replace(prot, prot + prot)],
    ['o protocolo de autorização é de outra chave', xml.replace(`<chNFe>${chave}`, `<chNFe>${OUTRA_CHAVE}`)],
    ['o XML não tem a assinatura do emitente', xml.replace(signature, '')],
    ['o XML não tem a assinatura do emitente', xml.replace(signature, signature + signature)],
    ['o protocolo de autorização é de outra versão da nota', xml.replace(/<digVal>./, '<digVal>?')],
  ] as const) {
    assert.notEqual(other, xml)
    assert.deepEqual(readNfeProc(other, chave), { ok: false, defeito })
  }
})

test('a note with anything cut out, or put in, is read as the same note or refused, never an error', async () => {
  const { chave, xml } = await notaAssinada()
  const whole = readNfeProc(xml, chave)
  assert.equal(whole.ok, true)
  const read = [...xml.matchAll(/<(CNPJ|CPF|cStat)>.*?<\/\1>/g)]
  const decisive = [...read, ...xml.matchAll(/Id="NFe|<chNFe>|<digVal>|<Signature /g)]
  const place = fc.oneof(
    fc.nat(xml.length),
    fc.tuple(fc.constantFrom(...decisive), fc.nat(50)).map(([{ index }, more]) => index + more),
  )
  const piece = fc.constantFrom('', '<', '>', '"', '&', '</', '<!--', '<![CDATA[', '<a b="', '&#x110000;')
  fc.assert(
    fc.property(place, fc.nat(40), piece, (at, length, text) => {
      const changed = xml.slice(0, at) + text + xml.slice(at + length)
      const nota = readNfeProc(changed, chave)
      if (!nota.ok) return assert.notEqual(nota.defeito, '')
      assert.ok(changed.includes(`Id="NFe${chave}"`) && changed.includes(`<chNFe>${chave}</chNFe>`))
      const isRead = read.some(({ 0: tag, index }) => at < index + tag.length && at + length > index)
      if (!isRead) assert.deepEqual(nota, whole)
    }),
    { numRuns: vezes(1000) },
  )
})

test('an instant of the NF-e is read to the second, and nothing else is', () => {
  for (const [text, iso] of [
    ['2026-11-14T12:00:00-03:00', '2026-11-14T15:00:00.000Z'],
    ['2024-02-29T23:59:59-02:00', '2024-03-01T01:59:59.000Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
  ] as const)
    assert.equal(parseInstante(text)?.toISOString(), iso)
  for (const text of [
    '',
    '2026-11-14',
    '2026-11-14T12:00:00',
    '2026-11-14T12:00:00Z',
    '2026-11-14 12:00:00-03:00',
    '2026-11-14T12:00:00.000-03:00',
    '2026-11-14T12:00-03:00',
    '2026-02-29T12:00:00-03:00',
    '2026-13-01T12:00:00-03:00',
    '2026-11-14T24:00:00-03:00',
    '2026-11-14T12:60:00-03:00',
    '2026-11-14T12:00:00-15:00',
    '2026-11-14T12:00:00-03:00 ',
  ])
    assert.equal(parseInstante(text), undefined, text)
})
