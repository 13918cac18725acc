import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBaseAtiva } from '../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import {
  empresa,
  estabelecimento,
  type Importada,
  importPasta,
  now,
  type Pasta,
  socio,
  tempFolder,
  uma,
  withDigits,
  writePasta,
} from '../kit/cnpj.ts'

test('shifted columns go to quarantine and the row stays, without what does not fit', async (t) => {
  const { find, manifesto } = await importPasta(t, {
    empresas: [empresa('11222333')],
    estabelecimentos: [
      estabelecimento('112223330001', { 19: '7107', 20: '11', 11: 'X' }),
      estabelecimento('112223330002', { 2: '00' }).replace('"00"', '"99"'),
      '"so";"duas"\n',
      estabelecimento('112223330003'),
      estabelecimento('112223330004'),
    ],
  })
  const { endereco, cnae_principal_codigo } = find('112223330001')?.result ?? {}
  assert.equal(endereco?.uf, '')
  assert.equal(cnae_principal_codigo, '')
  assert.deepEqual(manifesto.quarentena, {
    'UF, município ou CNAE fora do padrão (linha mantida)': 1,
    'chave inválida': 1,
    'número de colunas': 1,
  })
  assert.equal(manifesto.estabelecimentos, 3)
})

test('duplicates count once: the last establishment, the company with a name, equal lines of partners', async (t) => {
  const { find, manifesto } = await importPasta(t, {
    empresas: [empresa('11222333'), empresa('11222333', { 1: '' })],
    estabelecimentos: [
      estabelecimento('112223330001', { 4: 'PRIMEIRA' }),
      estabelecimento('112223330001', { 4: 'ULTIMA' }),
    ],
    socios: [socio('11222333'), socio('11222333'), socio('11222333', { 3: '***999999**' })],
  })
  assert.equal(find('112223330001')?.result.nome_fantasia, 'ULTIMA')
  assert.equal(find('112223330001')?.result.razao_social, 'EMPRESA 11222333 LTDA')
  assert.equal(find('112223330001')?.result.qsa.length, 2)
  const { estabelecimentos_repetidos, empresas_repetidas, socios_repetidos } = manifesto.contagens
  assert.deepEqual([estabelecimentos_repetidos, empresas_repetidas, socios_repetidos], [1, 1, 1])
})

test('an establishment without company is served with empty texts, a company without establishment is counted', async (t) => {
  const { find, manifesto } = await importPasta(t, {
    empresas: [empresa('99888777')],
    estabelecimentos: [estabelecimento('112223330001')],
    socios: [socio('99888777')],
  })
  const { razao_social, natureza_juridica, capital_social, porte, qsa } = find('112223330001')?.result ?? {}
  assert.deepEqual([razao_social, natureza_juridica, capital_social, porte, qsa], ['', '', '', '', []])
  assert.equal(manifesto.contagens.estabelecimentos_sem_empresa, 1)
  assert.equal(manifesto.contagens.empresas_sem_estabelecimento, 1)
  assert.equal(manifesto.contagens.socios_sem_estabelecimento, 1)
})

test('alphanumeric roots and orders are found beside the others', async (t) => {
  const doze = [
    '12ABC34501DE',
    '12ABC3450001',
    'ZZZZZZZZ0001',
    '00000000000A',
    '000000000001',
    '999999990001',
  ]
  const { find, manifesto } = await importPasta(t, {
    empresas: ['12ABC345', 'ZZZZZZZZ', '00000000', '99999999'].map((root) => empresa(root)),
    estabelecimentos: doze.map((one) => estabelecimento(one, { 4: one })),
  })
  for (const one of doze) assert.equal(find(one)?.result.nome_fantasia, one)
  assert.equal(withDigits('12ABC34501DE'), '12ABC34501DE35')
  assert.equal(manifesto.raiz_min, '00000000')
  assert.equal(manifesto.raiz_max, 'ZZZZZZZZ')
})

test('the CPF in a sole trader’s name is masked as in the QSA, unless the setting says no', async (t) => {
  const pasta: Pasta = {
    empresas: [
      empresa('11222333', { 1: 'JOAO DA SILVA 52998224725', 2: '2135' }),
      empresa('11222334', { 1: 'COMERCIO 52998224725', 2: '2062' }),
      empresa('11222335', { 1: 'JOSE 12345678901', 2: '2135' }),
    ],
    estabelecimentos: ['11222333', '11222334', '11222335'].map((root) => estabelecimento(`${root}0001`)),
  }
  const nomes = ({ find }: Importada) =>
    ['11222333', '11222334', '11222335'].map((root) => find(`${root}0001`)?.result.razao_social)
  assert.deepEqual(nomes(await importPasta(t, pasta)), [
    'JOAO DA SILVA ***982247**',
    'COMERCIO 52998224725',
    'JOSE 12345678901',
  ])
  assert.deepEqual(nomes(await importPasta(t, pasta, false)), [
    'JOAO DA SILVA 52998224725',
    'COMERCIO 52998224725',
    'JOSE 12345678901',
  ])
})

test('the options for Simples and MEI are kept when Simples.zip is given', async (t) => {
  const { find, manifesto } = await importPasta(t, {
    ...uma(estabelecimento('112223330001')),
    simples: ['"11222333";"S";"20140101";"00000000";"N";"20150101";"20160101"\n'],
  })
  const { simples, mei } = find('112223330001')?.outros ?? {}
  assert.deepEqual(simples, { opcao: 'S', data_opcao: '2014-01-01', data_exclusao: '' })
  assert.deepEqual(mei, { opcao: 'N', data_opcao: '2015-01-01', data_exclusao: '2016-01-01' })
  assert.equal(manifesto.simples, 1)
})

test('any branch of a company with 15,000 is found, in several parts and on threads', async (t) => {
  const raiz = tempFolder(t)
  const ordens = Array.from({ length: 15_000 }, (_, i) => String(i + 1).padStart(5, '0'))
  const doze = ordens.map(
    (ordem) =>
      `33000167${ordem.startsWith('0') ? ordem.slice(1) : `${'ABCDEF'[Number(ordem[1])]}${ordem.slice(2)}`}`,
  )
  const pasta = await writePasta(tempFolder(t), {
    empresas: [empresa('33000167'), empresa('33000168')],
    estabelecimentos: [
      estabelecimento('330001680001'),
      ...doze.map((one) => estabelecimento(one, { 4: one })),
    ],
    socios: [socio('33000167')],
    partes: 3,
  })
  await importCnpj({ pasta, raiz, amostra: true, now, threads: 2 })
  const base = openBaseAtiva(raiz, { mascararCpf: true })
  t.after(() => base.close())
  for (let i = 0; i < doze.length; i += 7) {
    const found = base.current()?.find(withDigits(doze[i] ?? ''))
    assert.equal(found?.result.nome_fantasia, doze[i])
    assert.equal(found?.result.qsa.length, 1)
  }
  assert.equal(base.current()?.find(withDigits('33000167ZZZZ')), undefined)
  assert.equal(base.current()?.find(withDigits('330001680001'))?.result.nome_fantasia, 'LOJA')
})
