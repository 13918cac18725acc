import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { rotasFederais } from '../../src/federal/federal.ts'
import { askRotasFederais } from '../../src/federal/job.ts'
import { openConfianca } from '../../src/federal/store.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'
import {
  AGORA,
  achadas,
  failureOf,
  linha,
  papel,
  pdfOf,
  type Tentativa,
  useContrato,
  usePortal,
} from '../kit/federal.ts'

const portal = usePortal()
const gateway = useContrato()

const PROCESSANDO = { status: 201, body: { Status: 7, Mensagem: 'Em processamento.', Chave: 'chave-1' } }
const FORA_DO_AR = { status: 503, body: { code: 503, message: 'Service Unavailable' } }
const CINCO = 5 * 60_000

const opener = (t: TestContext, place: Place) => async (CND_FEDERAL_ROTAS: string, tentada: Tentativa) => {
  const options = {
    now: () => AGORA,
    ambiente: 'simulador',
    secret: 'segredo-de-teste-com-mais-de-32-letras',
  }
  const confianca = openConfianca(await openFor(t, place), options)
  const rotas = rotasFederais(
    { CND_FEDERAL_ROTAS, CND_FEDERAL_VERSAO: 'v1' },
    { contrato: gateway.open(), captcha: tentada.meios.captcha },
  )
  const log = { warn: () => {} }
  const pergunta = { cnpj: papel.cnpj, emitir: 'se-preciso' } as const
  return askRotasFederais(pergunta, { rotas, meios: tentada.meios, confianca, log })
}

forEachDatabase((_dialect, fresh) => {
  test('a route that fails before the authority began is replaced by the next', async (t) => {
    gateway.setAnswers(FORA_DO_AR)
    const { fonte } = await opener(t, await fresh(t))('contrato,portal', portal.meios())
    assert.equal(fonte, 'BR/cnd-portal')
  })

  test('a gateway that fails while it issues is not replaced: the portal would issue another', async (t) => {
    gateway.setAnswers(PROCESSANDO, FORA_DO_AR)
    const tentada = portal.meios()
    const error = await failureOf(
      opener(t, await fresh(t))('contrato,portal', tentada).then(({ resposta }) => resposta),
    )
    assert.deepEqual([error.source, error.status], ['BR/cnd-contrato', 503])
    assert.equal(tentada.notas.at(-1)?.chave, 'chave-1')
    assert.deepEqual(portal.vistas(), [])
  })

  test('a portal whose connection breaks as it issues is not replaced: the gateway would issue another', async (t) => {
    portal.dizer({ emissao: [{ cai: true }] })
    gateway.setAnswers(FORA_DO_AR)
    const tentada = portal.meios()
    const error = await failureOf(
      opener(t, await fresh(t))('portal,contrato', tentada).then(({ resposta }) => resposta),
    )
    assert.deepEqual([error.source, error.kind], ['BR/cnd-portal', 'network'])
    assert.notEqual(tentada.notas.at(-1)?.cookies, undefined)
    assert.deepEqual(gateway.asked(), [])
  })

  test('an issuance of which nothing was heard for a quarter of an hour keeps the other route no longer', async (t) => {
    portal.dizer({
      consulta: [achadas(linha())],
      'seg-via': [{ body: { status: 'Sucesso', pdf: await pdfOf() } }],
    })
    gateway.setAnswers(FORA_DO_AR)
    const ask = opener(t, await fresh(t))
    for (const [idade, fonte] of [
      [CINCO, undefined],
      [3 * CINCO, 'BR/cnd-portal'],
    ] as const) {
      const desde = new Date(AGORA.getTime() - idade).toISOString()
      const andamento = { rota: 'contrato', desde, chave: 'chave-1' } as const
      const asked = ask('contrato,portal', portal.meios({ andamento }))
      if (fonte) assert.equal((await asked).fonte, fonte)
      else assert.equal((await failureOf(asked.then(({ resposta }) => resposta))).source, 'BR/cnd-contrato')
    }
  })
})
