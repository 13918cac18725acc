import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Inscricao, inscricaoVazia } from '../../src/domain/inscricao/inscricao.ts'
import type { DecisaoDoCadastro, RegistroDaParte } from '../../src/domain/rejeicoes/cadastro.ts'
import { type ParteDaNota, type PartesDaNota, partesDaNota } from '../../src/domain/rejeicoes/partes.ts'
import { decidirPorCadastros } from '../../src/domain/rejeicoes/regras-do-cadastro.ts'

const EM = '2026-11-10T13:16:00.000Z'
const PROPRIO = '11222333000181'
const FILIAL = '11222333000262'
const OUTRO = '99034721000180'

const dest: ParteDaNota = {
  grupo: 'dest',
  documento: { tipo: 'cnpj', documento: PROPRIO },
  ie: '110042490114',
  uf: 'SP',
  municipio: '3550308',
  crt: '',
}

const partes = (given: Partial<PartesDaNota> = {}): PartesDaNota => ({
  modelo: '55',
  tpEmis: '1',
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
  return decidirPorCadastros(nota, registros).find((decisao) => decisao.codigo === codigo)
}

const semIe = partes({ destinatario: { ...dest, ie: '' } })
const isento = partes({ destinatario: { ...dest, ie: 'ISENTO' } })
const pessoa = partes({
  destinatario: { ...dest, ie: '', documento: { tipo: 'cpf', documento: '52998224725' } },
})
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
