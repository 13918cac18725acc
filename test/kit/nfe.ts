import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAutoridades } from '../../simulator/autoridades.ts'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo, createLivroDeEventos } from '../../simulator/nfe/nota.ts'
import type { Autoridade, Pedido } from '../../simulator/platform/autoridade.ts'
import { startGateway } from '../../simulator/platform/gateway.ts'
import type { Icp } from '../../simulator/platform/icp/icp.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import { createPaginas } from '../../simulator/site/site.ts'
import { readNfeProc } from '../../src/nfe/source-documento.ts'
import { type Cartorio, type Enviado, openCartorio } from './a1.ts'
import { pausa } from './basics.ts'
import { type Answer, type House, start } from './house.ts'
import { pastaDaIcp, sharedIcp } from './simulator.ts'

/** The authorities with a witness beside them. The witness writes down what each NF-e request was. */
export type Witness = {
  autoridades: readonly Autoridade[]
  /** In order: `consulta`, the event's `tpEvento`, or `portal` for all the pages of one visit. */
  vistos: string[]
  /** From now on, holds requests of this kind back from their authority until they are let go. */
  reter: (passo: string) => Holding
}

export type Holding = {
  /** Resolves once so many requests wait. */
  chegam: (quantos: number) => Promise<void>
  soltar: () => void
}

/** Sets the witness beside the authorities. */
export function watch(autoridades: readonly Autoridade[]): Witness {
  const vistos: string[] = []
  const portas = new Map<string, Porta>()
  const ver = (passo: string | undefined): void => {
    if (passo && !(passo === 'portal' && vistos.at(-1) === 'portal')) vistos.push(passo)
  }
  return {
    vistos,
    reter: (passo) => {
      const porta = closedPorta()
      portas.set(passo, porta)
      const soltar = (): void => {
        portas.delete(passo)
        porta.open()
      }
      return { chegam: porta.chegam, soltar }
    },
    autoridades: autoridades.map((autoridade) => ({
      ...autoridade,
      answer: async (pedido, resposta) => {
        const passo = passoDe(pedido)
        ver(passo)
        await portas.get(passo ?? '')?.entrar()
        return autoridade.answer(pedido, resposta)
      },
    })),
  }
}

type Porta = { entrar: () => Promise<void>; chegam: Holding['chegam']; open: () => void }

function closedPorta(): Porta {
  const { promise: aberta, resolve: open } = Promise.withResolvers<void>()
  const avisos = new Set<() => void>()
  let esperando = 0
  return {
    open,
    entrar: () => {
      esperando += 1
      for (const avisar of avisos) avisar()
      return aberta
    },
    chegam: (quantos) =>
      new Promise((resolve) => {
        const avisar = () => {
          if (esperando >= quantos) resolve()
        }
        avisos.add(avisar)
        avisar()
      }),
  }
}

function passoDe({ caminho, corpo }: Pedido): string | undefined {
  if (caminho.startsWith('/NFeDistribuicaoDFe')) return 'consulta'
  if (caminho.startsWith('/portal/')) return 'portal'
  return /<tpEvento>(\d{6})</.exec(corpo.toString())?.[1]
}

export const DIA_MS = 86_400_000
export const HORA_MS = 3_600_000

/** One item of `resultados`, as a client reads it. */
export type Item = {
  chave: string
  status: string
  cstat: string
  mensagem: string
  from_cache: boolean
  manifestacao: string | null
  xml: string | null
  simulacao?: Record<string, unknown>
  retryable?: boolean
}

/**
 * `passos` lists the requests that the authorities saw for the call (see `Witness`), with one space
 * between them.
 */
export type AnswerNfe = Answer & { item: Item; passos: string }

type Options = {
  /** The note's age in days, in the place of the scenario's. */
  dias?: number
  /** A key in the place of the scenario's. */
  chave?: string
  /** An A1 file in the place of the scenario's: its name or the file itself. */
  arquivo?: string | Enviado
  corpo?: Record<string, unknown>
  headers?: Record<string, string>
  key?: string | null
  /** A service in the place of the house's own, over the same simulator. */
  em?: Pick<House, 'ask'>
}

/** All houses share the authority, so its registrar's keys are made once too. */
const cartorio = openCartorio(pastaDaIcp)

/** The service and a simulator of its own. Both share one clock, which stands still until it is moved. */
export type NfeHouse = House & {
  icp: Icp
  now: () => Date
  pass: (ms: number) => void
  /** A key of the scenario's note. Its age is `dias`, or else the scenario's. */
  chaveDe: (cenario: string, dias?: number) => string
  /** An A1 file of the simulator, in the form that the endpoint takes. */
  a1: (nome: string) => Promise<Enviado>
  cartorio: Cartorio
  /** Posts any body. */
  post: (corpo: unknown, init?: Pick<Options, 'headers' | 'key' | 'em'>) => Promise<Answer>
  /** Asks for a scenario's note with its A1 file. */
  askFor: (cenario: string, options?: Options) => Promise<AnswerNfe>
  /** The simulator's address, and how often its hosts were asked. */
  simulador: string
  pedidos: (host: string) => number
  /**
   * The requests that the authorities saw since the last call of this function, in the form of
   * `AnswerNfe.passos`.
   */
  passos: () => string
  /** Holds requests back from their authority: see `Witness`. */
  reter: Witness['reter']
  /** The events that stand for a note, by `tpEvento`. */
  eventos: (chave: string) => string[]
}

export const AN = 'www1.nfe.fazenda.gov.br'
/** The event service and the portal share this host. */
export const WWW = 'www.nfe.fazenda.gov.br'

/**
 * The clock begins at the real second, since certificates are checked against the real clock too. Late
 * answers come at once.
 */
export async function startNfe(env: Record<string, string> = {}, first = Date.now()): Promise<NfeHouse> {
  let instant = Math.floor(first / 1000) * 1000
  const now = () => new Date(instant)
  const icp = await sharedIcp()
  const captchas = createCaptchas(now)
  const { assinante, cadeia } = icp
  const livro = createLivroDeEventos()
  const todas = createAutoridades({ agora: now, ritmo: 0, captchas, assinante, cadeia, livro })
  const { autoridades, vistos, reter } = watch(todas)
  const passos = (): string => vistos.splice(0).join(' ')
  const { resolvedor } = captchas
  const options = {
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades,
    paginas: createPaginas(now),
    resolvedor,
    ritmo: 0,
  }
  const gateway = await startGateway(options)
  const house = await start({ SIMULATOR_URL: gateway.endereco, ...env }, now)

  const a1: NfeHouse['a1'] = async (nome) => {
    const found = await icp.certificado(nome)
    assert.ok(found, `the simulator has no certificate ${nome}`)
    return { certificado: found.pfx.toString('base64'), senha: found.item.senha }
  }
  const chaveDe: NfeHouse['chaveDe'] = (nome, dias) => {
    const cenario = comCenario(nome)
    return chaveDo(cenario, new Date(instant - (dias ?? cenario.idadeDias) * DIA_MS))
  }
  const post: NfeHouse['post'] = (corpo, { headers = {}, key, em = house } = {}) =>
    em.ask('/api/consultar-nfe-xml', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof corpo === 'string' ? corpo : JSON.stringify(corpo),
      ...(key === undefined ? {} : { key }),
    })
  return {
    ...house,
    icp,
    now,
    pass: (ms) => {
      instant += ms
    },
    chaveDe,
    a1,
    cartorio,
    post,
    askFor: async (cenario, { dias, chave, arquivo, corpo, ...init } = {}) => {
      const file = typeof arquivo === 'object' ? arquivo : await a1(arquivo ?? `nfe-${cenario}`)
      const body = { chave: chave ?? chaveDe(cenario, dias), ...file, ...corpo }
      passos()
      const answer = await post(body, init)
      assert.equal(answer.status, 200, answer.text)
      return { ...answer, item: itemOf(answer), passos: passos() }
    },
    simulador: gateway.endereco,
    pedidos: (host) => gateway.estatisticas().pedidos[host] ?? 0,
    passos,
    reter,
    eventos: (chave) => livro.eventosDe(chave).map(({ tpEvento }) => tpEvento),
    close: async () => {
      await house.close()
      await gateway.close()
    },
  }
}

function itemOf({ body }: Answer): Item {
  const [item] = Object(body.resultados)
  return item
}

/** What a call must end with. */
export type Expected = {
  status: string
  cstat: string
  manifestacao: string | null
  /** Whether the note came. The call then costs 3 credits, else nothing. */
  xml: boolean
  /** The requests to the authorities, in the form of `AnswerNfe.passos`. */
  passos: string
  /** The events that stand for the note afterwards, by `tpEvento`. */
  livro?: string[]
  /** A pattern of the message. */
  diz: RegExp
  /** `Retry-After`, in seconds. It is absent where asking again does not help. */
  espera?: number
}

/** A sentence of the specification, a scenario that shows it, and the expected end of the call. */
export type Row = [
  frase: string,
  cenario: string,
  espera: Expected,
  corpo?: { manifestar?: boolean },
  dias?: number,
]

/** Makes a test of each row. All ask with the key of one account, which has enough credits. */
export function testRows(nfeOf: () => { house: NfeHouse; key: string }, linhas: readonly Row[]): void {
  for (const [frase, cenario, espera, corpo, dias] of linhas)
    test(`${frase} (${cenario})`, async () => {
      const { house, key } = nfeOf()
      // The call gets a key of its own, even if the same scenario was asked before.
      house.pass(1000)
      const before = await creditsOf(house, key)
      const chave = house.chaveDe(cenario, dias)
      const answer = await house.askFor(cenario, { chave, key, corpo: corpo ?? {} })
      assertExpected(answer, espera, chave)
      assert.deepEqual(house.eventos(chave), espera.livro ?? [], 'the events that stand')
      assert.equal(await creditsOf(house, key), before - (espera.xml ? 3 : 0))
      assert.equal(answer.headers.get('x-credits-remaining'), String(before - (espera.xml ? 3 : 0)))
    })
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Asserts the whole answer: its body member by member, its headers, and the requests that the authorities
 * saw.
 */
export function assertExpected(answer: AnswerNfe, espera: Expected, chave: string): void {
  const { item, body, headers, passos } = answer
  const { mensagem, xml, ...rest } = item
  const { status, cstat, manifestacao } = espera
  const said = `${item.status} ${item.cstat} ${item.manifestacao} [${passos}]: ${mensagem}`
  const retryable = espera.espera !== undefined
  assert.deepEqual(rest, { chave, status, cstat, from_cache: false, manifestacao, retryable }, said)
  assert.equal(passos, espera.passos, said)
  assert.match(mensagem, espera.diz)
  if (espera.xml) assert.equal(readNfeProc(xml ?? '', chave).ok, true)
  else assert.equal(xml, null)
  const { request_id, consultado_em, avisos, resultados, ...counts } = body
  assert.equal(Object(avisos).length, ['ok', 'somente_resumo'].includes(status) ? 1 : 0)
  // Empty where nobody answered, and that is no success.
  assert.match(String(consultado_em), espera.xml ? INSTANT : /^$|Z$/)
  assert.equal(headers.get('age'), consultado_em === '' ? null : '0')
  assert.match(String(request_id), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(headers.get('x-request-id'), request_id)
  const creditos_cobrados = espera.xml ? 3 : 0
  assert.deepEqual(counts, { total: 1, com_dado: espera.xml ? 1 : 0, creditos_cobrados })
  assert.equal(Object(resultados).length, 1)
  assert.equal(headers.get('x-credits-charged'), String(creditos_cobrados))
  assert.equal(headers.get('retry-after'), espera.espera === undefined ? null : String(espera.espera))
}

/** The credits that an account has left, by the books. */
export async function creditsOf({ rooms }: Pick<NfeHouse, 'rooms'>, key: string): Promise<number> {
  const conta = await rooms.contas.keys.find(key)
  assert.ok(conta)
  const { cota, extra } = await rooms.platform.ledger.saldo(conta)
  return cota + extra
}

/**
 * Opens a house for the tests of a file or suite, with the key of an account that has enough credits. Gives
 * what tells them.
 */
export function useNfe(startHouse: () => Promise<NfeHouse>): () => { house: NfeHouse; key: string } {
  let opened: { house: NfeHouse; key: string } | undefined
  before(async () => {
    const house = await startHouse()
    opened = { house, key: (await house.open('enterprise')).key }
  })
  after(() => opened?.house.close())
  return () => {
    assert.ok(opened)
    return opened
  }
}

/** Resolves once `isSo` holds. If it never does, the test's own time limit ends the wait. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await pausa()
}

/** How many calls of the service have credits set aside. */
export async function heldBy({ rooms }: Pick<NfeHouse, 'rooms'>): Promise<number> {
  return (await rooms.platform.db.kysely.selectFrom('retencoes').select('request_id').execute()).length
}
