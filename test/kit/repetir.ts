import { randomUUID } from 'node:crypto'
import { blockConta } from '../../src/contas/store-contas.ts'
import type { VerificacaoDoCatalogo } from '../../src/rejeicoes/rules.ts'
import { openSimulatorAt } from './authority.ts'
import { NOW } from './basics.ts'
import { entradas, writeCatalogo } from './catalogo.ts'
import { newPostgres } from './databases.ts'
import { type Exemplo, placed } from './guide.ts'
import { type Answer, type House, loseTable, start } from './house.ts'
import { startAlone } from './rural.ts'
import { seedMonitor } from './sefaz-rounds.ts'
import { openPorta } from './transport.ts'

/** The services that tests of one file share. Each is started once, and closed by `close`. */
export type Houses = {
  /** The service with these settings. */
  of: (env?: Record<string, string>) => Promise<House>
  /** The service whose database is away. */
  away: () => ReturnType<typeof startAway>
  close: () => Promise<void>
}

/** Brings an endpoint to fail. `exemplo` is its example in the document. */
export type Provoca = (houses: Houses, exemplo: Exemplo) => Promise<Answer>

export const PRODUCAO = { AUTHORITIES: 'live', BOOTSTRAP_API_KEY: 'chave-de-teste-0123456789' }
/** The certificate of an example is of today, so its service has the clock of today. */
export const HOJE = { NFE_SECONDS: '5' }

export function openHouses(): Houses {
  const started = new Map<object | undefined, Promise<House>>()
  let away: ReturnType<typeof startAway> | undefined
  return {
    away: () => {
      away ??= startAway()
      return away
    },
    of: (env) => {
      const house = started.get(env) ?? start(env, env === HOJE ? () => new Date() : () => NOW)
      started.set(env, house)
      return house
    },
    close: async () => {
      for (const house of started.values()) await (await house).close()
      await (await away)?.house.close()
    },
  }
}

/** A service whose database goes away after its start, with a key of its own. */
async function startAway(): Promise<{ house: House; key: string }> {
  const porta = await openPorta({ after: () => {} }, await newPostgres())
  const house = await start({
    DATABASE_URL: porta.databaseUrl,
    SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
  })
  const { key } = await house.open('lite')
  await porta.close()
  return { house, key }
}

type Sent = {
  parameters?: readonly (readonly [string, string])[]
  body?: Record<string, unknown> | string
  key?: string | null
  headers?: Record<string, string>
}

/** Sends an example, with these parts in the place of its own. */
export function send(house: House, { path, ...own }: Exemplo, sent: Sent = {}): Promise<Answer> {
  const { parameters = own.parameters, body = own.body, key, headers = {} } = sent
  const { filled, rest } = placed(path, parameters)
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, value])).toString()
  const json = typeof body === 'string' ? body : JSON.stringify(body)
  return house.ask(query ? `${filled}?${query}` : filled, {
    ...(key !== undefined && { key }),
    ...(json !== undefined && { method: 'POST', body: json }),
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
  })
}

/** Asks with these parameters, with the settings `env`. */
export const pergunta =
  (parameters: Record<string, string>, env?: Record<string, string>): Provoca =>
  async (houses, exemplo) =>
    send(await houses.of(env), exemplo, { parameters: Object.entries(parameters) })

/** Sends a parameter of the example twice. */
export const repetido: Provoca = async (houses, exemplo) => {
  const [first] = exemplo.parameters
  return send(await houses.of(), exemplo, { parameters: [...exemplo.parameters, ...(first ? [first] : [])] })
}

/** Posts the example with these members in the place of its own, or this text. */
export const corpo =
  (body: Record<string, unknown> | string, headers: Record<string, string> = {}): Provoca =>
  async (houses, exemplo) =>
    send(await houses.of(HOJE), exemplo, {
      body: typeof body === 'string' ? body : { ...exemplo.body, ...body },
      headers,
    })

/** Posts the example to a service with these settings. */
export const corpoCom =
  (env: Record<string, string>): Provoca =>
  async (houses, exemplo) =>
    send(await houses.of(env), exemplo)

/** Uses up what an address, and the e-mail of the example, may try. */
export const semVez =
  (what: 'entrar/endereco' | 'entrar/email' | 'cadastrar/endereco' | 'cadastrar/email'): Provoca =>
  async (_casas, exemplo) => {
    const house = await start()
    const who = what.endsWith('email') ? String(exemplo.body?.email) : '127.0.0.1'
    for (let i = 0; i < 100; i++) await house.rooms.contas.attempts.take([what, who])
    return send(house, exemplo).finally(house.close)
  }

export const semChave: Provoca = async (houses, exemplo) => send(await houses.of(), exemplo, { key: null })

export const bloqueada: Provoca = async (houses, exemplo) => {
  const house = await houses.of()
  const { conta, key } = await house.open('lite')
  await blockConta(house.rooms.platform.db, conta.id, { motivo: 'teste', now: NOW })
  return send(house, exemplo, { key })
}

/** Uses up the requests of a minute. */
export const apressada: Provoca = async (houses, exemplo) => {
  const house = await houses.of()
  const { conta, key } = await house.open('lite')
  for (let i = 0; i < 30; i++) await house.rooms.contas.rateLimit.consume(conta)
  return send(house, exemplo, { key })
}

/** A check of the catalogue takes for ever, and the note is one that it reads to the end. */
export const demorada: Provoca = async (_casas, exemplo) => {
  const lenta: VerificacaoDoCatalogo = {
    id: '204-lenta',
    titulo: 'Lenta',
    descricao: 'Lenta.',
    campos: ['ide/natOp'],
    dependencia: 'xml',
    regra: { casa: [{ v: 'ide/natOp' }, '^(a+)+$'] },
    mensagem_falha: 'Lenta.',
    fonte: { documento: 'teste', regra: 'teste' },
    exemplo: { nota: 'venda', errado: [{ campo: 'ide/natOp', valor: 'a' }] },
    par: { certo: '<NFe/>', errado: '<NFe/>' },
  }
  const catalogo = writeCatalogo(
    entradas.map((one) => ({ ...one, verificacoes_analiticas: [{ ...lenta, id: `${one.codigo}-lenta` }] })),
  )
  const house = await start({ REJEICOES_FILE: catalogo.arquivo })
  const xml = exemplo.body?.xml?.replace(/<natOp>[^<]*/, `<natOp>${'a'.repeat(58)}!`)
  return send(house, exemplo, { body: { xml } }).finally(async () => {
    await house.close()
    catalogo.remove()
  })
}

/** Uses up the minute of an address. */
export const apressadaSemChave: Provoca = async (_casas, exemplo) => {
  const house = await start()
  for (let i = 0; i < 30; i++) await send(house, exemplo, { key: null })
  return send(house, exemplo, { key: null }).finally(house.close)
}

/** The catalogue fails in a way that nobody foresaw. */
export const semExplicacao: Provoca = async (_casas, exemplo) => {
  const house = await start()
  const read = (): never => {
    throw new Error('teste')
  }
  Object.assign(house.rooms.rejeicoes.rejeicoes, { read })
  return send(house, exemplo, { key: null }).finally(house.close)
}

/** Spends all credits of an account, and posts the example with these members too. */
export const semCreditosPara =
  (more: Record<string, unknown>): Provoca =>
  async (houses, exemplo) => {
    const house = await houses.of(exemplo.body ? HOJE : undefined)
    const { conta, key } = await house.open('lite')
    const all = { conta, request_id: randomUUID(), endpoint: 'teste', creditos: 100 }
    await house.rooms.platform.ledger.charge(all)
    return send(house, exemplo, { key, ...(exemplo.body && { body: { ...exemplo.body, ...more } }) })
  }

/** Spends all credits of an account. */
export const semCreditos: Provoca = semCreditosPara({})

/** The service loses a table without which it cannot answer. */
export const quebrada: Provoca = async (_casas, exemplo) => {
  const house = await start({}, exemplo.body ? () => new Date() : () => NOW)
  const { key } = await house.open('lite')
  // Without a round, the status of the SEFAZ is unknown, which is no failure of ours.
  await seedMonitor(house)
  await loseTable(house, exemplo.path.includes('/auth/') ? 'contas' : 'saldos')
  return send(house, exemplo, { key }).finally(house.close)
}

/** The database of the service is away. */
export const semBanco: Provoca = async (houses, exemplo) => {
  const { house, key } = await houses.away()
  return send(house, exemplo, { key })
}

const headers = { 'idempotency-key': 'repetir' }

/** Sends another body with the same Idempotency-Key. */
export const outroCorpo: Provoca = async (houses, exemplo) => {
  const house = await houses.of(HOJE)
  const { key } = await house.open('lite')
  await send(house, exemplo, { key, headers })
  return send(house, exemplo, { key, headers, body: { ...exemplo.body, simular: true } })
}

/** Sends a call again while nothing is heard of the first. */
export const emAndamento: Provoca = async (houses, exemplo) => {
  const house = await houses.of(HOJE)
  const { key } = await house.open('lite')
  await send(house, exemplo, { key, headers })
  const unheard = { resposta: null, ate: Date.now() + 86_400_000 }
  await house.rooms.platform.db.kysely.updateTable('idempotencia').set(unheard).execute()
  return send(house, exemplo, { key, headers })
}

/** Asks about another document five times, which opens the state's circuit, then about the given one. */
export const depoisDeCinco =
  (uf: string, dead: string, cnpj: string): Provoca =>
  async (houses, exemplo) => {
    const house = await houses.of()
    const ask = (documento: string) =>
      send(house, exemplo, {
        parameters: [
          ['uf', uf],
          ['cnpj', documento],
        ],
      })
    for (let i = 0; i < 5; i++) await ask(dead)
    return ask(cnpj)
  }

/** Asks a tax office of its own. What other files asked of the shared one may be issued by now. */
export const recemPedida =
  (parameters: Record<string, string>, env: Record<string, string>): Provoca =>
  async (_casas, exemplo) => {
    const simulador = await openSimulatorAt(() => NOW, { ritmo: 0 })
    const house = await start({ ...env, SIMULATOR_URL: simulador.endereco })
    try {
      return await send(house, exemplo, { parameters: Object.entries(parameters) })
    } finally {
      await house.close()
      await simulador.close()
    }
  }

/** No authority can be reached, and the document has no section of another source. */
export const semFontes: Provoca = async (_casas, exemplo) => {
  const { house, close } = await startAlone()
  return send(house, exemplo, { parameters: [['cpf', '52998224725']] }).finally(close)
}
