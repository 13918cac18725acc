import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Achado } from '../../src/domain/rejeicoes/laudo.ts'
import type { Condicao, Verificacao } from '../../src/domain/rejeicoes/verificacao.ts'
import { ondeDe } from '../../src/domain/verificacoes/onde.ts'
import { prepararVerificacoes } from '../../src/domain/verificacoes/verificar.ts'
import { lerNota } from '../../tools/rejeicoes/ler-nota.ts'

const nota = lerNota(`<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe35" versao="4.00">
  <ide><cUF>35</cUF><mod>55</mod><nNF>7</nNF><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><dSai>2026-11-21</dSai><torto>1,5</torto><vazio/></ide>
  <emit><CNPJ>11222333000181</CNPJ><IE>110042490114</IE><UF>SP</UF><cMun>3550308</cMun></emit>
  <det nItem="1"><prod><cod>A</cod><q>2.0000</q><v>0.1</v><NCM>1</NCM></prod><imposto><ICMS><ICMS00><CST>00</CST></ICMS00></ICMS></imposto></det>
  <det nItem="2"><prod><cod>B</cod><q>3</q><v>0.2</v></prod><imposto><ICMS><ICMS40><CST>40</CST></ICMS40></ICMS></imposto></det>
  <total><v>0.3</v></total>
</infNFe><infNFeSupl><qrCode>https://x</qrCode></infNFeSupl></NFe>`)

const modelo = {
  id: '999-prova',
  codigo: 999,
  titulo: 'Prova',
  descricao: 'Prova.',
  campos: ['det/prod/cod'],
  dependencia: 'xml',
  mensagem_falha: 'Item {./@nItem}: {./prod/cod}, {./prod/NCM}.',
  fonte: { documento: 'MOC', regra: 'X' },
  exemplo: { nota: 'x', errado: [] },
} as const satisfies Partial<Verificacao> & { codigo: number }

const contexto = {
  agora: '2026-11-23T00:30:00-03:00',
  tabela: (nome: string, valor: string) => (nome === 'cores' ? valor === 'azul' : undefined),
  valor: (nome: string) => (nome === 'chave' ? '35' : undefined),
}

function verificar(partes: Partial<Verificacao> & { regra: Condicao }): Achado {
  const [achado] = prepararVerificacoes([{ ...modelo, ...partes }])(nota, contexto)
  assert.ok(achado)
  return achado
}

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
  [{ igual: [{ apos: [{ v: 'ide/nNF' }, '?p='] }, ''] }, true],
  [{ igual: [{ mais: ['2024-02-29', 1, 'anos'] }, '2025-02-28'] }, true],
  [{ igual: [{ mais: ['2026-12-31T23:59:00-03:00', 2, 'minutos'] }, '2027-01-01T00:01:00-03:00'] }, true],
  [{ igual: [{ mais: ['ontem', 1, 'dias'] }, ''] }, undefined],
  [{ antes: [{ v: 'ide/dhEmi' }, { contexto: 'agora' }] }, true],
  [{ antes: ['2026-11-20T12:00:00Z', { v: 'ide/dhEmi' }] }, true],
  [{ antes: [{ v: 'ide/dSai' }, { v: 'ide/dhEmi' }] }, false],
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
  [{ unicos: 'det', por: 'ide/nNF' }, false],
  [{ tabela: ['cores', 'azul'] }, true],
  [{ tabela: ['cores', 'verde'] }, false],
  [{ tabela: ['sons', 'azul'] }, undefined],
  [{ dv: ['chave', '35'] }, false],
  [{ dv: ['cnpj', { v: 'emit/CNPJ' }] }, true],
  [{ dv: ['cpf', '52998224725'] }, true],
  [{ dv: ['documento', '52998224724'] }, false],
  [{ dv: ['gtin', '7891000315507'] }, true],
  [{ dv: ['gtin', '7891000315508'] }, false],
  [{ dv: ['ie-da-uf', { v: 'emit/UF' }, { v: 'emit/IE' }] }, true],
  [{ dv: ['ie-da-uf', 'SP', '110042490115'] }, false],
  [{ dv: ['ie-da-uf', 'AC', '100482300112'] }, true],
  [{ dv: ['ie-da-uf', '35', '110042490114'] }, true],
  [{ dv: ['municipio', { v: 'emit/cMun' }] }, true],
  [{ dv: ['municipio', '3550309'] }, false],
  [{ dv: ['municipio', '4305871'] }, true],
]

const nomeDe = { true: 'ok', false: 'falha', undefined: 'indeterminado' } as const

for (const [regra, vale] of casos)
  test(`${JSON.stringify(regra)} gives ${nomeDe[`${vale}`]}`, () => {
    assert.equal(verificar({ regra }).resultado, nomeDe[`${vale}`])
  })

test('a check runs at each element of its scope, and tells each place that failed', () => {
  const achado = verificar({
    escopo: 'det',
    campos: ['ide/nNF', 'det/prod/NCM'],
    regra: { presente: './prod/NCM' },
  })
  assert.deepEqual(achado, {
    id: '999-prova',
    codigo: 999,
    titulo: 'Prova',
    aplicacao: 'obrigatoria',
    resultado: 'falha',
    omitidas: 0,
    ocorrencias: [
      {
        onde: 'item 2, campo NCM',
        campos: [
          { caminho: 'ide/nNF', valor: '7' },
          { caminho: 'det[2]/prod/NCM', valor: null },
        ],
        mensagem: 'Item 2: B, não informado.',
      },
    ],
  })
})

test('a condition that is false, an exception that is true, another model and another day are not applicable', () => {
  const regra: Condicao = { presente: 'nada' }
  const fora: Partial<Verificacao>[] = [
    { quando: { presente: 'nada' } },
    { exceto: [{ presente: 'nada' }, { presente: 'ide' }] },
    { modelos: ['65'] },
    { vigencia: { de: '2026-11-24' } },
    { vigencia: { ate: '2026-11-22' } },
    { escopo: 'nada' },
  ]
  for (const partes of fora) assert.equal(verificar({ ...partes, regra }).resultado, 'nao_aplicavel')
  assert.equal(
    verificar({ regra, modelos: ['55'], vigencia: { de: '2026-11-23', ate: '2026-11-23' } }).resultado,
    'falha',
  )
})

test('where it is unknown whether a check applies, it fails nobody', () => {
  const quando: Condicao = { igual: [{ contexto: 'nada' }, '1'] }
  assert.equal(verificar({ quando, regra: { presente: 'nada' } }).resultado, 'indeterminado')
  assert.equal(verificar({ quando, regra: { presente: 'ide' } }).resultado, 'ok')
  assert.equal(verificar({ exceto: [quando], regra: { presente: 'nada' } }).resultado, 'indeterminado')
})

test('a message tells both sides of the comparison', () => {
  const achado = verificar({
    regra: { fecha: [{ soma: 'det/prod/q' }, { vezes: [{ v: 'total/v' }, '0.125'] }] },
    mensagem_falha: 'Somam {encontrado}; eram {esperado}.',
  })
  assert.equal(achado.ocorrencias[0]?.mensagem, 'Somam 5.00; eram 0.0375.')
})

test('fifty places of a check are told and the others are counted', () => {
  const det = '<det><prod/></det>'
  const grande = lerNota(`<infNFe>${det.repeat(60)}</infNFe>`)
  const [achado] = prepararVerificacoes([{ ...modelo, escopo: 'det', regra: { presente: './prod/x' } }])(
    grande,
    contexto,
  )
  assert.equal(achado?.ocorrencias.length, 50)
  assert.equal(achado?.omitidas, 10)
})

test('a rule that cannot be compiled names its check', () => {
  assert.throws(() => verificar({ regra: { casa: ['x', '('] } }), /999-prova/)
  assert.throws(() => verificar({ regra: { menor: ['1,5', '2'] } }), /999-prova/)
})

test('a place is told as people say it', () => {
  assert.equal(ondeDe('det[5]/prod/NCM'), 'item 5, campo NCM')
  assert.equal(ondeDe('dest/enderDest/xMun'), 'destinatário, endereço, campo xMun')
  assert.equal(ondeDe('total/ICMSTot/vNF'), 'totais, campo vNF')
  assert.equal(ondeDe('pag/detPag[2]/tPag'), 'pagamento, forma 2, campo tPag')
  assert.equal(ondeDe('det[1]/imposto/IPI/CST'), 'item 1, IPI, campo CST')
  assert.equal(ondeDe('@Id'), 'atributo Id')
  assert.equal(ondeDe(''), 'nota')
})
