import assert from 'node:assert/strict'
import { test } from 'node:test'
import { empresa, estabelecimento, importPasta, socio, uma } from '../kit/cnpj.ts'

test('a record has every field of the specification, in its words', async (t) => {
  const { find, manifesto } = await importPasta(t, {
    empresas: [empresa('11222333')],
    estabelecimentos: [estabelecimento('112223330001')],
    socios: [socio('11222333')],
  })
  assert.deepEqual(find('112223330001')?.result, {
    razao_social: 'EMPRESA 11222333 LTDA',
    nome_fantasia: 'LOJA',
    situacao_cadastral: 'ATIVA',
    data_situacao_cadastral: '2020-01-15',
    cnae_principal_codigo: '6204000',
    cnae_principal_descricao: 'Consultoria em TI',
    cnaes_secundarios: [
      { codigo: '6201501', descricao: 'Desenvolvimento' },
      { codigo: '6202300', descricao: 'Licenciamento' },
    ],
    natureza_juridica: 'Sociedade Empresária Limitada',
    capital_social: '1000.00',
    endereco: {
      logradouro: 'RUA DAS FLORES',
      numero: '10',
      complemento: 'SALA 2',
      bairro: 'CENTRO',
      municipio: 'SAO PAULO',
      uf: 'SP',
      cep: '01310100',
      codigo_ibge: '3550308',
    },
    qsa: [{ nome: 'MARIA DA SILVA', qualificacao: 'Sócio-Administrador' }],
    porte: 'MICRO EMPRESA',
  })
  assert.deepEqual(find('112223330001')?.outros, {
    data_abertura: '2020-01-15',
    matriz: true,
    situacao: { codigo: '02', descricao: 'ATIVA' },
    motivo_situacao: { codigo: '00', descricao: 'SEM MOTIVO' },
    natureza_juridica: { codigo: '2062', descricao: 'Sociedade Empresária Limitada' },
    porte: { codigo: '01', descricao: 'MICRO EMPRESA' },
  })
  assert.equal(manifesto.versao, '2026-10')
  assert.equal(manifesto.token, 'D61010')
  assert.equal(find('112223330002'), undefined)
  assert.equal(find('112223340001'), undefined)
})

test('a capital comes out exactly as it was written, to the cent', async (t) => {
  const capitais = {
    '1061004829,23': '1061004829.23',
    '999999999999,00': '999999999999.00',
    '0,00': '0.00',
    '0,05': '0.05',
    '12,30': '12.30',
    '-100,00': '-100.00',
    '000000001000,50': '1000.50',
    '1000': '1000.00',
    '12345678901234567890,12': '12345678901234567890.12',
    ABC: '',
    '': '',
  }
  const roots = Object.keys(capitais).map((_, i) => `1000000${i}`.slice(-8))
  const { find, manifesto } = await importPasta(t, {
    empresas: Object.keys(capitais).map((capital, i) => empresa(roots[i] ?? '', { 4: capital })),
    estabelecimentos: roots.map((root) => estabelecimento(`${root}0001`)),
  })
  const seen = roots.map((root) => find(`${root}0001`)?.result.capital_social)
  assert.deepEqual(seen, Object.values(capitais))
  assert.equal(manifesto.contagens.capitais_invalidos, 1)
})

test('dates of zeros, of the year 202 and of 4100 are empty', async (t) => {
  const datas = ['0', '00000000', '', '02020115', '41000101', '20230230', '20271231', '20271001', '18081012']
  const { find, manifesto } = await importPasta(t, {
    empresas: [empresa('11222333')],
    estabelecimentos: datas.map((data, i) => estabelecimento(`11222333000${i}`, { 6: data, 10: data })),
  })
  const seen = datas.map((_, i) => find(`11222333000${i}`)?.result.data_situacao_cadastral)
  assert.deepEqual(seen, ['', '', '', '', '', '', '', '2027-10-01', '1808-10-12'])
  assert.equal(find('112223330008')?.outros.data_abertura, '1808-10-12')
  assert.equal(manifesto.contagens.datas_absurdas, 8)
})

test('a CEP gets its leading zero back and junk goes', async (t) => {
  const ceps = ['1310100', '01310100', '0', 'ABCDEFGH', '   ', '123', '00000000']
  const { find } = await importPasta(t, {
    empresas: [empresa('11222333')],
    estabelecimentos: ceps.map((cep, i) => estabelecimento(`11222333000${i}`, { 18: cep })),
  })
  const seen = ceps.map((_, i) => find(`11222333000${i}`)?.result.endereco.cep)
  assert.deepEqual(seen, ['01310100', '01310100', '', '', '', '', ''])
})

test('situacao is read with or without its zero, porte and codes in the specification’s words', async (t) => {
  const situacoes = ['01', '2', '02', '3', '04', '05', '08', '8', '', '09']
  const portes = ['00', '01', '03', '05', '', '07', '1', '02', '5', '3']
  const roots = situacoes.map((_, i) => `2000000${i}`)
  const { find } = await importPasta(t, {
    empresas: roots.map((root, i) => empresa(root, { 5: portes[i] ?? '' })),
    estabelecimentos: roots.map((root, i) => estabelecimento(`${root}0001`, { 5: situacoes[i] ?? '' })),
  })
  const all = roots.map((root) => find(`${root}0001`))
  assert.deepEqual(
    all.map((one) => one?.result.situacao_cadastral),
    ['NULA', 'ATIVA', 'ATIVA', 'SUSPENSA', 'INAPTA', 'ATIVA NAO REGULAR', 'BAIXADA', 'BAIXADA', '', ''],
  )
  assert.deepEqual(
    all.map((one) => one?.result.porte),
    [
      'NÃO INFORMADO',
      'MICRO EMPRESA',
      'PEQUENO PORTE',
      'DEMAIS',
      '',
      '',
      'MICRO EMPRESA',
      '',
      'DEMAIS',
      'PEQUENO PORTE',
    ],
  )
  assert.equal(all[9]?.outros.situacao.codigo, '09')
  assert.equal(all[5]?.outros.porte.codigo, '07')
})

test('unknown codes stay, with an empty description, and are counted', async (t) => {
  const { find, manifesto } = await importPasta(t, {
    empresas: [empresa('11222333', { 2: '9999' })],
    estabelecimentos: [
      estabelecimento('112223330001', { 7: '93', 11: '9999999', 12: '6201501,8888888', 20: '0000' }),
    ],
    socios: [socio('11222333', { 4: '98' }), socio('11222333', { 2: 'OUTRO', 4: '36' })],
  })
  const found = find('112223330001')
  assert.equal(found?.result.cnae_principal_codigo, '9999999')
  assert.equal(found?.result.cnae_principal_descricao, '')
  assert.deepEqual(found?.result.cnaes_secundarios.at(-1), { codigo: '8888888', descricao: '' })
  assert.deepEqual(found?.outros.motivo_situacao, { codigo: '93', descricao: '' })
  assert.deepEqual(found?.outros.natureza_juridica, { codigo: '9999', descricao: '' })
  assert.equal(found?.result.endereco.municipio, '')
  assert.deepEqual(
    found?.result.qsa.map((one) => one.qualificacao),
    ['', 'Gerente-Delegado'],
  )
  assert.deepEqual(manifesto.codigos_desconhecidos, {
    'naturezas 9999': 1,
    'motivos 93': 1,
    'cnaes 9999999': 1,
    'cnaes 8888888': 1,
    'municipios 0000': 1,
    'qualificacoes 98': 1,
  })
})

test('an address abroad has no IBGE code; a municipality newer than the tables has its own', async (t) => {
  const { find } = await importPasta(t, {
    empresas: [empresa('11222333')],
    estabelecimentos: [
      estabelecimento('112223330001', { 19: 'EX', 20: '9707', 18: '' }),
      estabelecimento('112223330002', { 19: 'MT', 20: '1182' }),
      estabelecimento('112223330003', { 19: 'RJ' }),
    ],
  })
  assert.deepEqual(
    [1, 2, 3].map((n) => {
      const { municipio, uf, codigo_ibge } = find(`11222333000${n}`)?.result.endereco ?? {}
      return [municipio, uf, codigo_ibge]
    }),
    [
      ['EXTERIOR', 'EX', ''],
      ['BOA ESPERANCA DO NORTE', 'MT', '5101837'],
      ['SAO PAULO', 'RJ', '3550308'],
    ],
  )
})

test('numbers, spaces and quotes of an address come out as they should', async (t) => {
  const { find } = await importPasta(
    t,
    uma(
      estabelecimento('112223330001', {
        4: '  BAR   DO ""ZE""  ',
        13: '',
        14: ' L2\tSGAN ',
        15: '007',
        16: 'LETRA:A;',
        17: 'VILA "NOVA',
      }),
    ),
  )
  const { nome_fantasia, endereco } = find('112223330001')?.result ?? {}
  assert.equal(nome_fantasia, 'BAR DO "ZE"')
  assert.equal(endereco?.logradouro, 'L2 SGAN')
  assert.equal(endereco?.numero, '007')
  assert.equal(endereco?.complemento, 'LETRA:A;')
  assert.equal(endereco?.bairro, 'VILA "NOVA')
})
