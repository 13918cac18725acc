import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, type TestContext } from 'node:test'
import { type CertidaoFederal, cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { octetosDaCertidao } from '../../simulator/federal/papel.ts'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import type { CertidaoGuardada, EmissaoTerminada, SituacaoFederal } from '../../src/federal/rules.ts'
import type {
  AndamentoFederal,
  MeiosFederais,
  PerguntaFederal,
  RespostaFederal,
} from '../../src/federal/source.ts'
import { rotaPortal } from '../../src/federal/source-portal.ts'
import { type Contrato, openContrato } from '../../src/federal/source-serpro.ts'
import { listJobs } from '../../src/platform/jobs/admin.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { createGuard } from '../../src/platform/wire/guard.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import type { Leitura } from '../../src/platform/wire/leituras.ts'
import { type CaptchaSolver, type Desafio, noSolver } from '../../src/portal/captcha.ts'
import { type Authority, openAuthority, openSimulatorAt } from './authority.ts'
import { NOW } from './basics.ts'
import type { Fresh } from './databases.ts'
import { type Answer, type House, start } from './house.ts'

const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const CONTRATO = 'gateway.apiserpro.serpro.gov.br'
export const PORTAL = 'servicos.receitafederal.gov.br'

/** The company that the simulator has for an outcome, by the name of its row. */
export function empresa(nome: string): string {
  const found = cenariosFederais.find((one) => one.nome === nome)
  return found?.documento ?? assert.fail(`the simulator has no company ${nome}`)
}

/** A service and a tax office that have one clock, which the test moves. */
export type FederalHouse = {
  house: House
  key: string
  /** Lets time pass, for both. */
  pass: (ms: number) => void
  /** Asks for the certificate of the company with this row, or of this CNPJ. */
  ask: (nome: string, query?: string) => Promise<Answer>
  /** How many issuances of a company the tax office has begun. */
  emissoes: (nome: string) => Promise<number>
  /** Waits for the end of all jobs. */
  settled: () => Promise<void>
}

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

/** Opens a service of one test, and a tax office of its own. `fresh` gives its database. */
export async function startFederal(
  t: TestContext,
  sent: Record<string, string> = {},
  fresh?: Fresh,
): Promise<FederalHouse> {
  const DATABASE_URL = (await fresh?.(t))?.databaseUrl
  const env = { ...sent, ...(DATABASE_URL && { DATABASE_URL, SERVER_SECRET }) }
  let agora = NOW
  const now = () => agora
  const simulador = await openSimulatorAt(now, { ritmo: 0.02 })
  t.after(() => simulador.close())
  const house = await start({ SIMULATOR_URL: simulador.endereco, ...env }, now)
  t.after(() => house.close())
  const { key } = await house.open('starter')
  const cnpjOf = (nome: string): string => (/^[0-9A-Z]{14}$/.test(nome) ? nome : empresa(nome))
  return {
    house,
    key,
    pass: (ms) => {
      agora = new Date(agora.getTime() + ms)
    },
    ask: (nome, query = '') => house.ask(`/api/consultar-cnd-federal?cnpj=${cnpjOf(nome)}${query}`, { key }),
    emissoes: (nome) => emissoesOf(simulador.endereco, cnpjOf(nome)),
    settled: () => settle(house),
  }
}

/** Opens an account whose credits are spent, and gives its key. */
export async function openSpent({ open, rooms }: Pick<House, 'open' | 'rooms'>): Promise<string> {
  const { conta, key } = await open('lite')
  const spent = { request_id: randomUUID(), endpoint: 'teste', creditos: 100 }
  await rooms.platform.ledger.charge({ conta, ...spent })
  return key
}

/** Waits for the end of all jobs of a service. */
export async function settle({ rooms }: Pick<House, 'rooms'>): Promise<void> {
  const { db, jobs } = rooms.platform
  for (const { id } of await listJobs(db, { limite: 100 })) {
    const end = await jobs.waitFor(id, 60_000)
    assert.equal(end?.state, 'done')
  }
}

/** How many issuances of a company a simulator has begun. */
export async function emissoesOf(simulador: string, cnpj: string): Promise<number> {
  const { federal } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(federal.emissoes[cnpj] ?? 0)
}

/** The parts of an answer that the decision rules speak of. */
export function dito({ status, body, headers }: Answer) {
  const { status: situacao, modo } = Object(body.result)
  const error = Object(body.source_status).error_code
  assert.equal(status, 200, JSON.stringify(body))
  return {
    ...(error ? { error } : { situacao, modo }),
    cached: body.cached,
    creditos: Number(headers.get('x-credits-charged')),
  }
}

/** The control code of the certificate that was delivered. */
export const codigoDe = ({ body }: Answer): string => String(Object(body.result).protocolo)

export const AGORA = new Date('2026-11-14T15:00:00Z')

/** A certificate of today. */
export const papel = {
  id: '1',
  cnpj: '11222333000181',
  nome: 'EMPRESA DE TESTE LTDA',
  tipo: 'negativa',
  codigo: 'A1B2.C3D4.E5F6.0789',
  emissao: '2026-11-14',
  hora: '11:58:00',
  validade: '2027-05-13',
  anulada: false,
  papel: 'certo',
} as const satisfies CertidaoFederal

export const pdfOf = async (mais: Partial<CertidaoFederal> = {}): Promise<string> =>
  (await octetosDaCertidao({ ...papel, ...mais })).toString('base64')

/** The means of an attempt, and what a route does with them. */
export type Tentativa = {
  meios: MeiosFederais
  /** What the route noted, in order. */
  notas: AndamentoFederal[]
  leituras: Leitura[]
  /** The lines of the log. */
  linhas: string[]
}

/** Means without waiting between two polls. */
export function tentativa(mais: Partial<MeiosFederais> & { http: Http }): Tentativa {
  const notas: AndamentoFederal[] = []
  const leituras: Leitura[] = []
  const linhas: string[] = []
  const log = { info: (fields: object, message: string) => linhas.push(JSON.stringify({ fields, message })) }
  const meios: MeiosFederais = {
    guard: createGuard(log, { now: () => AGORA, onCall: (leitura) => leituras.push(leitura) }),
    captcha: noSolver,
    now: () => AGORA,
    request_id: 'pedido-1',
    deadlineMs: 10_000,
    signal: new AbortController().signal,
    pace: 0,
    andamento: undefined,
    noteAndamento: async (andamento) => {
      notas.push(andamento)
    },
    ...mais,
  }
  return { meios, notas, leituras, linhas }
}

/** Gives the failure of an answer that should fail. */
export async function failureOf(asked: Promise<RespostaFederal>): Promise<SourceError> {
  const error = await asked.then(
    (answer) => assert.fail(`it answered ${JSON.stringify(answer).slice(0, 300)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SourceError, String(error))
  return error
}

const API = '/servico/certidoes/api'

/** An answer of one call. A text is sent as it is. */
export type Fala = {
  status?: number
  body?: unknown
  cookie?: string
  headers?: Record<string, string>
  cai?: true
  /** No answer comes. */
  nunca?: true
}

/** The six calls of the portal's API, by which the test's answers are set. */
type Chamada = 'env' | 'validar' | 'consulta' | 'seg-via' | 'verificar' | 'emissao'

const chamadas: Readonly<Record<string, Chamada>> = {
  'GET /env': 'env',
  'POST /consulta/validar-contribuinte': 'validar',
  'POST /consulta': 'consulta',
  'POST /Emissao/verificar': 'verificar',
  'POST /Emissao': 'emissao',
}

const chamadaOf = ({ metodo, caminho }: Pedido): Chamada =>
  chamadas[`${metodo} ${caminho.slice(API.length)}`] ?? 'seg-via'

/** A row of the portal's list; as on the paper, unless the test says otherwise. */
export const linha = (mais: object = {}): object => ({
  idCertidao: 'c-1',
  hasSegundaVia: true,
  numeroControle: papel.codigo,
  tipoCertidao: 'Negativa',
  dataEmissao: `${papel.emissao}T11:58:00`,
  dataValidade: `${papel.validade}T00:00:00`,
  situacao: 'Válida',
  ...mais,
})

export const achadas = (...certidoes: object[]): Fala => ({ body: { statusConsulta: 'Sucesso', certidoes } })

type Tentada = Tentativa & { asked: ReturnType<typeof rotaPortal.ask> }

/** A portal that has no certificate and issues one, unless the test says otherwise; and its solver. */
export function usePortal() {
  let authority: Authority
  let falas: Partial<Record<Chamada, Fala[]>> = {}
  const seen: Pedido[] = []
  const desafios: Desafio[] = []
  let bem: Record<Chamada, Fala>
  const next = (chamada: Chamada): Fala => {
    const queue = falas[chamada] ?? []
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? bem[chamada]
  }
  before(async () => {
    const pdf = await pdfOf()
    bem = {
      env: { body: { captchaPublicKey: '4a65992d-58fc-4812-8b87-789f7e7c4c4b' } },
      validar: { body: { status: 'Sucesso', idConsulta: 'i-1' }, cookie: 'SESSION=um' },
      consulta: { body: { statusConsulta: 'CertidaoNaoEncontrada', certidoes: [] } },
      'seg-via': { body: { status: 'Sucesso', pdf, mensagem: null } },
      verificar: { body: { status: 'ContinuarEmissao' }, cookie: 'SESSION=dois' },
      emissao: { body: { statusEmissao: 'Sucesso', pdf, mensagem: 'A certidão foi emitida com sucesso' } },
    }
    authority = await openAuthority([
      {
        nome: 'portal de certidões',
        hosts: ['servicos.receitafederal.gov.br'],
        asksCertificado: false,
        answer: (pedido, reply) => {
          seen.push(pedido)
          const { status = 200, body, cookie, headers, cai, nunca } = next(chamadaOf(pedido))
          if (cai) return pedido.conexao.drop()
          if (nunca) return
          const session = cookie && { 'set-cookie': `${cookie}; Path=/servico/certidoes; Secure; HttpOnly` }
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          reply.writeHead(status, { 'content-type': 'application/json', ...session, ...headers }).end(text)
        },
      },
    ])
  })
  beforeEach(() => {
    falas = {}
    seen.length = 0
    desafios.length = 0
  })
  after(() => authority.close())
  const captcha: CaptchaSolver = {
    takes: (uf, tipo) => uf === 'BR' && tipo === 'hcaptcha',
    solve: async (desafio) => {
      desafios.push(desafio)
      return `token ${desafios.length}`
    },
  }
  const meiosDaqui = (mais: Partial<MeiosFederais> = {}): Tentativa =>
    tentativa({ http: authority.http, captcha, ...mais })
  return {
    desafios,
    /** The means of an attempt, for a test that asks by itself. */
    meios: meiosDaqui,
    /** Sets the answers of the calls from now on; the last one of each is given for ever. */
    dizer: (ditas: Partial<Record<Chamada, Fala[]>>) => {
      falas = ditas
    },
    /** Asks for the certificate of the paper's CNPJ. */
    ask: (emitir: PerguntaFederal['emitir'] = 'se-preciso', mais: Partial<MeiosFederais> = {}): Tentada => {
      const tentada = meiosDaqui(mais)
      return { ...tentada, asked: rotaPortal.ask({ cnpj: papel.cnpj, emitir }, tentada.meios) }
    },
    /** The calls that came, in order. */
    vistas: (): Chamada[] => seen.map(chamadaOf),
    pedidos: (chamada: Chamada): Pedido[] => seen.filter((pedido) => chamadaOf(pedido) === chamada),
  }
}

/** Friday, 12:00 in Brasília. */
export const DECIDED_AT = new Date('2026-11-20T15:00:00Z')

export const MINUTO_MS = 60_000
export const HORA_MS = 60 * MINUTO_MS
export const DIA_MS = 24 * HORA_MS

/** So many minutes before `AGORA`. */
export const haMinutos = (minutos: number): Date => new Date(DECIDED_AT.getTime() - minutos * MINUTO_MS)

/** The day so many days after the day of `AGORA`. */
export const emDias = (dias: number): string =>
  new Date(Date.parse('2026-11-20') + dias * DIA_MS).toISOString().slice(0, 10)

/** A call for a CNPJ of which nothing is known, where the portal can issue. */
export const chamada = (parts: Partial<SituacaoFederal> = {}): SituacaoFederal => ({
  guardada: undefined,
  emCurso: false,
  recusadaEm: undefined,
  emitirNova: false,
  issuesNova: true,
  agora: DECIDED_AT,
  ...parts,
})

/** A stored certificate with so many days left, found at the authority long ago. */
export const guardada = (dias: number, parts: Partial<CertidaoGuardada> = {}): CertidaoGuardada => ({
  validade: emDias(dias),
  conferidaEm: haMinutos(60 * 24),
  emissao: undefined,
  ...parts,
})

/** A certificate of 180 days whose issuance ended so many minutes ago. */
export const emitidaHa = (minutos: number, parts: Partial<EmissaoTerminada> = {}): CertidaoGuardada =>
  guardada(180, {
    conferidaEm: haMinutos(minutos),
    emissao: { fim: haMinutos(minutos), anunciada: false, ...parts },
  })

export const CHAVES = { chave: 'chave-de-teste', segredo: 'segredo-de-teste' }

/** An answer that a test sets: `espera` holds it back until the promise ends. */
export type Resposta = {
  status?: number
  body: unknown
  headers?: Record<string, string>
  espera?: Promise<void>
}

/**
 * The gateway of the contract with the test's own answers, in their order; the last one is given for ever.
 */
export function useContrato() {
  let authority: Authority
  let agora = new Date('2026-11-14T12:00:00Z')
  let tokens: Resposta[] = []
  let answers: Resposta[] = []
  const seen: Pedido[] = []
  const next = (from: Resposta[]): Resposta => (from.length > 1 ? from.shift() : from[0]) ?? { body: '' }
  before(async () => {
    authority = await openAuthority([
      {
        nome: 'contrato',
        hosts: ['gateway.apiserpro.serpro.gov.br'],
        asksCertificado: false,
        answer: async (pedido, reply) => {
          seen.push(pedido)
          const { status = 200, body, headers, espera } = next(pedido.caminho === '/token' ? tokens : answers)
          await espera
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
        },
      },
    ])
  })
  beforeEach(() => {
    seen.length = 0
    tokens = [tokenOf('token-1')]
    answers = [{ body: {} }]
  })
  after(() => authority.close())
  return {
    /** Opens a contract of its own, with no token yet. */
    open: (etiqueta?: string): Contrato =>
      openContrato(authority.open(), { chaves: CHAVES, etiqueta, now: () => agora }),
    setTokens: (...given: Resposta[]) => {
      tokens = given
    },
    setAnswers: (...given: Resposta[]) => {
      answers = given
    },
    passSeconds: (seconds: number) => {
      agora = new Date(agora.getTime() + seconds * 1000)
    },
    asked: (): Pedido[] => seen.filter(({ caminho }) => caminho !== '/token'),
    askedTokens: (): Pedido[] => seen.filter(({ caminho }) => caminho === '/token'),
  }
}

export const tokenOf = (access_token: string, expires_in = 3600): Resposta => ({
  body: { access_token, token_type: 'Bearer', expires_in, scope: 'am_application_scope default' },
})

/** A question that has 10 seconds. */
export const pergunta = {
  source: { id: 'BR/cnpj', nome: 'A Consulta CNPJ' },
  method: 'GET',
  path: '/consulta-cnpj-df/v2/qsa/00000000000191',
  deadlineMs: 10_000,
} as const
