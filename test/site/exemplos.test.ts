import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { readChave } from '../../simulator/nfe/nota.ts'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { listNotas, listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { signUp } from '../../src/contas/cadastro.ts'
import { openFixedSimulator } from '../kit/authority.ts'
import { NOW } from '../kit/basics.ts'
import { curl, type Exemplo, listExemplos, toExemplo } from '../kit/guide.ts'
import { type House, start } from '../kit/house.ts'
import { openHouses } from '../kit/repetir.ts'
import { AINDA_NAO, rows } from '../kit/repetir-rows.ts'
import { seedMonitor } from '../kit/sefaz-rounds.ts'

/**
 * The kept answers, which `npm test -- --test-update-snapshots test/site/exemplos.test.ts` writes anew.
 */
const KEPT = join(import.meta.dirname, '../../data/exemplos.json')

/** The limit of the runner is for one test; this is one for each call. */
const ALL_MS = 600_000

/** Failures that take their time. `npm run test:longo` waits for them, and so does who writes them anew. */
const DEMORADOS: ReadonlySet<string> = new Set(['BANCO_INDISPONIVEL', 'IDEMPOTENCIA_EM_ANDAMENTO'])

const isWhole =
  process.env.LONGO !== undefined || process.execArgv.some((one) => one === '--test-update-snapshots')

let simulator: Awaited<ReturnType<typeof openFixedSimulator>>
let house: House
/** A service of the day that the answers are from. */
let daquele: House
let exemplos: Exemplo[]
const answers = new Map<string, unknown>()

before(async () => {
  simulator = await openFixedSimulator()
  // A note and its certificate are of today.
  house = await start({}, () => new Date())
  daquele = await start({ SIMULATOR_URL: simulator.endereco }, () => NOW)
  await seedMonitor(daquele)
  exemplos = await listExemplos(house)
})
after(async () => {
  await house.close()
  await daquele.close()
  await simulator.close()
})

/** What tells of other calls, or would find their answers in the cache. */
const SOZINHOS: ReadonlySet<string> = new Set([
  '/api/consultar-cnd-todos',
  '/api/consultar-ie-todos',
  '/api/perfil-produtor',
  '/api/v1/auth/registrar',
  '/api/v1/conta',
  '/api/v1/fontes',
])

/** Such are asked of a service that has answered nothing yet. */
async function askAlone(exemplo: Exemplo): ReturnType<typeof curl> {
  if (exemplo.body?.certificado) return curl(house, exemplo)
  if (!SOZINHOS.has(exemplo.path)) {
    await semearConta(daquele, exemplo)
    return curl(daquele, exemplo)
  }
  const alone = await start({ SIMULATOR_URL: simulator.endereco }, () => NOW)
  await seedMonitor(alone)
  await semearConta(alone, exemplo)
  return curl(alone, exemplo).finally(alone.close)
}

/** The account of the login's example: that of the sign-up's. */
async function semearConta({ rooms }: House, { path, body }: Exemplo): Promise<void> {
  if (!path.endsWith('/login') || !body?.email || !body.senha) return
  await signUp(rooms.contas, {
    nome: 'Ana Souza',
    email: body.email,
    senha: body.senha,
    endereco: '127.0.0.1',
  })
}

test('every example of the document, sent with curl, is answered with 200 and charged as the list says', {
  timeout: ALL_MS,
}, async (t) => {
  for (const exemplo of exemplos)
    await t.test(exemplo.path, async () => {
      const { status, creditos, body } = await askAlone(exemplo)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(creditos, linhaOf(exemplo)?.espera.creditos ?? 0)
      answers.set(exemplo.path, toExemplo(body))
    })
})

test('every code of the document has a failure that a service gave', async (t) => {
  const houses = openHouses()
  t.after(houses.close)
  for (const exemplo of exemplos)
    for (const [code, provas] of Object.entries(rows[exemplo.path] ?? {})) {
      if (answers.has(code) || !exemplo.codes.includes(code) || provas === AINDA_NAO) continue
      if (DEMORADOS.has(code) && !isWhole) continue
      const [[como] = assert.fail(code)] = provas
      const { body } = await como(houses, exemplo)
      assert.equal(body.error_code, code)
      answers.set(code, toExemplo(body))
    }
})

test('the kept answers are what the service answers', (t) => {
  if (!isWhole) {
    const kept: Record<string, unknown> = JSON.parse(readFileSync(KEPT, 'utf8'))
    const awaited = Object.entries(kept).filter(([code]) => !DEMORADOS.has(code))
    assert.deepEqual(Object.fromEntries(answers), Object.fromEntries(awaited))
    return
  }
  const serializers = [(value: unknown) => `${JSON.stringify(value, null, 1)}\n`]
  t.assert.fileSnapshot(Object.fromEntries(answers), KEPT, { serializers })
})

test('the document shows each answer with its example, live as well as with the simulator', async () => {
  const env = { AUTHORITIES: 'live', BOOTSTRAP_API_KEY: 'chave-de-teste-0123456789' }
  for (const other of [await start(), await start(env)])
    for (const { path, parameters, body, answer, failures, codes } of await listExemplos(other).finally(
      other.close,
    )) {
      assert.deepEqual(toExemplo(answer), answers.get(path), path)
      assert.deepEqual(failures, codes, path)
      assert.deepEqual(parameters, exemplos.find((exemplo) => exemplo.path === path)?.parameters, path)
      if (body?.chave) assert.equal(Object(answer).resultados[0].chave, body.chave)
    }
})

test('every document of an example is one of the list of the simulator', () => {
  const documents = ['cpf', 'cnpj', 'ie', 'chave']
  for (const exemplo of exemplos) {
    const names = [...exemplo.parameters.map(([name]) => name), ...Object.keys(exemplo.body ?? {})]
    const asks = names.some((name) => documents.includes(name))
    assert.equal(linhaOf(exemplo)?.espera.http, asks ? 200 : undefined, exemplo.path)
  }
})

test('while the simulator does not answer, the document has texts in the place of its note, and later the note', async (t) => {
  const own = await openFixedSimulator()
  const other = await start({ SIMULATOR_URL: own.endereco })
  t.after(() => other.close())
  await own.close()
  const sent = async () => (await listExemplos(other)).find(({ body }) => body?.certificado)?.body
  assert.match(String((await sent())?.certificado), /^O arquivo \.pfx/)
  const again = await openFixedSimulator(Number(new URL(own.endereco).port))
  t.after(() => again.close())
  assert.match(String((await sent())?.certificado), /^MII/)
})

/** The row of the simulator's list that an example is. */
function linhaOf({ path, parameters, body }: Exemplo): Linha | undefined {
  if (!body) {
    const asked = new URLSearchParams(parameters).toString()
    return listRoteiro().find(
      ({ endpoint, parametros }) => endpoint === path && new URLSearchParams(parametros).toString() === asked,
    )
  }
  const numero = Number(readChave(body.chave ?? '')?.nNF)
  return listNotas(new Date()).find(
    ({ endpoint, envio }) =>
      endpoint === path && envio?.senha === body.senha && comCenario(envio?.cenario ?? '').numero === numero,
  )
}
