import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { rotaContrato } from '../../src/federal/source-contrato.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { failureOf, papel, pdfOf, type Resposta, tentativa, useContrato } from '../kit/federal.ts'

const { cnpj } = papel
const authority = useContrato()
const http = openTransport({ mode: 'live', ca: [], hosts: {} })
let pdf: string
before(async () => {
  pdf = await pdfOf()
})

const ask = (resposta: Resposta) => {
  authority.setAnswers(resposta)
  const { meios } = tentativa({ http })
  return rotaContrato(authority.open(), 'v1').ask({ cnpj, emitir: 'se-preciso' }, meios)
}
const askFor = (certidao: object | null, mais: object = {}) =>
  ask({ body: { Status: 1, Mensagem: 'Certidão válida.', Certidao: certidao, ...mais } })

/** What the product says of the certificate, as on its paper. */
const dita = {
  ContribuinteCertidao: cnpj,
  TipoCertidao: 1,
  CodigoControle: papel.codigo,
  DataEmissao: '2026-11-14T11:58:00',
  DataValidade: '2027-05-13',
}

test('names with accents, in other capitals, and Messagem are read', async () => {
  const { TipoCertidao, ...resto } = dita
  const certidao = { ...resto, TipoCertidão: TipoCertidao, documentopdf: pdf }
  const resposta = await ask({ body: { status: '1', Messagem: 'x', CERTIDAO: certidao } })
  assert.equal(resposta.tipo, 'certidao')
  const recusa = await ask({ body: { Status: 3, Messagem: 'Informações insuficientes.' } })
  assert.ok(recusa.tipo === 'recusa')
  assert.equal(recusa.recusa.dizeres, 'Informações insuficientes.')
})

test('the paper is read as data:, with line breaks, and where the JSON says nothing of it', async () => {
  const dataUri = `data:application/pdf;base64,${pdf.replace(/.{76}/g, '$&\r\n')}`
  for (const certidao of [{ ...dita, DocumentoPdf: dataUri }, { DocumentoPdf: pdf }])
    assert.equal((await askFor(certidao)).tipo, 'certidao')
})

test('the same in other words agrees: control code without dots, dates with a zone or as in Brazil', async () => {
  const iguais = [
    { CodigoControle: 'a1b2c3d4e5f60789' },
    { ContribuinteCertidao: '11.222.333/0001-81' },
    { ContribuinteCertidao: '11222333' },
    { DataEmissao: '2026-11-15T02:30:00Z' },
    { DataEmissao: '2026-11-14T11:58:00-03:00' },
    { DataValidade: '13/05/2027' },
    { DataValidade: '2027-05-13T00:00:00.000Z' },
    { TipoCertidao: '1' },
  ]
  for (const igual of iguais)
    assert.equal((await askFor({ ...dita, DocumentoPdf: pdf, ...igual })).tipo, 'certidao')
})

test('a JSON that says otherwise than the paper is a contradiction, with the title of the paper', async () => {
  const contrarios = [
    { TipoCertidao: 2 },
    { TipoCertidao: 3 },
    { TipoCertidao: 7 },
    { TipoCertidao: {} },
    { TipoCertidao: 1, TipoCertidão: 2 },
    { CodigoControle: 'A1B2.C3D4.E5F6.078A' },
    { CodigoControle: ['A1B2.C3D4.E5F6.0789'] },
    { DataEmissao: '2026-11-13T11:58:00' },
    { DataEmissao: 'ontem' },
    { DataValidade: '2027-05-14' },
    { DataValidade: 20270513 },
    { ContribuinteCertidao: '11222333000262' },
    { ContribuinteCertidao: '99999999' },
  ]
  for (const contrario of contrarios) {
    const error = await failureOf(askFor({ ...dita, DocumentoPdf: pdf, ...contrario }))
    assert.deepEqual([error.kind, error.codigo], ['parse', 'contradicao'], JSON.stringify(contrario))
    assert.match(error.dizeres, /^CERTID[AÃ]O NEGATIVA/)
  }
})

test('HTTP that says otherwise than Status is a contradiction', async () => {
  const certidao = { ...dita, DocumentoPdf: pdf }
  const contrarios = [
    [201, 1],
    [202, 2],
    [404, 1],
    [400, 7],
    [201, 3],
    [202, 8],
  ] as const
  for (const [status, Status] of contrarios) {
    const body = { Status, Mensagem: 'x', Chave: 'c', Certidao: certidao }
    assert.equal((await failureOf(ask({ status, body }))).codigo, 'contradicao', `${status} ${Status}`)
  }
})

test('a certificate without its paper, or with another in its place, is none', async () => {
  const pdfs = [
    undefined,
    null,
    '',
    'não é base64',
    42,
    Buffer.from('<html><body>Erro</body></html>').toString('base64'),
    await pdfOf({ cnpj: '00000000000191' }),
    await pdfOf({ papel: 'corrompido' }),
    await pdfOf({ papel: 'contradiz' }),
    await pdfOf({ papel: 'datas' }),
  ]
  for (const DocumentoPdf of pdfs) {
    const error = await failureOf(askFor({ ...dita, DocumentoPdf }))
    assert.equal(error.kind, 'parse', String(DocumentoPdf).slice(0, 60))
  }
  assert.equal((await failureOf(askFor(null))).kind, 'parse')
})

test('an answer of another shape is a failure: no Status, wrong types, a list, HTML, too deep, too many', async () => {
  const deep = `{"Status":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`m${n}`, n]))
  const bodies = [
    {},
    [],
    'null',
    '"Status"',
    '<html><body>Manutenção</body></html>',
    '{"Status":1',
    deep,
    { ...many, Status: 3 },
    { Status: null },
    { Status: 1.5 },
    { Status: 'um' },
    { Status: -1 },
    { Status: 16 },
    { Status: 1e300 },
    { Status: [1] },
    { Status: 1, status: 3 },
    { Status: 7 },
    { Status: 7, Chave: 7 },
    { Status: 7, Chave: 'x'.repeat(501) },
    { __proto__: { Status: 3 } },
  ]
  for (const body of bodies)
    for (const status of [200, 404])
      assert.equal((await failureOf(ask({ status, body }))).kind, 'parse', JSON.stringify(body).slice(0, 60))
})

test('words of the portal in Mensagem decide what was refused, and a passing failure is no refusal', async () => {
  const falha =
    'Não foi possível concluir a ação para o contribuinte informado. Por favor, tente novamente dentro de alguns minutos. 033 - 14/11/2026 12:00:00'
  assert.equal((await failureOf(ask({ body: { Status: 3, Mensagem: falha } }))).kind, 'http')
  const longa = await ask({ body: { Status: 4, Mensagem: 'palavras '.repeat(1_000) } })
  assert.ok(longa.tipo === 'recusa')
  assert.equal(longa.recusa.dizeres.length, 500)
})

test('no line of the log has the CNPJ', async () => {
  authority.setAnswers({ body: { Status: 3, Mensagem: `Sobre o contribuinte ${cnpj}.` } })
  const { meios, linhas } = tentativa({ http })
  await rotaContrato(authority.open(), 'v1').ask({ cnpj, emitir: 'se-preciso' }, meios)
  authority.setAnswers({ body: { Status: 77, Mensagem: `Sobre o contribuinte ${cnpj}.` } })
  await failureOf(rotaContrato(authority.open(), 'v1').ask({ cnpj, emitir: 'se-preciso' }, meios))
  assert.equal(linhas.length, 2)
  assert.ok(!linhas.join().includes(cnpj))
})
