import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCertidaoFederal } from '../../src/federal/source-certidao.ts'
import { corpos, especies, leitura, linhasDe, produtores, titulos } from '../kit/papers.ts'

for (const [nome, produzir] of Object.entries(produtores))
  describe(nome, () => {
    for (const especie of especies)
      for (const [variante, corpo] of corpos[especie].entries())
        test(`${especie}, body ${variante + 1}: kind, dates and control code are the paper's`, async () => {
          const pdf = await produzir(linhasDe({ especie, corpo }))
          assert.deepEqual(await readCertidaoFederal(pdf, leitura()), {
            status: especie,
            status_raw: titulos[especie],
            emissao: '2026-11-20',
            validade: '2027-05-19',
            protocolo: '1A2B.3C4D.5E6F.7A8B',
            pdf_base64: pdf.toString('base64'),
          })
        })

    test('the certificate of another CNPJ is none', async () => {
      await assert.rejects(readCertidaoFederal(await produzir(linhasDe()), leitura('11222334000126')), {
        kind: 'parse',
        codigo: 'certidao-invalida',
        dizeres: titulos.negativa,
      })
    })
  })
