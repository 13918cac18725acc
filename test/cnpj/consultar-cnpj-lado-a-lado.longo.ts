import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type LinhaDaAmostra, linhasDaAmostra, planoDaAmostra } from '../../simulator/mundo/amostra.ts'
import type { RegistroCnpj } from '../../src/cnpj/base/registro.ts'
import { type House, start } from '../kit/house.ts'

type Result = RegistroCnpj['result']

const cnpjOf = ({ estabelecimento }: LinhaDaAmostra): string => estabelecimento.slice(0, 3).join('')

/**
 * What only the files of the base get wrong (doubled quotes, lost bytes, displaced columns), and what they
 * leave blank where the register says zero.
 */
function isDirty({ empresa, estabelecimento }: LinhaDaAmostra): boolean {
  const text = [...empresa, ...estabelecimento].join('|')
  const [, razao = '', , , capital = '', porte = ''] = empresa
  const isShifted = !/^[A-Z]{2}$/.test(estabelecimento[19] ?? '')
  return /["\\\0\n]/.test(text) || isShifted || razao === '' || capital === '' || porte === ''
}

const linhas = [...linhasDaAmostra(planoDaAmostra())].filter((linha) => !isDirty(linha))

/** The kinds of company that must be in the comparison, by what the monthly base says of them. */
const tipos: Record<string, (result: Result, cnpj: string) => boolean> = {
  'with several partners': ({ qsa }) => qsa.length > 2,
  'without partners': ({ qsa }) => qsa.length === 0,
  'abroad, which has no code of IBGE': ({ endereco }) => endereco.uf === 'EX' && endereco.codigo_ibge === '',
  'a sole trader, whose name has a CPF': ({ razao_social }) => / \*{3}\d{6}\*{2}$/.test(razao_social),
  'with a trade name': ({ nome_fantasia }) => nome_fantasia !== '',
  'without other activities': ({ cnaes_secundarios }) => cnaes_secundarios.length === 0,
  'with many activities': ({ cnaes_secundarios }) => cnaes_secundarios.length > 5,
  'with cents in its capital': ({ capital_social }) => !capital_social.endsWith('.00'),
  'with a capital of zero': ({ capital_social }) => capital_social === '0.00',
  'with more than a milliard': ({ capital_social }) => capital_social.length > 12,
  'with a CNPJ that has letters': (_, cnpj) => /[A-Z]/.test(cnpj),
  'a branch': (_, cnpj) => cnpj.slice(8, 12) !== '0001',
  'without a CEP': ({ endereco }) => endereco.cep === '',
  active: ({ situacao_cadastral }) => situacao_cadastral === 'ATIVA',
  closed: ({ situacao_cadastral }) => situacao_cadastral === 'BAIXADA',
  unfit: ({ situacao_cadastral }) => situacao_cadastral === 'INAPTA',
  suspended: ({ situacao_cadastral }) => situacao_cadastral === 'SUSPENSA',
  null: ({ situacao_cadastral }) => situacao_cadastral === 'NULA',
  'of each size: micro': ({ porte }) => porte === 'MICRO EMPRESA',
  'of each size: small': ({ porte }) => porte === 'PEQUENO PORTE',
  'of each size: other': ({ porte }) => porte === 'DEMAIS',
}

/** The order of the partners says nothing: the base's is that of its files. */
const comparable = ({ qsa, ...result }: Result) => ({
  ...result,
  qsa: qsa.map(({ nome, qualificacao }) => `${nome}: ${qualificacao}`).sort(),
})

for (const mask of ['true', 'false'])
  describe(`CNPJ_MASK_CPF=${mask}: both ways tell the same of a company`, () => {
    let house: House
    before(async () => {
      house = await start({ CNPJ_MASK_CPF: mask })
    })
    after(() => house.close())

    async function bothOf(cnpj: string, key: string): Promise<[Result, Result]> {
      const [base, live] = await Promise.all([
        house.ask(`/api/consultar-cnpj?cnpj=${cnpj}`, { key }),
        house.ask(`/api/consultar-cnpj?cnpj=${cnpj}&force_fresh=true`, { key }),
      ])
      assert.deepEqual([base.status, live.status], [200, 200], `${cnpj} ${live.text}`)
      assert.deepEqual(live.body.avisos, [], cnpj)
      const [one, other]: [Result, Result] = JSON.parse(JSON.stringify([base.body.result, live.body.result]))
      return [one, other]
    }

    test('field by field, for some 300 companies of the sample', async () => {
      const { key } = await house.open('enterprise')
      for (const linha of linhas.filter((_, at) => at % 12 === 0)) {
        const [base, live] = await bothOf(cnpjOf(linha), key)
        assert.deepEqual(comparable(live), comparable(base), cnpjOf(linha))
        assert.deepEqual(Object.keys(live), Object.keys(base))
        assert.deepEqual(Object.keys(live.endereco), Object.keys(base.endereco))
      }
    })

    test('field by field, for a company of each kind', async () => {
      const { key } = await house.open('enterprise')
      const base = house.rooms.cnpj.base.current()
      const wanted = Object.entries(tipos).filter(([tipo]) => mask === 'true' || !/CPF/.test(tipo))
      for (const [tipo, is] of wanted) {
        const found = linhas.find((linha) => {
          const registro = base?.find(cnpjOf(linha))
          return registro !== undefined && is(registro.result, cnpjOf(linha))
        })
        assert.ok(found, `the sample has no company ${tipo}`)
        const [one, other] = await bothOf(cnpjOf(found), key)
        assert.deepEqual(comparable(other), comparable(one), `${tipo}: ${cnpjOf(found)}`)
      }
    })

    test('the name of a sole trader shows the CPF, or not, in both ways', async () => {
      const { key } = await house.open('enterprise')
      const sole = linhas.find(({ empresa }) => empresa[2] === '2135' && / \d{11}$/.test(empresa[1] ?? ''))
      assert.ok(sole)
      for (const { razao_social } of await bothOf(cnpjOf(sole), key))
        assert.match(razao_social, mask === 'true' ? / \*{3}\d{6}\*{2}$/ : / \d{11}$/)
    })
  })
