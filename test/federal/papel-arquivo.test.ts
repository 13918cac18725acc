import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCertidaoFederal } from '../../src/federal/source-certidao.ts'
import { isInvalida, leitura, linhasDe, pdfOf, produtores, titulos } from '../kit/papers.ts'

describe('what is no certificate', () => {
  const read = (pdf: string | Buffer) => readCertidaoFederal(Buffer.from(pdf), leitura())
  const whole = async (): Promise<Buffer> =>
    (await produtores['pdfkit, standard font']?.(linhasDe())) ?? Buffer.alloc(0)

  test('HTML in disguise, an empty file and other bytes', async () => {
    const html = `<html><body><h1>${titulos.negativa}</h1><p>CNPJ: 11.222.333/0001-81</p></body></html>`
    for (const body of [
      '',
      html,
      'Sistema indisponível',
      Buffer.from([0, 1, 2, 3]),
      ` ${' '.repeat(2000)}%PDF-1.7`,
    ])
      await assert.rejects(read(body), isInvalida(/o que não é um PDF/, ''))
  })

  test('a truncated file and one that only begins as a PDF', async () => {
    const pdf = await whole()
    for (const end of [10, 300, Math.floor(pdf.length / 2)])
      await assert.rejects(
        read(pdf.subarray(0, end)),
        isInvalida(/não se consegue ler|sem texto|sem o título/, ''),
      )
    await assert.rejects(
      read(`%PDF-1.7\n<html>${titulos.negativa}</html>`),
      isInvalida(/não se consegue ler/, ''),
    )
  })

  test('a picture, a locked file, a book and another paper', async () => {
    await assert.rejects(read(await pdfOf([[]])), isInvalida(/sem texto/, ''))
    const locked = await pdfOf([linhasDe()], { userPassword: 'segredo' })
    await assert.rejects(read(locked), isInvalida(/protegido por senha/, ''))
    const book = await pdfOf(Array.from({ length: 21 }, () => linhasDe()))
    await assert.rejects(read(book), isInvalida(/longo demais/, ''))
    await assert.rejects(
      read(await pdfOf([['Recibo', 'CNPJ: 11.222.333/0001-81']])),
      isInvalida(/sem o título/, ''),
    )
  })

  test('two certificates in one file, of two firms', async () => {
    const two = await pdfOf([linhasDe(), linhasDe({ cnpj: 'CNPJ: 11.222.334/0001-26' })])
    await assert.rejects(read(two), isInvalida(/mais de um CNPJ/))
    const same = await pdfOf([linhasDe(), linhasDe()])
    assert.equal((await read(same)).status, 'negativa')
  })

  test('bytes before the mark of a PDF are borne, and the file comes back as it came', async () => {
    const pdf = Buffer.concat([Buffer.from('\r\n\r\n'), await whole()])
    assert.equal((await read(pdf)).pdf_base64, pdf.toString('base64'))
  })
})
