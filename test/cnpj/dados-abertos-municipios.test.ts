import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const PREFIXO_IBGE: Record<string, string> = {
  RO: '11',
  AC: '12',
  AM: '13',
  RR: '14',
  PA: '15',
  AP: '16',
  TO: '17',
  MA: '21',
  PI: '22',
  CE: '23',
  RN: '24',
  PB: '25',
  PE: '26',
  AL: '27',
  SE: '28',
  BA: '29',
  MG: '31',
  ES: '32',
  RJ: '33',
  SP: '35',
  PR: '41',
  SC: '42',
  RS: '43',
  MS: '50',
  MT: '51',
  GO: '52',
  DF: '53',
}

const [cabecalho, ...linhas] = readFileSync(
  new URL('../../data/municipios-siafi.csv', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
const municipios = linhas.map((linha) => linha.split(','))

test('the municipality table has every municipality, each TOM and IBGE code once', () => {
  assert.equal(cabecalho, 'tom_siafi,ibge,uf,nome')
  assert.ok(municipios.length >= 5570, `${municipios.length} rows`)
  assert.equal(new Set(municipios.map(([tom]) => tom)).size, municipios.length)
  assert.equal(new Set(municipios.map(([, ibge]) => ibge)).size, municipios.length)
})

test('every municipality has well formed codes and an IBGE prefix that is its state', () => {
  for (const [tom, ibge, uf, nome] of municipios) {
    assert.match(tom ?? '', /^\d{4}$/)
    assert.match(ibge ?? '', /^\d{7}$/)
    assert.equal(ibge?.slice(0, 2), PREFIXO_IBGE[uf ?? ''], `${tom} ${nome}`)
    assert.match(nome ?? '', /^[A-Z][A-Z' ().-]+$/)
  }
})

test('the municipality table knows the capitals and the newest municipality', () => {
  const ibge = new Map(municipios.map(([tom, codigo]) => [tom, codigo]))
  assert.equal(ibge.get('7107'), '3550308')
  assert.equal(ibge.get('6001'), '3304557')
  assert.equal(ibge.get('9701'), '5300108')
  assert.equal(ibge.get('1182'), '5101837')
})
