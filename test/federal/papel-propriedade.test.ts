import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readTexto } from '../../src/federal/source-certidao.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { vezes } from '../kit/basics.ts'
import { indicios, marcas, ruido } from '../kit/certidao-properties.ts'
import { corpos, especies, leitura, linhasDe, titulos } from '../kit/papers.ts'
import { anyPoint } from '../kit/points.ts'

const papelArb = fc
  .constantFrom(...especies)
  .chain((especie) => fc.constantFrom(...corpos[especie]).map((corpo) => ({ especie, corpo })))

/** What is read of a text. Undefined if nothing is delivered. */
function readOf(texto: string, cnpj?: string): ReturnType<typeof readTexto> | undefined {
  try {
    return readTexto(texto, leitura(cnpj))
  } catch (error) {
    assert.ok(error instanceof SourceError && error.codigo === 'certidao-invalida', String(error))
    return undefined
  }
}

/** Capitals beside soft hyphens or hard spaces may spell other letters: `Ã` and a soft hyphen are `í`. */
const isLegible = (texto: string): boolean => texto !== texto.toUpperCase() || !/[\xa0\xad]/.test(texto)

const runs = { numRuns: vezes(1000) }

test('every genuine paper keeps its kind, dates and control code under noise', () => {
  fc.assert(
    fc.property(papelArb, ruido, ({ especie, corpo }, suja) => {
      const texto = suja(linhasDe({ especie, corpo }).join('\n'))
      fc.pre(isLegible(texto))
      const lida = readOf(texto)
      assert.deepEqual(
        lida,
        {
          status: especie,
          status_raw: titulos[especie],
          emissao: '2026-11-20',
          validade: '2027-05-19',
          protocolo: '1A2B.3C4D.5E6F.7A8B',
        },
        JSON.stringify(texto),
      )
    }),
    runs,
  )
})

test('no control code changes what a paper says, also with letters that are a word of debts', () => {
  const grupo = fc
    .integer({ min: 0, max: 0xffff })
    .map((valor) => valor.toString(16).toUpperCase().padStart(4, '0'))
  const comCda = fc.integer({ min: 0, max: 15 }).map((valor) => `CDA${valor.toString(16).toUpperCase()}`)
  const codigos = fc.tuple(...[1, 2, 3, 4].map(() => fc.oneof(grupo, comCda)))
  fc.assert(
    fc.property(papelArb, codigos, fc.constantFrom(' ', ''), ({ especie, corpo }, grupos, vao) => {
      const protocolo = grupos.join('.')
      const codigo = `Código de controle da certidão: ${protocolo}`
      const lida = readOf(linhasDe({ especie, corpo, codigo }).join('\n').replaceAll(' ', vao))
      assert.deepEqual([lida?.status, lida?.protocolo], [especie, protocolo])
    }),
    runs,
  )
})

test('no negative title is believed beside words of debts, whatever the noise', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...marcas, ...indicios.map((one) => `${one}.`)),
      fc.integer({ min: 6, max: 12 }),
      ruido,
      (marca, at, suja) => {
        const linhas = linhasDe()
        // After the CNPJ, as a sentence of its own.
        linhas.splice(at, 0, marca)
        const texto = suja(linhas.join('\n'))
        fc.pre(isLegible(texto))
        assert.notEqual(readOf(texto)?.status, 'negativa', JSON.stringify(texto))
      },
    ),
    runs,
  )
})

test('no noise makes a paper another firm’s, and none that lacks a value is delivered', () => {
  const lacks = fc.constantFrom(
    { titulo: 'CERTIDÃO' },
    { cnpj: 'CNPJ: 11.222.334/0001-26' },
    { cnpj: 'Inscrição: 11.222.333/0001-81' },
    { emitida: 'Emitida por solicitação.' },
    { valida: 'Válida até a data indicada.' },
    { codigo: 'Código de controle da certidão: XXXX.XXXX.XXXX.XXXX' },
  )
  fc.assert(
    fc.property(papelArb, lacks, ruido, (papel, falta, suja) => {
      assert.equal(readOf(suja(linhasDe({ ...papel, ...falta }).join('\n'))), undefined)
    }),
    runs,
  )
})

test('any text at all is a certificate or a failure, and never an error of ours', () => {
  const pedaco = fc.constantFrom(
    ...especies.flatMap((especie) => linhasDe({ especie })),
    'CNPJ:',
    'Válida até',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pedaco, fc.string({ unit: anyPoint })), { maxLength: 30 }), (pedacos) => {
      readOf(pedacos.join('\n'))
    }),
    { numRuns: vezes(500) },
  )
})
