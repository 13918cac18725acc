import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EspecieFederal } from '../../src/federal/rules.ts'
import { readTexto } from '../../src/federal/source-certidao.ts'
import {
  AGORA,
  CNPJ,
  corpos,
  EFEITOS,
  especies,
  isInvalida,
  leitura,
  linhasDe,
  NADA_CONSTA,
  type Papel,
  titulos,
} from '../kit/papers.ts'

const MATRIZ_DE_OUTRA_ORDEM = '11222333000262'
const COM_LETRAS = '12ABC34501DE35'

const textoDe = (papel: Papel = {}): string => linhasDe(papel).join('\n')
const ler = (papel: Papel = {}, cnpj = CNPJ, now = AGORA) => readTexto(textoDe(papel), leitura(cnpj, now))

function refused(
  papel: Papel,
  why: RegExp,
  dizeres = titulos[papel.especie ?? 'negativa'],
  cnpj = CNPJ,
): void {
  assert.throws(() => ler(papel, cnpj), isInvalida(why, dizeres))
}

describe('the certificate is delivered only if the PDF declares the queried CNPJ', () => {
  const another = /não é deste CNPJ/

  test('its fourteen digits are read with their punctuation and without it', () => {
    for (const cnpj of ['CNPJ: 11.222.333/0001-81', 'CNPJ: 11222333000181', 'CNPJ : 11.222.333/0001-81'])
      assert.equal(ler({ cnpj }).status, 'negativa', cnpj)
  })

  test('a CNPJ with letters is read as any', () => {
    for (const cnpj of ['CNPJ: 12.ABC.345/01DE-35', 'CNPJ: 12ABC34501DE35'])
      assert.equal(ler({ cnpj }, COM_LETRAS).status, 'negativa', cnpj)
    refused({ cnpj: 'CNPJ: 12.ABC.345/01DF-35' }, another, titulos.negativa, COM_LETRAS)
  })

  test('a paper with only the root counts for order number 0001 alone', () => {
    for (const cnpj of ['CNPJ: 11.222.333', 'CNPJ: 11222333', 'CNPJ: 11.222.333.']) {
      assert.equal(ler({ cnpj }).status, 'negativa', cnpj)
      refused({ cnpj }, another, titulos.negativa, MATRIZ_DE_OUTRA_ORDEM)
      refused({ cnpj }, another, titulos.negativa, '11222334000126')
    }
    assert.equal(ler({ cnpj: 'CNPJ: 12.ABC.345' }, '12ABC345000137').status, 'negativa')
    refused({ cnpj: 'CNPJ: 12.ABC.345' }, another, titulos.negativa, COM_LETRAS)
  })

  test('the head office is not the branch, nor another firm the same', () => {
    refused({}, another, titulos.negativa, MATRIZ_DE_OUTRA_ORDEM)
    refused({ cnpj: 'CNPJ: 11.222.333/0002-62' }, another)
    refused({ cnpj: 'CNPJ: 11.222.334/0001-26' }, another)
  })

  test('a number that is cut, longer, missing or a person’s is not it', () => {
    for (const cnpj of [
      'CNPJ: 11.222.333/0001-',
      'CNPJ: 11.222.333/0001',
      'CNPJ: 11.222.333/0001-811',
      'CNPJ: 112223330001812',
      'CNPJ:',
      '',
      'CPF: 529.982.247-25',
      'CNPJ: **.222.333/0001-**',
    ])
      refused({ cnpj }, another)
  })

  test('a paper without a number is not the one of a CNPJ that begins with 0001', () => {
    refused({ cnpj: 'CNPJ:' }, another, titulos.negativa, '00012345000165')
  })

  test('the first CNPJ after the title is the declared one, and one before it is not', () => {
    refused({ titulo: `CNPJ: 11.222.333/0001-81\n${titulos.negativa}`, cnpj: '' }, another)
    const antes = `CNPJ: 00.394.460/0058-87\n${titulos.negativa}`
    assert.equal(ler({ titulo: antes }).status, 'negativa')
    refused({ nome: 'Nome: EMPRESA CNPJ: 11.222.334/0001-26 LTDA' }, another)
  })

  test('a paper that declares two is nobody’s', () => {
    refused(
      { nome: 'Nome: EMPRESA CNPJ: 11.222.333/0001-81', cnpj: 'CNPJ: 11.222.334/0001-26' },
      /mais de um CNPJ/,
    )
    refused({ cnpj: 'CNPJ: 11.222.333/0001-81\nCNPJ:' }, /mais de um CNPJ/)
    assert.equal(ler({ cnpj: 'CNPJ: 11.222.333/0001-81\nCNPJ: 11222333000181' }).status, 'negativa')
  })
})

describe('the kind is the title’s alone, and the body must not say another', () => {
  const contradiction = /se contradiz/
  const { negativa, positiva_com_efeitos_de_negativa: cpen, positiva } = titulos

  test('a paper with another title, or without one, is no federal certificate', () => {
    for (const titulo of [
      'CERTIDÃO NEGATIVA DE DÉBITOS',
      'CERTIDÃO',
      negativa.replace('DA UNIÃO', 'DO ESTADO'),
      'CERTIDÃO DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO',
    ])
      refused({ titulo }, /sem o título/, '')
  })

  test('two titles are a contradiction, and both are told', () => {
    refused({ titulo: `${negativa}\n${cpen}` }, contradiction, `${cpen} / ${negativa}`)
    refused({ titulo: `${positiva}\n${negativa}` }, contradiction, `${positiva} / ${negativa}`)
    const especie = 'positiva_com_efeitos_de_negativa'
    refused({ especie, titulo: `${cpen}\n${negativa}` }, contradiction, `${cpen} / ${negativa}`)
  })

  test('a letter whose accent the extractor lost, with the letter or without, is borne in titles and labels', () => {
    for (const letter of ['', '?', '\ufffd', 'A']) {
      const lost = (texto: string): string => texto.normalize('NFC').replace(/[^ -~]/g, letter)
      const valida = lost('Válida até 19/05/2027.')
      const emitida = lost('Emitida às 10:11:12 do dia 20/11/2026.')
      const codigo = lost('Código de controle da certidão: 1A2B.3C4D.5E6F.7A8B')
      assert.equal(ler({ titulo: lost(negativa), valida, emitida, codigo }).status_raw, negativa, letter)
    }
  })

  test('a title that is printed twice, on each page, is one', () => {
    assert.equal(ler({ titulo: `${negativa}\n${negativa}` }).status, 'negativa')
  })

  /** Debts may be suspended, whether a short body says so or not. */
  const isBorne = (titulo: EspecieFederal, corpo: EspecieFederal): boolean =>
    titulo === 'positiva_com_efeitos_de_negativa' && corpo === 'positiva'

  for (const especie of especies)
    for (const outra of especies)
      if (especie !== outra)
        test(`the title says ${especie} and the body ${outra}`, () => {
          for (const corpo of corpos[outra])
            if (isBorne(especie, outra)) assert.equal(ler({ especie, corpo }).status, especie)
            else refused({ especie, corpo }, contradiction)
        })

  test('one sentence of the other kind is enough', () => {
    const [corpo = []] = corpos.negativa
    refused({ corpo: [...corpo, EFEITOS] }, contradiction)
    refused({ corpo: [...corpo, 'Constam débitos vencidos.'] }, contradiction)
    const [suspensos = []] = corpos.positiva_com_efeitos_de_negativa
    refused(
      { especie: 'positiva_com_efeitos_de_negativa', corpo: [...suspensos, NADA_CONSTA] },
      contradiction,
    )
  })
})

describe('dates and control code', () => {
  test('each is required, once', () => {
    refused({ emitida: 'Emitida em Brasília.' }, /sem data de emissão/)
    refused({ emitida: 'Emitida às 10:11:12 do dia 31/11/2026.' }, /sem data de emissão/)
    refused({ valida: 'Validade: 19/05/2027.' }, /sem validade/)
    refused({ valida: 'Válida até 30/02/2027.' }, /sem validade/)
    refused({ valida: 'Válida até 19/05/20271.' }, /sem validade/)
    for (const codigo of [
      'Código: 1A2B.3C4D.5E6F.7A8B',
      'Código de controle da certidão: 1A2B.3C4D.5E6F',
      'Código de controle da certidão: 1A2B.3C4D.5E6F.7A8G',
      'Código de controle da certidão: 1A2B.3C4D.5E6F.7A8B.9C0D',
    ])
      refused({ codigo }, /sem código de controle/)
  })

  test('a second value is a contradiction, but a firm may be called "Válida até 31/12/2099"', () => {
    refused({ valida: 'Válida até 19/05/2027. Válida até 31/12/2026.' }, /dois valores de validade/)
    const outra = 'Código de controle da certidão: AAAA.AAAA.AAAA.AAAA'
    refused({ codigo: `Código de controle da certidão: 1A2B.3C4D.5E6F.7A8B ${outra}` }, /dois valores de/)
    const lida = ler()
    for (const nome of [
      'VÁLIDA ATÉ 31/12/2099',
      'EMITIDA ÀS 10:11:12 DO DIA 19/11/2026',
      outra.toUpperCase(),
      'NÃO CONSTAM PENDÊNCIAS EM SEU NOME LTDA',
      'CONSTAM DÉBITOS LTDA',
      'CNPJ: LTDA',
      'CERTIDÃO POSITIVA DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO LTDA',
    ])
      assert.deepEqual(ler({ nome: `Nome: ${nome}` }), lida, nome)
  })

  test('the control code is told in capitals', () => {
    assert.equal(
      ler({ codigo: 'Código de controle da certidão: 1a2b.3c4d.5e6f.7a8b' }).protocolo,
      '1A2B.3C4D.5E6F.7A8B',
    )
  })

  test('the hour may have no seconds', () => {
    assert.equal(ler({ emitida: 'Emitida às 9:05 do dia 20/11/2026.' }).emissao, '2026-11-20')
  })

  test('a validity before the issue, or more than a year after it, cannot be', () => {
    const emitida = 'Emitida às 10:11:12 do dia 20/11/2026.'
    refused({ emitida, valida: 'Válida até 19/11/2026.' }, /datas não se entendem/)
    refused({ emitida, valida: 'Válida até 22/11/2027.' }, /datas não se entendem/)
    assert.equal(ler({ emitida, valida: 'Válida até 21/11/2027.' }).validade, '2027-11-21')
    assert.equal(ler({ emitida, valida: 'Válida até 20/11/2026.' }).validade, '2026-11-20')
  })

  test('an issue in the future beyond a day cannot be', () => {
    assert.equal(ler({ emitida: 'Emitida às 00:00:01 do dia 21/11/2026.' }).emissao, '2026-11-21')
    refused({ emitida: 'Emitida às 00:00:01 do dia 22/11/2026.' }, /datas não se entendem/)
  })

  test('an expired certificate is none, from midnight in Brasília on', () => {
    const midnight = new Date('2027-05-20T03:00:00Z')
    assert.equal(ler({}, CNPJ, new Date(midnight.getTime() - 1)).validade, '2027-05-19')
    assert.throws(() => ler({}, CNPJ, midnight), isInvalida(/não vale mais/))
  })
})
