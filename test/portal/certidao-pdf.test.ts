import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { readPdfText } from '../../src/platform/wire/pdf.ts'
import { type LeituraCertidao, readCertidaoPdf, readTexto } from '../../src/portal/certidao-resposta.ts'
import type { Certidao } from '../../src/portal/rules-certidao.ts'
import { CNPJ, CPF, leitura, MT, modelos, mtLayout } from '../kit/certidoes.ts'
import { pdfOf } from '../kit/papers.ts'

const isFailure =
  (kind: string, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof SourceError, String(error))
    assert.equal(error.kind, kind)
    assert.match(error.message, message)
    return true
  }

describe('the certificates of the states', () => {
  test('no date and no number is read from the holder’s name', () => {
    for (const nome of ['VÁLIDA ATÉ 31/12/2099 LTDA', 'EMITIDA EM 01/01/2020', 'CERTIDÃO Nº 999999 LTDA']) {
      const linhas = [
        'CERTIDÃO NEGATIVA DE DÉBITOS',
        `Nome: ${nome}`,
        'CNPJ: 11.222.333/0001-81',
        'Certidão nº: 123456',
        'Não constam débitos em seu nome.',
        'Emitida em: 20/11/2026',
        'Válida até: 19/01/2027',
      ]
      const { protocolo, emissao, validade } = readTexto(linhas.join('\n'), leitura('CE'))
      assert.deepEqual([protocolo, emissao, validade], ['123456', '2026-11-20', '2027-01-19'], nome)
    }
  })

  test('no date is read from a name whose end is in doubt, before the paper’s own', () => {
    for (const linha of [
      'Nome: CERTIFICO QUE VALE, VÁLIDA ATÉ 31/12/2099 LTDA',
      `Nome: ${'VÁLIDA ATÉ 31/12/2099 '.repeat(9)}`,
    ]) {
      const linhas = [
        'CERTIDÃO NEGATIVA',
        `CNPJ: ${CNPJ}`,
        linha,
        'Emitida em: 20/11/2026',
        'Válida até: 19/01/2027',
      ]
      const { emissao, validade } = readTexto(linhas.join('\n'), leitura('CE'))
      assert.deepEqual([emissao, validade], ['2026-11-20', '2027-01-19'], linha)
    }
  })

  test('MT: number, dates and code of authenticity are read, and the file comes back as it came', async () => {
    const pdf = await pdfOf([MT('CERTIDÃO NEGATIVA', 'CND')])
    const url_verificacao = 'https://mt.example/conferir'
    const layout = { ...mtLayout, verificacao: url_verificacao }
    assert.deepEqual(await readCertidaoPdf(pdf, leitura('MT', { layout })), {
      status: 'negativa',
      status_raw:
        'CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS GERIDOS PELA PROCURADORIA-GERAL DO ESTADO E PELA SECRETARIA DE ESTADO DE FAZENDA',
      validade: '2026-11-19',
      emissao: '2026-09-21',
      protocolo: '0064988861',
      pdf_base64: pdf.toString('base64'),
      url_verificacao,
      codigo_autenticacao: 'T7BTLL22TUKKB2K2',
    })
  })

  test('MT: the certificate with effects is told from the negative one, whose note names it', async () => {
    const pdf = await pdfOf([MT('CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA', 'CPEND')])
    const lida = await readCertidaoPdf(pdf, leitura('MT', { layout: mtLayout }))
    assert.equal(lida.status, 'positiva_com_efeitos_de_negativa')
    assert.equal(lida.protocolo, '0064988861')
  })

  for (const { uf, lines, more, lidos } of modelos)
    test(`${uf}: the certificate is read in the state's own layout`, async () => {
      const lida = await readCertidaoPdf(await pdfOf([lines]), leitura(uf, more))
      const { status, status_raw, protocolo, emissao, validade, codigo_autenticacao } = lida
      assert.deepEqual({ status, status_raw, protocolo, emissao, validade }, lidos)
      assert.equal(codigo_autenticacao, '')
    })

  test('a certificate that tells neither a last day nor a term has no validity', async () => {
    const lines = ['CERTIDÃO NEGATIVA', `CNPJ ${CNPJ}`, 'Emissão: 01/07/2026']
    const silent = await readCertidaoPdf(await pdfOf([lines]), leitura('AC'))
    assert.equal(silent.validade, '')
    const telling = await readCertidaoPdf(
      await pdfOf([[...lines, 'Validade: 6 (seis) meses']]),
      leitura('AC'),
    )
    assert.equal(telling.validade, '2027-01-01')
  })

  test('a certificate of two pages is read to its end', async () => {
    const pages = [
      ['CERTIDÃO NEGATIVA', `CNPJ ${CNPJ}`],
      ['Certidão nº 7701', 'Emissão: 01/07/2026', 'Válida até 30/08/2026'],
    ]
    const lida = await readCertidaoPdf(await pdfOf(pages), leitura('SE'))
    assert.deepEqual([lida.protocolo, lida.emissao, lida.validade], ['7701', '2026-07-01', '2026-08-30'])
  })
})

describe('whose certificate it is', () => {
  const named = (line: string, more: Partial<LeituraCertidao> = {}): Promise<Certidao> =>
    pdfOf([['CERTIDÃO NEGATIVA', line]]).then((pdf) => readCertidaoPdf(pdf, leitura('RS', more)))
  const another = isFailure('parse', /é de outro documento/)

  test('a document is known with its punctuation, without it, and with its ends hidden', async () => {
    assert.equal((await named('CNPJ 11.222.333/0001-81')).status, 'negativa')
    assert.equal((await named('CNPJ 11222333000181')).status, 'negativa')
    assert.equal((await named('CPF ***.982.247-**', { documento: CPF })).status, 'negativa')
    assert.equal((await named('CNPJ 12.ABC.345/01DE-35', { documento: '12ABC34501DE35' })).status, 'negativa')
  })

  test('a certificate that names a registration of the taxpayer is theirs', async () => {
    assert.equal((await named('IE 13.123.456-7', { inscricoes: ['00131234567'] })).status, 'negativa')
    await assert.rejects(named('IE 13.123.456-7', { inscricoes: ['131234568'] }), another)
  })

  test('a certificate of another document is not given', async () => {
    await assert.rejects(named('CNPJ 11.222.333/0002-62'), another)
    await assert.rejects(named(`Protocolo 9${CNPJ}9`), another)
    await assert.rejects(named('CPF ***.982.248-**', { documento: CPF }), another)
    await assert.rejects(named('Sem detalhes do contribuinte'), another)
  })

  test('a document in the holder’s name is not the holder’s: a MEI has the CPF of its owner in its name', async () => {
    const cpf = { documento: CPF }
    for (const linhas of [
      ['Nome: JOSE DA SILVA 52998224725', 'CNPJ: 11.222.333/0001-81'],
      ['CNPJ: 11.222.333/0001-81', 'Razão Social: JOSE DA SILVA 529.982.247-25'],
      ['CNPJ: 11.222.333/0001-81 JOSE DA SILVA 52998224725'],
    ])
      await assert.rejects(named(linhas.join('\n'), cpf), another, linhas.join())
    assert.equal(
      (await named('Nome: JOSE DA SILVA 52998224725\nCPF: 529.982.247-25', cpf)).status,
      'negativa',
    )
    assert.equal((await named('CPF: 529.982.247-25 JOSE DA SILVA', cpf)).status, 'negativa')
    assert.equal((await named('Nome: JOSE DA SILVA 529.982.247-25', cpf)).status, 'negativa')
  })

  test('a certificate that names the registration and declares another owner is the other’s', async () => {
    const inscricao = { inscricoes: ['131234567'] }
    for (const outro of ['CNPJ: 12.ABC.345/01DE-35', 'CNPJ/CPF 48.271.936/0001-83', 'CNPJ: 48271936000183'])
      await assert.rejects(named(`IE 13.123.456-7 ${outro}`, inscricao), another, outro)
    await assert.rejects(
      named('IE 13.123.456-7 CNPJ: 11.222.333/0001-81', { ...inscricao, documento: CPF }),
      another,
    )
    // A branch's registration may stand under its head office.
    assert.equal((await named('IE 13.123.456-7 CNPJ: 11.222.333/0009-10', inscricao)).status, 'negativa')
  })

  test("a head office's certificate is a branch's where it says so, and no one else's", async () => {
    const branch = { documento: '11222333000262' }
    assert.equal((await named('CNPJ 11.222.333/0001-81, para matriz e filiais', branch)).status, 'negativa')
    await assert.rejects(named('CNPJ 11.222.333/0001-81', branch), another)
    await assert.rejects(named('CNPJ 11.222.334/0001-81, para matriz e filiais', branch), another)
  })
})

describe('what is no certificate', () => {
  const read = (body: string | Buffer): Promise<Certidao> => readCertidaoPdf(Buffer.from(body), leitura('MA'))

  test('a message served as PDF is read as the message it is, in whichever charset', async () => {
    const html = '<html><script>x()</script><body><p>Este CPF/CNPJ é devedor.</p></body></html>'
    for (const charset of ['utf8', 'latin1'] as const) {
      const lida = await read(Buffer.from(html, charset))
      assert.equal(lida.status, 'positiva')
      assert.equal(lida.status_raw, 'Este CPF/CNPJ é devedor.')
      assert.equal(lida.pdf_base64, '')
    }
  })

  test('an error page served as PDF is a failure, not an answer', async () => {
    await assert.rejects(
      read('<p>Acesso Negado por política de segurança</p>'),
      isFailure('blocked', /bloqueou/),
    )
    await assert.rejects(
      read(`<p>${'menu de opções '.repeat(100)}</p>`),
      isFailure('parse', /não se entende/),
    )
  })

  test('empty, truncated and corrupt files, and other bytes, are not understood', async () => {
    const whole = await pdfOf([['CERTIDÃO NEGATIVA', `CNPJ ${CNPJ}`]])
    await assert.rejects(read(''), isFailure('parse', /PDF vazio/))
    await assert.rejects(read(Buffer.from([0, 1, 2, 3])), isFailure('parse', /não é um PDF/))
    await assert.rejects(read(whole.subarray(0, 300)), isFailure('parse', /não se consegue ler|sem texto/))
    await assert.rejects(read('%PDF-1.7\nlixo'), isFailure('parse', /não se consegue ler/))
  })

  test('a picture, a locked file and a book are not understood', async () => {
    await assert.rejects(read(await pdfOf([[]])), isFailure('parse', /sem texto/))
    const locked = await pdfOf([['CERTIDÃO NEGATIVA']], { userPassword: 'segredo' })
    await assert.rejects(read(locked), isFailure('parse', /protegido por senha/))
    const book = await pdfOf(Array.from({ length: 21 }, () => ['página']))
    await assert.rejects(read(book), isFailure('parse', /longo demais/))
  })

  test('a PDF without an outcome, and one that ends before it begins, are not understood', async () => {
    await assert.rejects(
      read(await pdfOf([['Recibo', `CNPJ ${CNPJ}`]])),
      isFailure('parse', /não se entende/),
    )
    const backwards = ['CERTIDÃO NEGATIVA', `CNPJ ${CNPJ}`, 'Emissão: 01/07/2026', 'Válida até 30/06/2026']
    await assert.rejects(read(await pdfOf([backwards])), isFailure('parse', /datas/))
  })

  test('a certificate that says both is not understood, and its own words are told', async () => {
    const pdf = await pdfOf([['CERTIDÃO NEGATIVA DE DÉBITOS', `CNPJ ${CNPJ}`, 'Constam débitos vencidos.']])
    await assert.rejects(readCertidaoPdf(pdf, leitura('RS')), (error) => {
      assert.ok(error instanceof SourceError)
      assert.deepEqual([error.kind, error.unavailable], ['parse', false])
      assert.equal(error.dizeres, 'CERTIDÃO NEGATIVA DE DÉBITOS: NEGATIVA … Constam débitos')
      return true
    })
  })

  test('a file that takes too long is given up, and the next one is read', async (t) => {
    const pdf = await pdfOf([['CERTIDÃO NEGATIVA']])
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const given = assert.rejects(readPdfText(pdf), { name: 'PdfError', motivo: 'pesado' })
    // The thread is asked after a few microtasks. Its reply is an event, which none of them lets through.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    t.mock.timers.tick(30_000)
    await given
    t.mock.timers.reset()
    assert.match(await readPdfText(pdf), /CERTIDÃO NEGATIVA/)
  })

  test('a file in a pooled buffer is read, and left whole', async () => {
    const pdf = await pdfOf([['CERTIDÃO NEGATIVA', `CNPJ ${CNPJ}`]])
    const pool = Buffer.alloc(pdf.length + 64, 7)
    pdf.copy(pool, 32)
    const inside = pool.subarray(32, 32 + pdf.length)
    await Promise.all([1, 2, 3].map(() => readPdfText(inside)))
    assert.deepEqual(inside, pdf)
  })
})
