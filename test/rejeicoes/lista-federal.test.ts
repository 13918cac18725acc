import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decideByListaFederal,
  type EstabelecimentoNaBase,
  type RetratoDaBase,
} from '../../src/rejeicoes/rules-lista-federal.ts'
import type { DecisaoDoCadastro, ParteDaNota, PartesDaNota } from '../../src/rejeicoes/rules-partes.ts'
import { emVigorNoDia } from '../../src/rejeicoes/rules-partes.ts'
import { emitente, partes } from '../kit/rejeicoes.ts'

const COM_LETRAS = '12ABC34501DE35'

const ativa: EstabelecimentoNaBase = {
  situacao: '02',
  data_situacao: '2015-03-02',
  data_abertura: '2015-03-02',
  uf: 'SP',
  opcoes: undefined,
}

const base = (
  entrada?: Partial<EstabelecimentoNaBase>,
  given: Partial<RetratoDaBase> = {},
): RetratoDaBase => ({
  mes: '2026-11',
  de: '2026-11-14',
  ate: '2026-11-14',
  parcial: false,
  comOpcoes: true,
  find: () => entrada && { ...ativa, ...entrada },
  ...given,
})

const dita = (codigo: number, decisoes: readonly DecisaoDoCadastro[]): string => {
  const one = decisoes.find((decisao) => decisao.codigo === codigo)
  return [one?.resultado, one?.certeza].filter(Boolean).join(' ')
}
const crt = (valor: string, given: Partial<PartesDaNota> = {}): PartesDaNota =>
  partes({ emitente: { ...emitente, crt: valor }, ...given })
const opcoes = (
  simples: string,
  mei: string,
  data_opcao = '2018-01-01',
): EstabelecimentoNaBase['opcoes'] => ({
  simples: { opcao: simples, data_opcao, data_exclusao: '' },
  mei: { opcao: mei, data_opcao: mei === 'S' ? data_opcao : '', data_exclusao: '' },
})
const saiu = (em: string): EstabelecimentoNaBase['opcoes'] => ({
  simples: { opcao: 'N', data_opcao: '2018-01-01', data_exclusao: em },
  mei: { opcao: 'N', data_opcao: '', data_exclusao: '' },
})
/** A base of five months after the note. */
const depois = { mes: '2027-04', de: '2027-04-10', ate: '2027-04-10' }

const casos: [what: string, codigo: number, RetratoDaBase, resultado: string, PartesDaNota?][] = [
  ['active in the base of the month', 178, base(ativa), 'indeterminado'],
  [
    'active in the base of the month before',
    179,
    base(ativa, { mes: '2026-10', de: '2026-10-10', ate: '2026-10-10' }),
    'indeterminado',
  ],
  [
    'active in a base of two months before',
    179,
    base(ativa, { mes: '2026-09', de: '2026-09-12', ate: '2026-09-12' }),
    'indeterminado',
  ],
  [
    'the same, of its presence',
    178,
    base(ativa, { mes: '2026-09', de: '2026-09-12', ate: '2026-09-12' }),
    'indeterminado',
  ],
  ['active in a later base, and long since', 179, base(ativa, depois), 'ok certa'],
  ['the same, of its presence', 178, base(ativa, depois), 'ok certa'],
  [
    'active in a later base, and since later',
    179,
    base({ data_situacao: '2027-01-05' }, depois),
    'indeterminado',
  ],
  [
    'opened in the month of the note, in a later base',
    178,
    base({ data_abertura: '2026-11-01' }, depois),
    'indeterminado',
  ],
  ['opened last week, and in the base already', 178, base({ data_abertura: '2026-11-09' }), 'indeterminado'],
  ['not in the base', 178, base(), 'indeterminado'],
  ['not in the base of five months later', 178, base(undefined, depois), 'falha provavel'],
  ['who is not there is not irregular', 179, base(undefined, depois), 'nao_aplicavel'],
  ['not in a sample', 178, base(undefined, { ...depois, parcial: true }), 'indeterminado'],
  ['in another state', 178, base({ uf: 'RJ' }), 'indeterminado'],
  ['in another state, of its situation', 179, base({ uf: 'RJ', situacao: '08' }), 'indeterminado'],
  ['closed', 179, base({ situacao: '08', data_situacao: '2026-09-01' }), 'falha provavel'],
  [
    'closed, in an old base',
    179,
    base({ situacao: '08' }, { mes: '2026-06', de: '2026-06-13', ate: '2026-06-13' }),
    'falha provavel',
  ],
  ['closed, it is in the list', 178, base({ situacao: '08' }), 'indeterminado'],
  [
    'closed long before, in a later base',
    179,
    base({ situacao: '08', data_situacao: '2026-05-01' }, depois),
    'falha certa',
  ],
  [
    'closed near the note, in a later base',
    179,
    base({ situacao: '08', data_situacao: '2026-10-30' }, depois),
    'indeterminado',
  ],
  ['null', 179, base({ situacao: '01' }), 'falha provavel'],
  [
    'null, in a later base: it counts from the opening',
    179,
    base({ situacao: '01' }, depois),
    'indeterminado',
  ],
  ['suspended', 179, base({ situacao: '03' }), 'indeterminado'],
  ['unfit', 179, base({ situacao: '04' }), 'indeterminado'],
  ['a situation of no table', 179, base({ situacao: '05' }), 'indeterminado'],
  [
    'a base of the day of the note',
    179,
    base({ situacao: '08' }, { de: '2026-11-20', ate: '2026-11-20' }),
    'indeterminado',
  ],
  [
    'a base that does not tell its day',
    179,
    base({ situacao: '08' }, { de: '2026-11-01', ate: '2026-11-30' }),
    'indeterminado',
  ],
  [
    'a test issuer may pass in homologation',
    179,
    base({ situacao: '08' }),
    'indeterminado',
    partes({ ambiente: 'homologacao' }),
  ],
  [
    'an active issuer passes there, too',
    179,
    base(ativa),
    'indeterminado',
    partes({ ambiente: 'homologacao' }),
  ],
  ['no regime, CRT 3', 180, base(ativa), 'indeterminado'],
  ['no regime, CRT 1', 180, base(ativa), 'falha provavel', crt('1')],
  ['no regime, CRT 4', 180, base(ativa), 'falha provavel', crt('4')],
  ['Simples, CRT 1', 180, base({ opcoes: opcoes('S', 'N') }), 'indeterminado', crt('1')],
  ['Simples, CRT 2', 180, base({ opcoes: opcoes('S', 'N') }), 'indeterminado', crt('2')],
  ['Simples, CRT 3: it may have left since', 180, base({ opcoes: opcoes('S', 'N') }), 'indeterminado'],
  ['Simples, CRT 3, in a later base', 180, base({ opcoes: opcoes('S', 'N') }, depois), 'falha certa'],
  ['Simples, CRT 4', 180, base({ opcoes: opcoes('S', 'N') }), 'falha provavel', crt('4')],
  ['MEI, CRT 4', 180, base({ opcoes: opcoes('S', 'S') }), 'indeterminado', crt('4')],
  ['MEI, CRT 1: it may have grown since', 180, base({ opcoes: opcoes('S', 'S') }), 'indeterminado', crt('1')],
  ['MEI, CRT 1, in a later base', 180, base({ opcoes: opcoes('S', 'S') }, depois), 'falha certa', crt('1')],
  [
    'an option of less than two months',
    180,
    base({ opcoes: opcoes('S', 'N', '2026-10-20') }),
    'indeterminado',
    crt('4'),
  ],
  [
    'an option of January, in a later base',
    180,
    base({ opcoes: opcoes('S', 'N', '2027-01-01') }, depois),
    'indeterminado',
    crt('1'),
  ],
  ['left this year, CRT 1', 180, base({ opcoes: saiu('2026-05-01') }), 'falha provavel', crt('1')],
  [
    'left this year, in a later base: it may have been told later',
    180,
    base({ opcoes: saiu('2026-05-01') }, depois),
    'indeterminado',
    crt('1'),
  ],
  [
    'left six years ago, in a later base',
    180,
    base({ opcoes: saiu('2020-05-01') }, depois),
    'falha certa',
    crt('1'),
  ],
  ['opened three months ago, CRT 1', 180, base({ data_abertura: '2026-08-20' }), 'indeterminado', crt('1')],
  [
    'the turn of the year',
    180,
    base(ativa, { mes: '2026-12', de: '2026-12-12', ate: '2026-12-12' }),
    'indeterminado',
    crt('3', { dia: '2027-01-04' }),
  ],
  [
    'options of January on their way',
    180,
    base(ativa, { mes: '2027-01', de: '2027-01-09', ate: '2027-01-09' }),
    'indeterminado',
    crt('1', { dia: '2027-02-02' }),
  ],
  ['a base without the options', 180, base(ativa, { comOpcoes: false }), 'indeterminado'],
  ['an option that is blank', 180, base({ opcoes: opcoes('', 'N') }), 'indeterminado'],
  ['a CRT of no table', 180, base(ativa), 'indeterminado', crt('')],
  ['a note without a day', 178, base(ativa), 'indeterminado', partes({ dia: '' })],
  [
    'a CPF',
    178,
    base(ativa),
    'nao_aplicavel',
    partes({ emitente: { ...emitente, cnpj: '', documento: undefined } }),
  ],
  [
    'a CNPJ that is none',
    178,
    base(ativa),
    'indeterminado',
    partes({ emitente: { ...emitente, cnpj: '1', documento: undefined } }),
  ],
  [
    'a party without a state',
    178,
    base(ativa),
    'indeterminado',
    partes({ emitente: { ...emitente, uf: undefined } }),
  ],
]

for (const [what, codigo, retrato, resultado, dada = partes()] of casos)
  test(`${codigo}, ${what}: ${resultado}`, () => {
    assert.equal(dita(codigo, decideByListaFederal(dada, retrato)), resultado)
  })

test('the rules are in force from the second of two dates on, undecided between them, and not before', () => {
  const dias: [dia: string, ambiente: PartesDaNota['ambiente'], is: string, resultado: string][] = [
    ['2026-11-02', 'producao', 'nao', 'nao_aplicavel'],
    ['2026-11-03', 'producao', 'talvez', 'indeterminado'],
    ['2026-11-15', 'producao', 'talvez', 'indeterminado'],
    ['2026-11-16', 'producao', 'sim', 'falha provavel'],
    ['2026-10-04', 'homologacao', 'nao', 'nao_aplicavel'],
    ['2026-10-05', 'homologacao', 'talvez', 'indeterminado'],
    ['2026-10-25', 'homologacao', 'talvez', 'indeterminado'],
    ['2026-10-26', 'homologacao', 'sim', 'falha provavel'],
  ]
  const baixada = base({ situacao: '08' }, { mes: '2026-09', de: '2026-09-12', ate: '2026-09-12' })
  for (const [dia, ambiente, is, resultado] of dias) {
    assert.equal(emVigorNoDia(dia, ambiente), is)
    const decisoes = decideByListaFederal(
      partes({ dia, ambiente, destinatario: { ...emitente, grupo: 'dest' } }),
      baixada,
    )
    assert.equal(dita(182, decisoes), resultado, `${dia} ${ambiente}`)
    const mensagem = decisoes.find(({ codigo }) => codigo === 182)?.mensagem ?? ''
    if (is === 'talvez' && ambiente === 'producao') assert.match(mensagem, /03\/11\/2026.*16\/11\/2026/)
    if (is === 'talvez' && ambiente === 'homologacao') assert.match(mensagem, /05\/10\/2026.*26\/10\/2026/)
  }
})

test('each group has its two codes; places are of the NF-e alone, and letters are let pass in homologation', () => {
  const parte = (grupo: ParteDaNota['grupo']): ParteDaNota => ({ ...emitente, grupo })
  const todas = {
    destinatario: parte('dest'),
    retirada: parte('retirada'),
    entrega: parte('entrega'),
  }
  const codigos = (given: Partial<PartesDaNota>): number[] =>
    decideByListaFederal(partes({ ...todas, ...given }), base(ativa)).map(({ codigo }) => codigo)
  assert.deepEqual(codigos({}), [178, 179, 180, 181, 182, 183, 184, 185, 186])
  assert.deepEqual(codigos({ modelo: '65' }), [178, 179, 180, 181, 182])
  const letras = { documento: { tipo: 'cnpj', documento: COM_LETRAS }, cnpj: COM_LETRAS } as const
  const com = {
    ...todas,
    destinatario: { ...parte('dest'), ...letras },
    emitente: { ...emitente, ...letras },
  }
  const em = (ambiente: PartesDaNota['ambiente']) =>
    decideByListaFederal(partes({ ...com, ambiente }), base({ situacao: '08' }))
  assert.equal(dita(182, em('producao')), 'falha provavel')
  assert.equal(dita(182, em('homologacao')), 'nao_aplicavel')
  assert.equal(dita(179, em('homologacao')), 'indeterminado')
})

test('without a base nothing is decided; with one its month and its day are told', () => {
  const sem = decideByListaFederal(partes(), undefined)
  assert.deepEqual(
    sem.map(({ resultado }) => resultado),
    ['indeterminado', 'indeterminado', 'indeterminado'],
  )
  for (const retrato of [base(), base(ativa), base({ situacao: '03' }), base({ uf: 'RJ' })])
    for (const { mensagem } of decideByListaFederal(partes(), retrato))
      assert.match(mensagem, /base CNPJ de 11\/2026 \(dados até 14\/11\/2026\)/)
})
