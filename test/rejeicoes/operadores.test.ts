import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Condicao } from '../../src/domain/rejeicoes/verificacao.ts'
import { digitos } from '../../src/domain/verificacoes/digitos.ts'
import { verificar } from './cena.ts'

const casos: [Condicao, boolean | undefined][] = [
  [{ presente: 'ide/nNF' }, true],
  [{ presente: 'ide/nada' }, false],
  [{ presente: '@Id' }, true],
  [{ presente: '@nada' }, false],
  [{ ausente: 'ide/nada' }, true],
  [{ ausente: 'ide/vazio' }, false],
  [{ presente: 'infNFeSupl/qrCode' }, true],
  [{ igual: [{ v: '@versao' }, '4.00'] }, true],
  [{ igual: [{ v: 'ide/nada' }, ''] }, true],
  [{ igual: [{ v: 'ide/nNF' }, { contexto: 'nada' }] }, undefined],
  [{ difere: [{ v: 'ide/cUF' }, { contexto: 'chave' }] }, false],
  [{ difere: [{ contexto: 'nada' }, '1'] }, undefined],
  [{ em: [{ v: 'det/imposto/ICMS/*/CST' }, ['00']] }, true],
  [{ em: [{ v: 'ide/mod' }, ['65']] }, false],
  [{ em: [{ contexto: 'nada' }, ['65']] }, undefined],
  [{ casa: [{ v: 'ide/nNF' }, '^\\d$'] }, true],
  [{ casa: [{ v: 'ide/nNF' }, '^\\d\\d$'] }, false],
  [{ casa: [{ contexto: 'nada' }, '.'] }, undefined],
  [{ igual: [{ parte: [{ v: '@Id' }, 3, 5] }, '35'] }, true],
  [{ igual: [{ junta: [{ v: 'ide/mod' }, '|', { zeros: [{ v: 'ide/nNF' }, 3] }] }, '55|007'] }, true],
  [{ igual: [{ digitos: 'R$ 1.5' }, '15'] }, true],
  [{ igual: [{ apos: ['a?p=b?p=c', '?p='] }, 'b?p=c'] }, true],
  [{ igual: [{ apos: [{ v: '@Id' }, '?p='] }, ''] }, true],
  [{ igual: [{ mais: ['2024-02-29', 1, 'anos'] }, '2025-02-28'] }, true],
  [{ igual: [{ mais: ['2026-12-31T23:59:00-03:00', 2, 'minutos'] }, '2027-01-01T00:01:00-03:00'] }, true],
  [{ igual: [{ mais: ['ontem', 1, 'dias'] }, ''] }, undefined],
  [{ antes: [{ v: 'ide/dhEmi' }, { contexto: 'agora' }] }, true],
  [{ antes: ['2026-11-20T12:00:00Z', { v: 'ide/dhEmi' }] }, true],
  [{ antes: [{ v: 'ide/dSai' }, { v: 'ide/dhEmi' }] }, false],
  [{ antes: ['2026-11-20T10:00:00-03:00', { v: 'ide/dhEmi' }] }, false],
  [{ antes: ['2026-11-20T12:59:59Z', { v: 'ide/dhEmi' }] }, true],
  [{ antes: ['2026-11-20', { v: 'ide/dhEmi' }] }, false],
  [{ antes: [{ mais: [{ v: 'ide/nada' }, 1, 'dias'] }, { v: 'ide/dhEmi' }] }, false],
  [{ igual: [{ mais: ['', 1, 'dias'] }, ''] }, true],
  [{ igual: [{ mais: ['2026-02-28', 1, 'dias'] }, '2026-03-01'] }, true],
  [{ igual: [{ mais: ['2026-01-31', 1, 'meses'] }, '2026-02-28'] }, true],
  [{ antes: [{ v: 'ide/nada' }, { v: 'ide/dhEmi' }] }, false],
  [{ antes: [{ v: 'ide/nNF' }, { v: 'ide/dhEmi' }] }, undefined],
  [{ fecha: [{ soma: 'det/prod/v' }, { v: 'total/v' }] }, true],
  [{ fecha: [{ v: 'total/v' }, '0.31'] }, false],
  [{ fecha: [{ v: 'total/v' }, '0.31'], tol: '0.01' }, true],
  [{ fecha: [{ v: 'ide/nada' }, '0'] }, true],
  [{ fecha: [{ v: 'ide/torto' }, '1.5'] }, undefined],
  [{ fecha: [{ v: 'ide/vazio' }, '0'] }, undefined],
  [
    {
      fecha: [{ soma: './prod/q', em: 'det', se: { igual: [{ v: './imposto/ICMS/*/CST' }, '40'] } }, '3'],
    },
    true,
  ],
  [{ fecha: [{ soma: ['1', '2.5'] }, { menos: ['4', '0.3', '0.2'] }] }, true],
  [{ fecha: [{ vezes: ['0.0000000001', '0.5'] }, '0.0000000001'] }, true],
  [{ fecha: [{ dividido: ['2', '3'] }, '0.6666666667'] }, true],
  [{ fecha: [{ dividido: ['-1', '8'] }, '-0.125'] }, true],
  [{ fecha: [{ dividido: ['1', '0'] }, '0'] }, undefined],
  [{ fecha: [{ conta: 'det' }, '2'] }, true],
  // A sum is unknown if one of its parts is, or if it is unknown whether it counts.
  [{ fecha: [{ soma: 'ide/*' }, '0'] }, undefined],
  [{ maior: [{ v: 'ide/enorme' }, '0'] }, undefined],
  [{ fecha: [{ soma: ['1', { v: 'ide/torto' }] }, '1'] }, undefined],
  [{ fecha: [{ soma: './prod/q', em: 'det', se: { igual: [{ contexto: 'nada' }, ''] } }, '5'] }, undefined],
  [{ fecha: ['7', '6.49'], tol: '0.50' }, false],
  [{ fecha: ['6.50', '7'], tol: '0.50' }, true],
  [{ fecha: [{ v: 'det/@nItem' }, '1'] }, true],
  [{ fecha: [{ v: '@Id' }, '35'] }, undefined],
  [{ menor: [{ v: 'ide/nNF' }, '7.0000000001'] }, true],
  [{ menor: [{ v: 'ide/nNF' }, '7'] }, false],
  [{ menor: [{ v: 'ide/torto' }, '7'] }, undefined],
  [{ maior: [{ v: 'ide/nNF' }, '-7'] }, true],
  [{ maior: [{ v: 'ide/nNF' }, '7'] }, false],
  [{ e: [{ presente: 'ide' }, { presente: 'emit' }] }, true],
  [{ e: [{ igual: [{ contexto: 'nada' }, ''] }, { presente: 'nada' }] }, false],
  [{ e: [{ igual: [{ contexto: 'nada' }, ''] }, { presente: 'ide' }] }, undefined],
  [{ ou: [{ igual: [{ contexto: 'nada' }, ''] }, { presente: 'ide' }] }, true],
  [{ ou: [{ presente: 'nada' }, { presente: 'nem' }] }, false],
  [{ ou: [{ igual: [{ contexto: 'nada' }, ''] }, { presente: 'nada' }] }, undefined],
  [{ nao: { presente: 'nada' } }, true],
  [{ nao: { igual: [{ contexto: 'nada' }, ''] } }, undefined],
  [{ todos: 'det', sa: { presente: './prod/q' } }, true],
  [{ todos: 'det', sa: { presente: './prod/NCM' } }, false],
  [{ todos: 'nada', sa: { presente: './x' } }, true],
  [{ todos: 'det', sa: { igual: [{ contexto: 'nada' }, ''] } }, undefined],
  [{ algum: 'det', sa: { presente: './prod/NCM' } }, true],
  [{ algum: 'nada', sa: { presente: './x' } }, false],
  [{ algum: 'det', sa: { igual: [{ contexto: 'nada' }, ''] } }, undefined],
  [{ unicos: 'det', por: './prod/cod' }, true],
  [{ unicos: 'det/@nItem' }, true],
  [{ unicos: 'ide/*' }, true],
  // Those without the text do not count, however many they are.
  [{ unicos: 'det', por: './prod/nada' }, true],
  [{ unicos: 'det', por: './imposto/nada/*' }, true],
  [{ algum: 'det/prod/cod', sa: { igual: [{ v: '.' }, 'B'] } }, true],
  [{ todos: 'det/prod/cod', sa: { igual: [{ v: '.' }, 'A'] } }, false],
  [{ casa: ['😀', '^.$'] }, true],
  [{ unicos: 'det', por: 'ide/nNF' }, false],
  [{ tabela: ['cores', 'azul'] }, true],
  [{ tabela: ['cores', 'verde'] }, false],
  [{ tabela: ['sons', 'azul'] }, undefined],
  [{ dv: ['chave', '35'] }, false],
  [{ dv: ['cnpj', { v: 'emit/CNPJ' }] }, true],
  [{ dv: ['cpf', '52998224725'] }, true],
  [{ dv: ['documento', '52998224724'] }, false],
  [{ dv: ['documento', '52998224725'] }, true],
  [{ dv: ['documento', { v: 'emit/CNPJ' }] }, true],
  [{ dv: ['gtin', '7891000315507'] }, true],
  [{ dv: ['gtin', '96385074'] }, true],
  [{ dv: ['gtin', '036000291452'] }, true],
  [{ dv: ['gtin', '17891000315504'] }, true],
  [{ dv: ['gtin', '360002914'] }, false],
  [{ dv: ['gtin', '7891000315508'] }, false],
  [{ dv: ['ie-da-uf', { v: 'emit/UF' }, { v: 'emit/IE' }] }, true],
  [{ dv: ['ie-da-uf', 'SP', '110042490115'] }, false],
  [{ dv: ['ie-da-uf', 'AC', '100482300112'] }, true],
  [{ dv: ['ie-da-uf', '35', '110042490114'] }, true],
  [{ dv: ['municipio', { v: 'emit/cMun' }] }, true],
  [{ dv: ['ie-da-uf', 'SP', '000000000000'] }, false],
  [{ dv: ['ie-da-uf', 'SP', ''] }, false],
  [{ dv: ['ie-da-uf', 'XX', '110042490114'] }, false],
  [{ dv: ['municipio', '3550309'] }, false],
  [{ dv: ['municipio', '355030'] }, false],
  [{ dv: ['municipio', '4305871'] }, true],
]

const nomeDe = { true: 'ok', false: 'falha', undefined: 'indeterminado' } as const

for (const [regra, vale] of casos)
  test(`${JSON.stringify(regra)} gives ${nomeDe[`${vale}`]}`, () => {
    assert.equal(verificar({ regra }).resultado, nomeDe[`${vale}`])
  })

test('every municipality that we carry passes the check of its digit', () => {
  const codigos = readFileSync(new URL('../../data/municipios-siafi.csv', import.meta.url), 'utf8')
    .split(/\r?\n/)
    .map((linha) => linha.split(',')[1] ?? '')
    .filter((codigo) => /^\d{7}$/.test(codigo))
  assert.ok(codigos.length > 5_000 && codigos.some((codigo) => codigo.endsWith('0')))
  assert.deepEqual(
    codigos.filter((codigo) => !digitos.municipio([codigo])),
    [],
  )
})
