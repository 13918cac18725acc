import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dataIso } from '../../src/cnpj/base/bytes.ts'
import type { Decoding } from '../../src/cnpj/base/coding.ts'
import { createTableIndex, FORA } from '../../src/cnpj/base/coding.ts'
import { getEstabelecimento, putEstabelecimento } from '../../src/cnpj/base/estabelecimento.ts'
import { getEmpresa, putEmpresa } from '../../src/cnpj/base/registro.ts'
import { createWordEncoder } from '../../src/cnpj/base/text.ts'

const palavras = ['LTDA', 'RUA', 'DA', 'SILVA', 'SALA']
const tabela = (codigos: string[]) => ({
  codigos,
  descricoes: codigos.map((codigo) => `descrição ${codigo}`),
})
const dominios = {
  cnaes: tabela(['0111301', '6204000']),
  municipios: { ...tabela(['7107', '9707']), ufs: ['SP', 'EX'], ibge: ['3550308', ''] },
  naturezas: tabela(['2062', '2135']),
  qualificacoes: tabela(['49']),
  motivos: tabela(['00', '01']),
}
const decoding: Decoding = { palavras, dominios, semMotivo: { codigo: '00', descricao: 'descrição 00' } }
const indice = (name: 'cnaes' | 'municipios' | 'naturezas' | 'qualificacoes' | 'motivos', width: number) =>
  createTableIndex(dominios[name], width, () => {})
const encoding = {
  palavras: createWordEncoder(palavras),
  cnaes: indice('cnaes', 7),
  municipios: indice('municipios', 4),
  naturezas: indice('naturezas', 4),
  qualificacoes: indice('qualificacoes', 2),
  motivos: indice('motivos', 2),
  ufs: dominios.municipios.ufs,
}

/** Puts texts side by side in one buffer, like the columns of a line. */
function lay(texts: string[]) {
  const bytes = Buffer.from(texts.join('|'), 'latin1')
  let at = 0
  const spans = texts.map((text) => {
    const span = { start: at, end: at + text.length }
    at += text.length + 1
    return span
  })
  return { bytes, span: (i: number) => spans[i] ?? { start: 0, end: 0 } }
}

const word = fc.stringMatching(/^[!-~\u00a1-\u00ff]{1,20}$/)
const texto = fc
  .array(fc.oneof(word, fc.constantFrom(...palavras)), { maxLength: 6 })
  .map((list) => list.join(' '))
const cnae = fc.oneof(fc.constantFrom('0111301', '6204000', ''), fc.stringMatching(/^[0-9]{7}$/))
const dias = fc.integer({ min: 0, max: 120_000 })

const linha = fc.record({
  matriz: fc.boolean(),
  situacao: fc.integer({ min: 0, max: FORA + 255 }),
  dataSituacao: dias,
  abertura: dias,
  cep: fc.integer({ min: 0, max: 99_999_999 }),
  motivo: fc.constantFrom('', '01', '93'),
  cnae,
  secundarios: fc.array(
    cnae.filter((codigo) => codigo !== ''),
    { maxLength: 20 },
  ),
  municipio: fc.constantFrom('7107', '9707', '0001', ''),
  uf: fc.constantFrom('SP', 'EX', 'RJ', ''),
  numero: fc.oneof(fc.constantFrom('', 'S/N', '0', '007', '10 A'), fc.stringMatching(/^[0-9]{1,12}$/), texto),
  textos: fc.tuple(texto, texto, texto, texto, texto),
})

test('an establishment reads as it was written, whatever its fields', () => {
  fc.assert(
    fc.property(linha, ({ textos, secundarios, ...row }) => {
      const [fantasia, tipo, logradouro, complemento, bairro] = textos
      const codigos = [row.motivo, row.cnae, secundarios.join(','), row.municipio, row.uf, row.numero]
      const { bytes, span } = lay([...codigos, ...textos])
      const out = { bytes: Buffer.alloc(1 << 14), at: 0 }
      putEstabelecimento(out, encoding, {
        ...row,
        bytes,
        motivo: span(0),
        cnae: span(1),
        secundarios: span(2),
        municipio: span(3),
        uf: span(4),
        numero: span(5),
        fantasia: span(6),
        tipo: span(7),
        logradouro: span(8),
        complemento: span(9),
        bairro: span(10),
      })
      const cursor = { bytes: out.bytes, at: 0 }
      const read = getEstabelecimento(cursor, decoding, false)
      assert.equal(cursor.at, out.at)
      assert.equal(read.matriz, row.matriz)
      if (row.situacao >= FORA) {
        assert.equal(Number(read.situacao.codigo), row.situacao - FORA)
      }
      assert.equal(read.data_situacao, dataIso(row.dataSituacao))
      assert.equal(read.data_abertura, dataIso(row.abertura))
      assert.equal(read.motivo.codigo, row.motivo || '00')
      assert.equal(read.cnae.codigo, row.cnae)
      assert.deepEqual(
        read.cnaes_secundarios.map((one) => one.codigo),
        secundarios,
      )
      assert.equal(read.nome_fantasia, fantasia)
      const place = dominios.municipios.codigos.indexOf(row.municipio)
      assert.deepEqual(read.endereco, {
        logradouro: `${tipo} ${logradouro}`.trim(),
        numero: row.numero,
        complemento,
        bairro,
        municipio: dominios.municipios.descricoes[place] ?? '',
        uf: row.uf,
        cep: row.cep === 0 ? '' : String(row.cep).padStart(8, '0'),
        codigo_ibge: dominios.municipios.ibge[place] ?? '',
      })
    }),
    { numRuns: 500 },
  )
})

const capital = fc.oneof(
  fc.constantFrom('', '0,00', '0,05', '-10,00', '999999999999,00', '1,234'),
  fc
    .tuple(fc.maxSafeNat(), fc.integer({ min: 0, max: 99 }))
    .map(([reais, c]) => `${reais},${String(c).padStart(2, '0')}`),
)

test('a company reads as it was written, its capital to the last digit', () => {
  const campos = fc.record({
    razao: texto,
    natureza: fc.constantFrom('2062', '2135', '9999', ''),
    porte: fc.integer({ min: 0, max: FORA + 255 }),
    capital,
  })
  fc.assert(
    fc.property(campos, ({ razao, natureza, porte, capital }) => {
      const { bytes, span } = lay([razao, natureza, capital])
      const out = { bytes: Buffer.alloc(1 << 12), at: 0 }
      const row = {
        bytes,
        razao: span(0),
        natureza: span(1),
        porte,
        capital: span(2),
        capitalBytes: bytes,
      }
      putEmpresa(out, encoding, row)
      const cursor = { bytes: out.bytes, at: 0 }
      const read = getEmpresa(cursor, decoding, false)
      assert.equal(cursor.at, out.at)
      assert.equal(read.razao_social, razao)
      assert.equal(read.natureza.codigo, natureza)
      assert.equal(read.capital_social, capital.replace(',', '.'))
      if (porte >= FORA) assert.equal(Number(read.porte.codigo), porte - FORA)
    }),
    { numRuns: 500 },
  )
})
