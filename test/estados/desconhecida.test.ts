import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { portais } from '../../simulator/estados/estados.ts'
import { disponibilidadeOf } from '../../src/portal/rotas.ts'
import { type House, start } from '../kit/house.ts'
import { desconhecidas, entriesOf, openMeios, rotasCnd } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const meios = openMeios()

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

/** States without a single page of certificates that can be asked. */
const desconhecidasCnd = desconhecidas.filter(([, , rota]) => 'naoContribuinte' in rota)
const semCnd = [...new Set(desconhecidasCnd.map(([, uf]) => uf))].filter(
  (uf) => !rotasCnd.some((rota) => rota[1] === uf),
)

describe('a route whose requests nobody knows', () => {
  for (const [nome, uf, rota] of desconhecidas) {
    test(`${nome} is not asked, also where the simulator answers, and says where a person can ask`, async () => {
      const recursos = { certificado: true, captcha: { takes: () => true } }
      assert.equal(disponibilidadeOf(rota, uf, recursos), 'protocolo-desconhecido')
      const pergunta = { tipo: 'cnpj', documento: reservado('html-503'), inscricoes: undefined } as const
      await assert.rejects(
        async () => rota.ask(pergunta, meios()),
        (error: Error) => error.name === 'RotaNaoAtende' && error.message.includes(rota.url),
      )
      assert.ok(rota.nota, 'it says what is known all the same')
    })
  }

  for (const uf of semCnd) {
    test(`${uf}: the certificate is SITE_INDISPONIVEL for anybody, uncharged, and the simulator plays no page`, async () => {
      assert.ok(!portais.some((one) => one.uf === uf && one.servico === 'cnd'))
      const [url] = desconhecidasCnd.filter((one) => one[1] === uf).map(([, , rota]) => rota.url)
      for (const documento of [reservado('html-503'), reservado('misto')]) {
        const { status, headers, body } = await house.ask(`/api/consultar-cnd?uf=${uf}&cnpj=${documento}`)
        assert.deepEqual([status, body.error_code], [503, 'SITE_INDISPONIVEL'])
        assert.ok(String(body.detail).includes(`Consulte na página dela (${url}).`), String(body.detail))
        assert.equal(headers.get('x-credits-charged'), '0')
      }
    })
  }

  test('in the certificates of all states it is an entry that failed, and is not charged', async () => {
    const { body, headers } = await house.ask(`/api/consultar-cnd-todos?cnpj=${reservado('html-503')}`)
    const entries = entriesOf(body).filter(({ uf }) => semCnd.some((one) => one === uf))
    assert.deepEqual(
      entries.map(({ uf }) => uf),
      [...semCnd].sort(),
    )
    for (const { source_status, result } of entries)
      assert.deepEqual(
        [source_status.status, source_status.error_code, result],
        ['error', 'SITE_INDISPONIVEL', null],
      )
    assert.equal(headers.get('x-credits-charged'), '0')
  })
})
