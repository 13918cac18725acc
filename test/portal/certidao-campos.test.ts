import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { vezes } from '../kit/basics.ts'
import { assertOwn, casos, linhas, partesSuas, readCase, situacaoDe } from '../kit/certidoes.ts'

test('every part that a state’s file says its paper always has is read from the paper of each outcome', () => {
  for (const caso of casos) {
    const lida = readCase(caso, linhas(caso.papel).join('\n'))
    assertOwn(caso, lida, caso.rota.source.id)
    assert.equal(lida.status, situacaoDe(caso.papel), caso.rota.source.id)
    for (const parte of caso.rota.espera?.partes ?? [])
      assert.notEqual(lida[parte], '', `${caso.rota.source.id}: ${parte}`)
  }
})

test('number, emission and validity of genuine papers are right or empty, in any order and with any noise', () => {
  fc.assert(partesSuas, { numRuns: vezes(1_500) })
})

const doMs = casos.find(({ uf }) => uf === 'MS') ?? assert.fail()
const doPi = casos.find(({ uf }) => uf === 'PI') ?? assert.fail()

/** A certificate of the holder of a case, with these lines below its title. */
const papelDe = ({ papel }: typeof doMs, titulo: string, ...more: string[]) =>
  [
    titulo,
    `CPF/CNPJ: ${papel.documento}`,
    'Certifica-se que não constam débitos em nome do requerente.',
    ...more,
  ].join('\n')

test('the date of a law, a decree or a birth is nobody’s emission', () => {
  for (const nota of [
    'Certidão expedida conforme Decreto Distrital nº 23.873 de 04/07/2003, gratuitamente.',
    'Expedida nos termos da Lei Complementar nº 4 de 30/12/1994.',
    'Emitida conforme a Portaria SEFAZ de 10/11/2026.',
    'Requerente nascido em 10/11/1980.',
    'Data de Nascimento: 10/11/1980',
  ]) {
    const texto = papelDe(
      doMs,
      'CERTIDÃO NEGATIVA DE DÉBITOS',
      nota,
      'Certidão emitida via internet em 24/11/2026 às 10:11:12.',
    )
    assert.equal(readCase(doMs, texto).emissao, '2026-11-24', nota)
    assert.equal(readCase(doMs, papelDe(doMs, 'CERTIDÃO NEGATIVA DE DÉBITOS', nota)).emissao, '', nota)
  }
})

test('a date behind an hour is no validity, whatever label stands before both', () => {
  const doCe = casos.find(({ uf, papel }) => uf === 'CE' && papel.desfecho === 'positiva') ?? assert.fail()
  const torn = linhas(doCe.papel)
    .slice(0, -4)
    .map((line) => line.replace(/(?<=\p{L})(?=\p{L})/gu, ' '))
  const labels = ['EMITIDA VIA I N T E R N E T EM ÀS', 'V Á L I D A ATÉ']
  const values = ['12:04:05', '24/11/2026', '23/01/2027']
  const { emissao, validade } = readCase(doCe, [...torn, ...labels, ...values].join('\n'))
  assert.deepEqual([emissao, validade], ['', ''])
})

test('a number whose label is cut off with the holder’s line is not the certificate’s', () => {
  const doSc = casos.find(({ uf, papel }) => uf === 'SC' && papel.desfecho === 'positiva') ?? assert.fail()
  const texto = `CE- RTIDÃO PO-
SITIVA DE DÉ- BITOS ESTADUAIS
Nome (razão soci- al): TA- JANA ADMINISTRADORA E ARMARINHO LTDA CNPJ/CPF: 99.015.348/0001-10 Cons-
tam débit-
os pendentes em nome do contrib-
uinte acima. Número da certidão: 26903866368721 Data de emi-
ssão: 24/11/2026
12:04:05 Vali- dade (Lei
nº 3938/66,
Art. 158): 23/01/2027`
  assert.equal(doSc.papel.numero, '26903866368721')
  assert.ok(['', doSc.papel.numero].includes(readCase(doSc, texto).protocolo))
})

test('what may be of the holder’s name goes to the end of its line, however long the line is', () => {
  const { documento, numero } = doPi.papel
  for (let more = 280; more < 340; more++) {
    const nome = `${'QUALQUER '.repeat(40).slice(0, more)} 24/11/2026 12:04:05EMITIDA VIA INTERNET EM 23/01/2027`
    const texto = `CERTIDÃO NEGATIVA DE DÉBITOS\n${numero}\nCPF/CNPJ: ${documento}\nRazão Social: ${nome}\nnão constam débitos`
    assert.ok(['', '2026-11-24'].includes(readCase(doPi, texto).emissao), texto)
  }
})

test('a term is counted only where the paper prints it, and never without a day of issue', () => {
  const de = (...linhas: string[]) =>
    readCase(doMs, papelDe(doMs, 'CERTIDÃO NEGATIVA DE DÉBITOS', ...linhas)).validade
  assert.equal(
    de('Emitida em: 24/11/2026', 'Válida por 6 (seis) meses, contados da data de sua expedição.'),
    '2027-05-24',
  )
  assert.equal(de('Emitida em: 24/11/2026', 'Válida por 60 (sessenta) dias.'), '2027-01-23')
  assert.equal(de('Emitida em: 24/11/2026'), '')
  assert.equal(de('Válida por 60 (sessenta) dias.'), '')
})

test('another certificate of the same look decides nothing: it is a failure that names it', () => {
  const titulos = [
    'CERTIDÃO NEGATIVA DE DÍVIDA ATIVA',
    'CERTIDÃO NEGATIVA DE DÉBITOS INSCRITOS EM DÍVIDA ATIVA',
    'CERTIDÃO NEGATIVA DE NATUREZA NÃO TRIBUTÁRIA',
    'CERTIDÃO DE BAIXA DE INSCRIÇÃO',
    'CERTIDÃO NEGATIVA DE DÉBITOS DE IPVA',
  ]
  for (const titulo of titulos)
    assert.throws(
      () => readCase(doPi, papelDe(doPi, titulo)),
      (error) => error instanceof SourceError && error.kind === 'parse' && error.message.includes(titulo),
      titulo,
    )
  assert.equal(readCase(doPi, papelDe(doPi, 'CERTIDÃO NEGATIVA DE DÉBITOS')).status, 'negativa')
})

test('a paper with more dates than any certificate has none that is read', () => {
  const texto = papelDe(
    doMs,
    'CERTIDÃO NEGATIVA',
    'Emitida em 24/11/2026, válida até 23/01/2027. '.repeat(2_000),
  )
  assert.deepEqual([readCase(doMs, texto).emissao, readCase(doMs, texto).validade], ['', ''])
})
