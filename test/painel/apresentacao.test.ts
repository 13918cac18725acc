import assert from 'node:assert/strict'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import {
  apresentarCertidao,
  apresentarCertidaoDoEstado,
  apresentarCertidoesTodos,
} from '../../src/certidao/apresentacao.ts'
import { apresentarCnpj } from '../../src/cnpj/apresentacao.ts'
import { apresentarCertidaoFederal } from '../../src/federal/apresentacao.ts'
import {
  apresentarInscricoes,
  apresentarInscricoesDoEstado,
  apresentarInscricoesTodos,
} from '../../src/inscricao/apresentacao.ts'
import type { Apresentacao, Fato } from '../../src/platform/pages/apresentacao.ts'
import { testOnce } from '../kit/basics.ts'
import { DA_CHAMADA, ditosEm, faultsIn, testApresentacoes } from './apresentacoes.ts'

/** What takes its seconds in real time is asked in `npm run test:longo`. */
const waits = ({ nota }: Linha): boolean => /não responde|segundos|demora/.test(nota)

const ofHour = listRoteiro().filter((linha) => waits(linha) === Boolean(process.env.LONGO))

const { 'results[].avisos': deCadaEstado, ...daChamada } = DA_CHAMADA

const emTodos = {
  request_id: DA_CHAMADA.request_id ?? '',
  'results[].avisos': deCadaEstado ?? '',
}

testApresentacoes(
  [
    {
      caminho: '/api/consultar',
      apresentar: apresentarInscricoes,
      fora: daChamada,
    },
    {
      caminho: '/api/consultar-cnd',
      apresentar: apresentarCertidao,
      fora: {
        ...daChamada,
        'source_status.status': 'the status of the result says it',
        'source_status.error_code': 'its message says it in words',
        'source_status.retryable': 'its message says when to ask again',
      },
    },
    {
      caminho: '/api/consultar-ie-todos',
      apresentar: apresentarInscricoesTodos,
      apresentarEstado: apresentarInscricoesDoEstado,
      fora: { ...emTodos, 'results[].fonte': 'its name is said: that of the state, or the register' },
    },
    {
      caminho: '/api/consultar-cnd-todos',
      apresentar: apresentarCertidoesTodos,
      apresentarEstado: apresentarCertidaoDoEstado,
      fora: emTodos,
    },
    {
      caminho: '/api/consultar-cnd-federal',
      apresentar: apresentarCertidaoFederal,
      fora: {
        ...daChamada,
        'source_status.status': 'a failure has no result, and its verdict',
        'source_status.retryable': 'its message says when to ask again',
        'result.tipo': 'it is always the same word',
        'result.orgao': 'it is always the same, and stands in the subject',
        'result.validade': 'validade_iso is the same day',
        'result.emissao': 'emissao_iso is the same day',
      },
    },
    {
      caminho: '/api/consultar-cnpj',
      apresentar: apresentarCnpj,
      fora: { ...daChamada, 'source_status.*': 'it is always success: failures have no answer' },
    },
  ],
  ofHour,
)

const nada: Apresentacao = {
  tom: 'neutro',
  veredito: 'Nada',
  nome: '',
  onde: 'Um lugar',
  frase: 'Uma frase.',
  fatos: [],
  partes: [],
}

/** A fact each, and what is wrong with it. */
const PLANTED: readonly (readonly [rotulo: string, valor: string, what: RegExp])[] = [
  ['Regime apuracao icms', 'NORMAL', /derived/],
  ['Municipio', 'Campinas', /derived/],
  ['Uf ie', 'SP', /derived/],
  ['Status raw', 'Negativa', /derived/],
  ['nome_fantasia', 'Loja', /derived/],
  ['Empresa', '99001002000162', /without its mask/],
  ['Empresa', '12ABC34501DE35', /without its mask/],
  ['Pessoa', '52998224725', /without its mask/],
  ['Pessoa', '52.9.9.82./247--25', /a mask over a mask/],
  ['CEP', '90010000', /without its mask/],
  ['CNAE', '0115600', /without its mask/],
  ['Vence', '2027-01-23', /a day as programs/],
  ['Respondeu', '2026-11-14T15:00:00.000Z', /as programs write/],
  ['Capital', '1061004829.23', /decimal point/],
  ['Conta', 'R$ 12.50', /decimal point/],
  ['Situação', 'nao_contribuinte', /a name of a member/],
  ['Situação', '', /empty/],
  ['', 'Ativa', /empty label/],
  ['Número da certidão', 'o texto do estado, como veio dele', /the reference says/],
]

testOnce(
  'what nobody should read is found: names of members, bare values, the words of the reference',
  () => {
    const names = new Set([
      'regime_apuracao_icms',
      'municipio',
      'uf_ie',
      'status_raw',
      'bairro',
      'cep',
      'razao_social',
    ])
    const reference = ['o texto do estado, como veio dele']
    const faultsOf = (...fatos: Fato[]) => faultsIn(ditosEm({ ...nada, fatos }), names, reference)
    for (const [rotulo, valor, what] of PLANTED) {
      const faults = faultsOf({ rotulo, valor })
      assert.equal(faults.length > 0, true, `${rotulo}: ${valor}`)
      assert.match(faults.join(), what)
    }
    const good: readonly Fato[] = [
      { rotulo: 'Município', valor: 'Campinas' },
      { rotulo: 'Bairro', valor: 'Centro' },
      { rotulo: 'Razão social', valor: 'COMÉRCIO LTDA' },
      { rotulo: 'CNPJ', valor: '99.001.002/0001-62' },
      { rotulo: 'Inscrição', valor: '110.042.490.114' },
      { rotulo: 'Inscrição', valor: '99.999.99-3' },
      { rotulo: 'CEP', valor: '90010-000' },
      { rotulo: 'CNAE', valor: '0115-6/00' },
      { rotulo: 'Capital', valor: 'R$ 1.061.004.829,23' },
      { rotulo: 'Vence', valor: '23/01/2027' },
      { rotulo: 'Número da certidão', valor: '00264471882' },
    ]
    assert.deepEqual(faultsOf(...good), [])
  },
)
