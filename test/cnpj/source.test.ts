import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tabelasSemBase, toEmpresa } from '../../src/cnpj/lookup.ts'
import type { CadastroAoVivo } from '../../src/cnpj/source.ts'
import { askCnpj } from '../../src/cnpj/source.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { NOW } from '../kit/basics.ts'
import { useContrato } from '../kit/federal.ts'
import { watched } from '../kit/transport.ts'

const CNPJ = '11222333000181'
const authority = useContrato()
const { guard, leituras } = watched({ failures: 1_000 })

/** A whole answer, as open clients show it. */
const inteira = {
  ni: CNPJ,
  tipoEstabelecimento: '1',
  nomeEmpresarial: 'EMPRESA  EXEMPLO LTDA ',
  nomeFantasia: 'EXEMPLO',
  situacaoCadastral: { codigo: '2', data: '2005-11-03', motivo: '' },
  naturezaJuridica: { codigo: '2062', descricao: 'Sociedade Empresária Limitada' },
  dataAbertura: '2001-02-03',
  cnaePrincipal: { codigo: '0111301', descricao: 'Cultivo de arroz' },
  cnaeSecundarias: [{ codigo: '111302', descricao: 'Cultivo de milho' }],
  endereco: {
    tipoLogradouro: 'RUA',
    logradouro: 'DAS FLORES',
    numero: '010',
    complemento: '',
    cep: '1310100',
    bairro: 'CENTRO',
    municipio: { codigo: '7107', descricao: 'SAO PAULO' },
    uf: 'SP',
    pais: { codigo: '105', descricao: 'BRASIL' },
  },
  telefones: [],
  capitalSocial: 100000000,
  porte: '05',
  socios: [{ tipoSocio: '2', cpf: '***000002**', nome: 'FULANO DE TAL', qualificacao: '49' }],
}

function ask(body: unknown, status = 200): Promise<CadastroAoVivo | undefined> {
  authority.setAnswers({ status, body })
  const meios = { contrato: authority.open(), guard, now: () => NOW, request_id: 'teste', deadlineMs: 10_000 }
  return askCnpj(CNPJ, meios)
}

async function empresa(body: unknown, status?: number) {
  const cadastro = await ask(body, status)
  assert.ok(cadastro)
  return toEmpresa(cadastro, tabelasSemBase(), true)
}

async function refusal(body: unknown, status?: number): Promise<string> {
  const error = await ask(body, status).then(
    () => assert.fail('it should fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SourceError, String(error))
  assert.deepEqual([error.unavailable, error.retryS], [false, null])
  return error.message
}

test('without a monthly base, the texts come from the tables that the service brings and from the answer', async () => {
  const { result, avisos } = await empresa(inteira)
  assert.deepEqual(avisos, [])
  assert.deepEqual(result, {
    razao_social: 'EMPRESA EXEMPLO LTDA',
    nome_fantasia: 'EXEMPLO',
    situacao_cadastral: 'ATIVA',
    data_situacao_cadastral: '2005-11-03',
    cnae_principal_codigo: '0111301',
    cnae_principal_descricao: 'Cultivo de arroz',
    cnaes_secundarios: [{ codigo: '0111302', descricao: 'Cultivo de milho' }],
    natureza_juridica: 'Sociedade Empresária Limitada',
    capital_social: '1000000.00',
    endereco: {
      logradouro: 'RUA DAS FLORES',
      numero: '010',
      complemento: '',
      bairro: 'CENTRO',
      municipio: 'SAO PAULO',
      uf: 'SP',
      cep: '01310100',
      codigo_ibge: '3550308',
    },
    qsa: [{ nome: 'FULANO DE TAL', qualificacao: 'Sócio-Administrador' }],
    porte: 'DEMAIS',
  })
})

test('a code that lost its zeros in front is the same, and a CEP of zeros is none', async () => {
  const cnaePrincipal = { codigo: 111301, descricao: 'Cultivo de arroz' }
  const endereco = { ...inteira.endereco, cep: '00000000' }
  const { result } = await empresa({ ...inteira, cnaePrincipal, endereco, porte: 5 })
  assert.deepEqual(
    [result.cnae_principal_codigo, result.endereco.cep, result.porte],
    ['0111301', '', 'DEMAIS'],
  )
})

test('a part of the data without the town, or with a null in its place, is no answer', async () => {
  const { municipio: _, ...endereco } = inteira.endereco
  assert.match(await refusal({ ...inteira, endereco }, 206), /falta endereco\.municipio\.codigo/)
  assert.match(await refusal({ ...inteira, socios: null }, 206), /falta socios/)
})

test('the capital is hundredths, by its digits alone', async () => {
  for (const [centavos, capital] of [
    [0, '0.00'],
    [1, '0.01'],
    [10, '0.10'],
    [100, '1.00'],
    ['100', '1.00'],
    ['007', '0.07'],
    ['0', '0.00'],
    [29, '0.29'],
    [115, '1.15'],
    [106100482923, '1061004829.23'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
    ['999999999999999', '9999999999999.99'],
    [-500000, '-5000.00'],
  ])
    assert.equal((await empresa({ ...inteira, capitalSocial: centavos })).result.capital_social, capital)
})

test('the size that the register numbers 00 is told; none is empty', async () => {
  assert.equal((await empresa({ ...inteira, porte: '00' })).result.porte, 'NÃO INFORMADO')
  assert.equal((await empresa({ ...inteira, porte: '' })).result.porte, '')
})

test('what a whole answer leaves out is empty: trade name, other activities, size', async () => {
  const { nomeFantasia, cnaeSecundarias, porte, ...less } = inteira
  const { result } = await empresa(less)
  assert.deepEqual([result.nome_fantasia, result.cnaes_secundarios, result.porte], ['', [], ''])
  const nulls = { nomeFantasia: null, cnaeSecundarias: null, porte: null }
  assert.deepEqual((await empresa({ ...inteira, ...nulls })).result, result)
})

test('an answer without partners is one only for a legal nature that has none: not for a nature that nobody knows', async () => {
  const of = (codigo: string | number | null, socios?: null | []) => ({
    ...inteira,
    naturezaJuridica: { codigo, descricao: 'Dita' },
    socios,
  })
  for (const codigo of ['2062', 2054, '3999', '9997', null])
    for (const socios of [undefined, null])
      assert.match(await refusal(of(codigo, socios)), /sem o quadro de sócios/, String(codigo))
  for (const codigo of ['2135', 4120, '1244', '3085'])
    for (const socios of [undefined, null]) {
      const { result, avisos } = await empresa(of(codigo, socios))
      assert.deepEqual([result.qsa, avisos.length], [[], 1], String(codigo))
      assert.match(String(avisos), /não informou sócios/)
    }
  const told = await empresa(of('2062', []))
  assert.deepEqual([told.result.qsa, told.avisos], [[], []], 'an empty list is the register’s own word')
})

test('dates that cannot be are left out, as in the monthly base', async () => {
  for (const data of ['0202-07-31', '4100-01-01', '2005-02-30', '0000-00-00', '', null]) {
    const body = { ...inteira, situacaoCadastral: { codigo: 2, data } }
    assert.equal((await empresa(body)).result.data_situacao_cadastral, '', String(data))
  }
})

test('a situation of today is told with its date, and that of tomorrow without', async () => {
  const of = async (data: string) =>
    (await empresa({ ...inteira, situacaoCadastral: { codigo: '5', data } })).result
  const [today, tomorrow] = [await of('2026-11-14'), await of('2026-11-15')]
  assert.deepEqual(
    [today.situacao_cadastral, today.data_situacao_cadastral],
    ['ATIVA NAO REGULAR', '2026-11-14'],
  )
  assert.equal(tomorrow.data_situacao_cadastral, '')
})

test('codes that nobody knows leave their texts empty, each with a notice', async () => {
  const { result, avisos } = await empresa({
    ...inteira,
    porte: '07',
    naturezaJuridica: { codigo: '9998', descricao: '' },
    socios: [{ nome: 'A B', qualificacao: '99' }],
    endereco: { ...inteira.endereco, municipio: { codigo: '0000', descricao: 'CIDADE NOVA' } },
  })
  assert.deepEqual([result.porte, result.natureza_juridica, result.qsa[0]?.qualificacao], ['', '', ''])
  assert.deepEqual([result.endereco.municipio, result.endereco.codigo_ibge], ['CIDADE NOVA', ''])
  assert.deepEqual(
    avisos.map((aviso) => /^O código (\d+) de (.+) não está/.exec(aviso)?.slice(1).join(' ')),
    ['9998 natureza jurídica', '0000 município', '99 qualificação', '07 porte'],
  )
})

describe('an answer that is not what it should be is none', () => {
  const { situacaoCadastral: _s, ...semSituacao } = inteira
  const { capitalSocial: _c, ...semCapital } = inteira
  for (const [name, body] of Object.entries({
    'no JSON': '<html>manutenção</html>',
    nothing: '',
    'an array': [inteira],
    'no situation': semSituacao,
    'a situation that nobody knows': { ...inteira, situacaoCadastral: { codigo: '9', data: '' } },
    'no capital': semCapital,
    'a capital with decimals': { ...inteira, capitalSocial: 1000.5 },
    'a capital as a decimal text': { ...inteira, capitalSocial: '1000.50' },
    'a capital that JSON rounded': { ...inteira, capitalSocial: 2 ** 53 + 2 },
    'a date of another form': { ...inteira, situacaoCadastral: { codigo: '2', data: '03/11/2005' } },
    'a state that is none': { ...inteira, endereco: { ...inteira.endereco, uf: 'XX' } },
    'BR as a state': { ...inteira, endereco: { ...inteira.endereco, uf: 'BR' } },
    'a name as a number': { ...inteira, nomeEmpresarial: 1 },
    'an empty name': { ...inteira, nomeEmpresarial: '' },
    'partners as an object': { ...inteira, socios: {} },
    'a partner without a name': { ...inteira, socios: [{ qualificacao: '49' }] },
    'more partners than can be': {
      ...inteira,
      socios: Array(10_001).fill({ nome: 'A', qualificacao: '49' }),
    },
    'an activity in words': { ...inteira, cnaePrincipal: { codigo: 'arroz' } },
  }))
    test(name, async () => {
      assert.match(await refusal(body), /mudou o que responde/)
    })

  test('another CNPJ', async () => {
    assert.match(await refusal({ ...inteira, ni: '00000000000191' }), /respondeu por outro CNPJ/)
  })
})

test('a partial answer (206) with every specified field is an answer; without one it is a failure', async () => {
  assert.deepEqual((await empresa(inteira, 206)).result, (await empresa(inteira)).result)
  for (const name of ['nomeFantasia', 'cnaeSecundarias', 'porte', 'socios']) {
    const less = Object.fromEntries(Object.entries(inteira).filter(([one]) => one !== name))
    assert.match(await refusal(less, 206), new RegExp(`só tem uma parte.*falta ${name}`))
  }
  const { cep, ...endereco } = inteira.endereco
  assert.match(await refusal({ ...inteira, endereco }, 206), /falta endereco\.cep/)
  assert.match(await refusal({ ni: CNPJ }, 206), /só tem uma parte/)
})

test('nobody (404) is nobody, in JSON or without a word; a page is a failure', async () => {
  assert.equal(await ask({ mensagem: 'não encontrado' }, 404), undefined)
  assert.equal(await ask('', 404), undefined)
  assert.deepEqual(
    leituras.slice(-2).map(({ vazia }) => vazia),
    [true, true],
    'they count as empty answers',
  )
  assert.match(await refusal('<html>404</html>', 404), /HTTP 404 com uma página/)
})
