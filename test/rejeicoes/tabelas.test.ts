import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import type { Suspeita } from '../../src/rejeicoes/rules-laudo.ts'
import { celulaDe, type TabelaDeCodigos } from '../../src/rejeicoes/rules-tabela.ts'
import { NOSSAS, nossaTabela } from '../../src/rejeicoes/tabelas.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { CATALOGO, notaBase, verificar } from '../kit/rejeicoes.ts'

const tabela = (nome: string): TabelaDeCodigos => {
  const achada = nossaTabela(nome)
  assert.ok(achada, nome)
  return achada
}

const DIA = '2026-11-20'

const com = (nome: string, coluna: string, valor: string): string[] =>
  [...tabela(nome).linhas.keys()].filter(
    (codigo) => celulaDe(tabela(nome), codigo, { coluna, dia: DIA }) === valor,
  )

test('the tables have as many codes as their sources say', () => {
  const quantos = Object.fromEntries(NOSSAS.map((nome) => [nome, tabela(nome).linhas.size]))
  assert.deepEqual(quantos, {
    cclasstrib: 173,
    ccredpres: 13,
    cfop: 619,
    combustiveis: 40,
    cst_ibs_cbs: 18,
    paises: 261,
    prefixos_gs1: 711,
    municipios: 5571,
  })
  assert.equal(com('cfop', 'indExcIBSCBS', '1').length, 72)
  assert.equal(com('cfop', 'indDevol', '1').length, 105)
})

test('a classification begins with its CST, which the table of CST has', () => {
  for (const codigo of tabela('cclasstrib').linhas.keys()) {
    const [linha] = tabela('cclasstrib').linhas.get(codigo) ?? []
    assert.equal(linha?.celulas[0], codigo.slice(0, 3))
    assert.ok(tabela('cst_ibs_cbs').linhas.has(codigo.slice(0, 3)), codigo)
  }
})

test('no table waits longer than its day to be looked at again', () => {
  const hoje = new Date().toISOString().slice(0, 10)
  const vencidas = NOSSAS.filter((nome) => tabela(nome).certaAte < hoje)
  assert.deepEqual(vencidas, [], 'read the sources of these again, and move certa_ate')
})

const laudoDe = (mudancas: readonly Mudanca[], dia = DIA): readonly Suspeita[] =>
  makeLaudo({
    xml: aplicarMudancas(notaBase('venda-interna').replace(/>\s+</g, '><'), [
      ...mudancas,
      { campo: 'ide/dhEmi', valor: `${dia}T10:15:00-03:00` },
      { recalcular: 'chave' },
    ]),
    agora: new Date(`${dia}T15:00:00Z`),
    catalogo: CATALOGO,
  }).suspeitas

const dito = (suspeitas: readonly Suspeita[], codigo: number): string =>
  suspeitas.find((uma) => uma.codigo === codigo)?.ocorrencias[0]?.mensagem ?? ''

const classificacao = (valor: string): Mudanca[] => [{ campo: 'det[1]/imposto/IBSCBS/cClassTrib', valor }]

test('a code that is not in a table is told as such, and not as one of another CST', () => {
  const suspeitas = laudoDe(classificacao('200099'))
  assert.match(
    dito(suspeitas, 1023),
    /^Item 1: o código 200099 não consta da tabela de classificações tributárias.* em 20\/11\/2026\.$/,
  )
  assert.equal(dito(suspeitas, 1024), '')
  const deOutro = laudoDe(classificacao('200034'))
  assert.match(dito(deOutro, 1024), /cClassTrib 200034 não é do CST 000/)
  assert.equal(dito(deOutro, 1023), '')
})

test('a code before its first day, or after its last, is told with the day', () => {
  const cedo = laudoDe([{ campo: 'det[1]/prod/CFOP', valor: '7552' }], '2021-05-31')
  assert.match(dito(cedo, 770), /na tabela de CFOP, o código 7552 só vale desde 01\/06\/2021/)
  const tarde = laudoDe(classificacao('220001'))
  assert.match(dito(tarde, 1023), /o código 220001 só valeu até 01\/01\/2026/)
})

test('a CFOP that another rule asks of is told as missing alone', () => {
  const suspeitas = laudoDe([{ campo: 'det[1]/prod/CFOP', valor: '5107' }])
  assert.deepEqual(
    suspeitas.map(({ codigo }) => codigo).filter((codigo) => [327, 328, 660, 770].includes(codigo)),
    [770],
  )
})

test('what a table cannot tell is undecided, and said why', () => {
  const duvida = (codigo: string): string =>
    verificar({
      regra: { tabela: ['frutas', codigo] },
      dependencia: 'tabela:frutas',
      mensagem_falha: '{tabela}',
    }).ocorrencias[0]?.mensagem ?? ''
  assert.equal(
    duvida('2'),
    'As fontes divergem sobre desde quando o código 2 consta da tabela de frutas: 01/11/2026 ou 01/12/2026.',
  )
  assert.equal(duvida('3'), 'na tabela de frutas, o código 3 só vale desde 01/12/2026')
  assert.equal(duvida('6'), 'o código 6 não consta da tabela de frutas em 23/11/2026')
  const semTabela = verificar({ regra: { tabela: ['ncm', '1'] }, dependencia: 'tabela:ncm' })
  assert.match(semTabela.ocorrencias[0]?.mensagem ?? '', /fiscal tabelas instalar ncm/)
})

test('a check that names a column which the table lacks, or a table that its rule does not ask, is refused', () => {
  assert.throws(
    () => verificar({ regra: { igual: [{ coluna: ['frutas', '1', 'cor'] }, ''] } }),
    /no column cor/,
  )
  assert.throws(() => verificar({ regra: { presente: 'ide' }, mensagem_falha: '{tabela}' }), /999-prova/)
})
