import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Inscricao, inscricaoVazia } from '../../src/portal/rules-inscricao.ts'
import type { RegistroDaParte } from '../../src/rejeicoes/rules-cadastro.ts'
import { avisosDosCadastros, decideByCadastros } from '../../src/rejeicoes/rules-cadastro.ts'
import type { DecisaoDoCadastro } from '../../src/rejeicoes/rules-partes.ts'
import {
  type ParteDaNota,
  type PartesDaNota,
  partesDaNota,
  VIGENCIA_DA_LISTA,
} from '../../src/rejeicoes/rules-partes.ts'
import { verificacoes } from '../kit/rejeicoes.ts'

const EM = '2026-11-10T13:16:00.000Z'
const PROPRIO = '11222333000181'
const FILIAL = '11222333000262'
const OUTRO = '99034721000180'

const dest: ParteDaNota = {
  grupo: 'dest',
  documento: { tipo: 'cnpj', documento: PROPRIO },
  cnpj: PROPRIO,
  ie: '110042490114',
  uf: 'SP',
  municipio: '3550308',
  crt: '',
}

const partes = (given: Partial<PartesDaNota> = {}): PartesDaNota => ({
  modelo: '55',
  tpEmis: '1',
  dia: '2026-11-20',
  ambiente: 'producao',
  retirada: undefined,
  entrega: undefined,
  emitente: { ...dest, grupo: 'emit', crt: '3' },
  destinatario: dest,
  ...given,
})

const municipios = {
  doIbge: (codigo: string) => (codigo === '3550308' ? 'SAO PAULO' : ''),
  existe: (nome: string) => ['SAO PAULO', 'CAMPINAS'].includes(nome),
}

const inscricao = (given: Partial<Inscricao> = {}): Inscricao => ({
  ...inscricaoVazia,
  inscricao_estadual: '110.042.490.114',
  situacao_ie: 'ATIVA',
  cpf_cnpj: PROPRIO,
  municipio: 'São Paulo',
  ...given,
})

const resposta = (...inscricoes: Inscricao[]) => ({ inscricoes, consultado_em: EM })
const nada: RegistroDaParte = { porDocumento: undefined, porIe: undefined, falta: '' }
const porDocumento = (given: Partial<Inscricao> = {}): RegistroDaParte => ({
  ...nada,
  porDocumento: resposta(inscricao(given)),
})
const porIe = (given: Partial<Inscricao> = {}): RegistroDaParte => ({
  porDocumento: resposta(),
  porIe: resposta(inscricao(given)),
  falta: '',
})
const ausente: RegistroDaParte = { porDocumento: resposta(), porIe: resposta(), falta: '' }
const muda: RegistroDaParte = { ...nada, falta: 'O cadastro de SP não respondeu: demorou.' }

function decidir(codigo: number, registro: RegistroDaParte, nota = partes()): DecisaoDoCadastro | undefined {
  const registros = { emitente: registro, destinatario: registro, municipios }
  return decideByCadastros(nota, registros).find((decisao) => decisao.codigo === codigo)
}

const semIe = partes({ destinatario: { ...dest, ie: '' } })
const isento = partes({ destinatario: { ...dest, ie: 'ISENTO' } })
const CPF = '52998224725'
const comCpf = { documento: { tipo: 'cpf', documento: CPF }, cnpj: '' } as const
const pessoa = partes({ destinatario: { ...dest, ...comCpf, ie: '' } })
const produtor = partes({
  emitente: { ...dest, ...comCpf, grupo: 'emit' },
  destinatario: { ...dest, ...comCpf },
})
/** An issuer that leaves its number out. */
const emitenteSem = (given: Partial<PartesDaNota> = {}): PartesDaNota =>
  partes({ emitente: { ...dest, grupo: 'emit', ie: '' }, ...given })
const crt = (valor: string): PartesDaNota => partes({ emitente: { ...dest, grupo: 'emit', crt: valor } })

const casos: [what: string, codigo: number, RegistroDaParte, resultado: string, PartesDaNota?][] = [
  ['a number with signs is the same number', 233, porDocumento(), 'ok certa'],
  ['zeros on the left do not count', 233, porDocumento({ inscricao_estadual: '00110042490114' }), 'ok certa'],
  ['neither by number nor by document', 233, ausente, 'falha provavel'],
  ['a register that did not answer', 233, muda, 'indeterminado'],
  ['the number was not asked', 233, { ...nada, porDocumento: resposta() }, 'indeterminado'],
  ['no number in the note', 233, porDocumento(), 'nao_aplicavel', semIe],
  ['"ISENTO" is no number', 233, porDocumento(), 'nao_aplicavel', isento],
  ['the issuer by the same rule', 230, ausente, 'falha provavel'],
  ['NFF, which 230 leaves out', 230, ausente, 'nao_aplicavel', partes({ tpEmis: '3' })],
  ['NFF, which 231 leaves out', 231, porIe({ cpf_cnpj: OUTRO }), 'nao_aplicavel', partes({ tpEmis: '3' })],
  ['another contingency, which 230 holds for', 230, ausente, 'falha provavel', partes({ tpEmis: '4' })],
  ['a number of another taxpayer', 234, porIe({ cpf_cnpj: OUTRO }), 'falha certa'],
  ['a number of another taxpayer, the issuer', 231, porIe({ cpf_cnpj: OUTRO }), 'falha certa'],
  ['a number of another establishment of the company', 234, porIe({ cpf_cnpj: FILIAL }), 'indeterminado'],
  ['a register that hides the owner', 234, porIe({ cpf_cnpj: '***22333000***' }), 'indeterminado'],
  ['a register that leaves the owner out', 234, porIe({ cpf_cnpj: '' }), 'indeterminado'],
  ['its own number, by the number', 234, porIe(), 'ok certa'],
  ['a number that is not registered is of nobody', 234, ausente, 'nao_aplicavel'],
  ['a person, whom 234 leaves out', 234, porDocumento(), 'nao_aplicavel', pessoa],
  ['an issuer that is not active', 301, porDocumento({ situacao_ie: 'BAIXADA' }), 'falha provavel'],
  ['an issuer that is active', 301, porDocumento(), 'ok provavel'],
  [
    'an issuer whose number is another’s',
    301,
    porIe({ cpf_cnpj: OUTRO, situacao_ie: 'BAIXADA' }),
    'indeterminado',
  ],
  ['301 on an NFC-e, where it is 781', 301, porDocumento(), 'nao_aplicavel', partes({ modelo: '65' })],
  ['a recipient that is not active', 306, porDocumento({ situacao_ie: 'SUSPENSA' }), 'falha certa'],
  ['a recipient that is active', 306, porDocumento(), 'ok certa'],
  ['a recipient without a word on it', 306, porDocumento({ situacao_ie: '' }), 'indeterminado'],
  ['the same municipality', 482, porDocumento(), 'ok certa'],
  ['another municipality', 482, porDocumento({ municipio: 'CAMPINAS' }), 'falha provavel'],
  ['a municipality that no table has', 482, porDocumento({ municipio: 'S. PAULO' }), 'indeterminado'],
  ['no municipality in the register', 482, porDocumento({ municipio: '' }), 'indeterminado'],
  [
    'a code that no table has',
    482,
    porDocumento({ municipio: 'CAMPINAS' }),
    'indeterminado',
    partes({ destinatario: { ...dest, municipio: '9999999' } }),
  ],
  ['the regime fits', 481, porDocumento({ regime_apuracao_icms: 'Normal' }), 'ok provavel'],
  [
    'Simples Nacional with CRT 3',
    481,
    porDocumento({ regime_pagamento: 'Simples Nacional' }),
    'falha provavel',
  ],
  [
    'Simples Nacional with CRT 1',
    481,
    porDocumento({ regime_pagamento: 'SIMPLES NACIONAL' }),
    'ok provavel',
    crt('1'),
  ],
  [
    'a normal regime with CRT 1',
    481,
    porDocumento({ regime_apuracao_icms: 'NORMAL' }),
    'falha provavel',
    crt('1'),
  ],
  [
    'CRT 2, which either regime may have',
    481,
    porDocumento({ regime_apuracao_icms: 'NORMAL' }),
    'indeterminado',
    crt('2'),
  ],
  ['a regime that is neither', 481, porDocumento({ regime_apuracao_icms: 'OUTROS' }), 'indeterminado'],
  [
    'both regimes',
    481,
    porDocumento({ regime_apuracao_icms: 'NORMAL', regime_pagamento: 'SIMPLES NACIONAL' }),
    'indeterminado',
  ],
  [
    'who did not choose Simples Nacional',
    481,
    porDocumento({ regime_pagamento: 'Não optante pelo Simples Nacional' }),
    'indeterminado',
  ],
  [
    'who was put out of it',
    481,
    porDocumento({ regime_pagamento: 'Excluído do Simples Nacional' }),
    'indeterminado',
  ],
  ['no number, and the recipient has one', 232, porDocumento(), 'indeterminado', semIe],
  [
    'no number, and the recipient has none that is active',
    232,
    porDocumento({ situacao_ie: 'BAIXADA' }),
    'ok provavel',
    semIe,
  ],
  ['a number is there', 232, porDocumento(), 'nao_aplicavel'],
  ['no number of a person', 232, porDocumento(), 'nao_aplicavel', pessoa],
  ['no number, and no answer', 232, muda, 'indeterminado', semIe],
  ['a recipient that the state forbids', 302, porDocumento({ situacao_ie: 'VEDADA' }), 'falha provavel'],
  ['a recipient of whom nothing is said', 302, porDocumento(), 'indeterminado'],
  [
    'one without a number that the state forbids',
    303,
    porDocumento({ situacao_ie: 'VEDADO' }),
    'falha provavel',
    semIe,
  ],
  ['one with a number, whom 303 leaves out', 303, porDocumento({ situacao_ie: 'VEDADO' }), 'nao_aplicavel'],
  [
    'a recipient that the state blocks',
    305,
    porDocumento({ situacao_contribuinte: 'Bloqueado' }),
    'falha provavel',
  ],
  ['an issuer that may issue', 203, porDocumento({ situacao_nfe: 'CREDENCIADO' }), 'ok provavel'],
  [
    'an issuer that has to issue',
    203,
    porDocumento({ situacao_nfe: 'CREDENCIADO COM OBRIGATORIEDADE PARCIAL' }),
    'ok provavel',
  ],
  ['an issuer that may not', 203, porDocumento({ situacao_nfe: 'NÃO CREDENCIADO' }), 'falha provavel'],
  [
    'one of whom the service does not tell it',
    203,
    porDocumento({ situacao_nfe: 'NÃO INFORMADO PELA SEFAZ' }),
    'indeterminado',
  ],
  ['the words of a page', 203, porDocumento({ situacao_nfe: 'EMITENTE DE NF-E' }), 'indeterminado'],
  ['a state that says nothing', 203, porDocumento(), 'indeterminado'],
  [
    'a note of homologation, which the register is not of',
    203,
    porDocumento({ situacao_nfe: 'NÃO CREDENCIADO' }),
    'indeterminado',
    partes({ ambiente: 'homologacao' }),
  ],
  [
    'the number of another issuer',
    203,
    porIe({ cpf_cnpj: OUTRO, situacao_nfe: 'NÃO CREDENCIADO' }),
    'indeterminado',
  ],
  ['an NFC-e, where it is 781', 203, porDocumento(), 'nao_aplicavel', partes({ modelo: '65' })],
  ['the number of the CPF', 624, porDocumento({ cpf_cnpj: CPF }), 'ok certa', produtor],
  ['the number of another CPF', 624, porIe({ cpf_cnpj: '11144477735' }), 'falha certa', produtor],
  ['a number that has a CNPJ by now', 624, porIe({ cpf_cnpj: OUTRO }), 'indeterminado', produtor],
  ['a number that is nobody’s', 624, ausente, 'nao_aplicavel', produtor],
  ['a recipient with CNPJ, whom 624 leaves out', 624, porDocumento(), 'nao_aplicavel'],
  ['a CPF without a number', 624, porDocumento(), 'nao_aplicavel', pessoa],
  ['the number of the issuer’s CPF', 622, porDocumento({ cpf_cnpj: CPF }), 'ok certa', produtor],
  [
    'the number of another CPF than the issuer’s',
    622,
    porIe({ cpf_cnpj: '11144477735' }),
    'falha certa',
    produtor,
  ],
  ['an issuer with CNPJ, whom 622 leaves out', 622, porDocumento(), 'nao_aplicavel'],
  ['an issuer with CPF, whose code is 622', 231, porIe({ cpf_cnpj: OUTRO }), 'nao_aplicavel', produtor],
  ['the issuer’s number is in the note', 163, porDocumento(), 'nao_aplicavel'],
  ['an issuer that has an active number', 163, porDocumento(), 'indeterminado', emitenteSem()],
  [
    'an issuer whose number is closed',
    163,
    porDocumento({ situacao_ie: 'BAIXADA' }),
    'ok provavel',
    emitenteSem(),
  ],
  ['a state that did not answer of it', 163, muda, 'indeterminado', emitenteSem()],
  [
    'before there were such issuers',
    163,
    porDocumento(),
    'nao_aplicavel',
    emitenteSem({ dia: '2026-11-02' }),
  ],
  [
    'in the disputed days',
    163,
    porDocumento({ situacao_ie: 'BAIXADA' }),
    'indeterminado',
    emitenteSem({ dia: '2026-11-15' }),
  ],
  ['a note without a day', 163, porDocumento(), 'indeterminado', emitenteSem({ dia: '' })],
  ['an NFC-e, where it is 156', 163, porDocumento(), 'nao_aplicavel', emitenteSem({ modelo: '65' })],
  [
    'an issuer with CPF',
    163,
    porDocumento(),
    'nao_aplicavel',
    {
      ...produtor,
      emitente: { ...produtor.emitente, ie: '' },
    },
  ],
  [
    'one whom it no longer blocks',
    305,
    porDocumento({ situacao_contribuinte: 'Desbloqueado' }),
    'indeterminado',
  ],
]

for (const [what, codigo, registro, resultado, nota] of casos)
  test(`${codigo}, ${what}: ${resultado}`, () => {
    const decisao = decidir(codigo, registro, nota)
    assert.equal([decisao?.resultado, decisao?.certeza].filter(Boolean).join(' '), resultado)
    assert.match(decisao?.mensagem ?? '', /\.$/)
    if (decisao?.certeza) assert.equal(decisao.consultado_em, EM)
  })

test('163 warns of an active number in the days of its rule, and never else', () => {
  const avisos = (dia: string, registro: RegistroDaParte): string[] => {
    const nota = emitenteSem({ dia })
    const registros = { emitente: registro, destinatario: nada, municipios }
    return avisosDosCadastros({ autorizada: false }, decideByCadastros(nota, registros))
  }
  assert.match(avisos('2026-11-16', porDocumento()).join(), /IE ativa 110\.042\.490\.114/)
  for (const [dia, registro] of [
    ['2026-11-15', porDocumento()],
    ['2026-11-16', porDocumento({ situacao_ie: 'BAIXADA' })],
    ['2026-11-16', muda],
  ] as const)
    assert.deepEqual(avisos(dia, registro), [])
})

test('246, whose rule was withdrawn, is decided of nobody', () => {
  assert.equal(decidir(246, ausente), undefined)
})

test('a recipient abroad has no register, and a group that is too long is not read', () => {
  const nota = (uf: string, nome = 'x'): PartesDaNota =>
    partesDaNota(`<NFe><dest><CNPJ>${PROPRIO}</CNPJ><xNome>${nome}</xNome><UF>${uf}</UF></dest></NFe>`)
  assert.equal(nota('EX').destinatario, undefined)
  assert.equal(nota('SP').destinatario?.uf, 'SP')
  assert.equal(nota('SP', 'x'.repeat(20_000)).destinatario, undefined)
})

test('the day of a note is the one of its protocol, or else of its issue, and has to exist', () => {
  const dia = (dhEmi: string, resto = ''): string =>
    partesDaNota(`<NFe><ide><dhEmi>${dhEmi}</dhEmi><tpAmb>2</tpAmb></ide></NFe>${resto}`).dia
  assert.equal(dia('2026-11-15T23:59:00-03:00'), '2026-11-15')
  const protocolo = '<infProt><dhRecbto>2026-11-16T00:01:00-03:00</dhRecbto></infProt>'
  assert.equal(dia('2026-11-15T23:59:00-03:00', protocolo), '2026-11-16')
  for (const none of ['', '2026-02-30T10:00:00-03:00', '15/11/2026']) assert.equal(dia(none), '')
})

test('the registers take the days of their rules from the milestone that the checks name', () => {
  const daLista = verificacoes.filter(({ codigo }) => codigo === 163 || (codigo >= 178 && codigo <= 186))
  assert.equal(daLista.length, 10)
  for (const { id, vigencia } of daLista) assert.deepEqual(vigencia, VIGENCIA_DA_LISTA, id)
})
