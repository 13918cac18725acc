import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before } from 'node:test'
import { setImmediate as nextTurn, setImmediate } from 'node:timers/promises'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import type { Imposto } from '../../simulator/sefaz/clima.ts'
import { createSefaz } from '../../simulator/sefaz/sefaz.ts'
import type { ClientCertificate, Clock } from '../../src/platform/wire/dial.ts'
import { makeRodada } from '../../src/sefaz/rodada.ts'
import { type Autorizador, autorizadores, type Doc, docs } from '../../src/sefaz/rules.ts'
import type { DiaSefaz, Incidente, RodadaFeita } from '../../src/sefaz/rules-rodada.ts'
import { type MeiosDaSonda, probe, type Sondagem } from '../../src/sefaz/source.ts'
import { enderecos } from '../../src/sefaz/source-enderecos.ts'
import { type Authority, openAuthorities, openAuthority } from './authority.ts'
import { NOW } from './basics.ts'
import { type House, start } from './house.ts'
import { EVERY_MS, feita, muda } from './sefaz.ts'

export const RODADA_MS = 120_000

/** The monitor of one or more nodes, and its authorities, by one clock. */
export type Monitor = {
  /** The nodes: servers on one database, in the order in which they started. */
  nos: readonly [House, ...House[]]
  /** Starts one more server. It is closed with the test, if not before. */
  start: (env: Record<string, string>) => Promise<House>
  impor: (imposto: Imposto) => void
  /** Makes a round at the first node, an interval after the last one. */
  rodada: (intervaloMs?: number) => Promise<RodadaFeita>
  relogio: { instant: number }
}

type Opcoes = {
  envs?: readonly [Record<string, string>, ...Record<string, string>[]]
  /** How the simulator lets the time of an answer pass. By default it answers at once. */
  esperar?: (ms: number, relogio: { instant: number }) => Promise<void>
}

/** Starts servers whose SEFAZ is a simulator in this process, in fine weather. */
export async function startMonitor(
  t: { after: (end: () => Promise<void>) => void },
  { envs = [{}], esperar = async () => {} }: Opcoes = {},
): Promise<Monitor> {
  const relogio = { instant: NOW.getTime() }
  const now = (): Date => new Date(relogio.instant)
  const sefaz = createSefaz({ agora: now, wait: (ms) => esperar(ms, relogio) })
  sefaz.impose({ padrao: 'normal' })
  const authorities = await openAuthorities(now, { sefaz })
  const clock = (): number => relogio.instant
  const running = new Set<House>()
  const open = async (env: Record<string, string>): Promise<House> => {
    const house = await start({ SIMULATOR_URL: authorities.address, ...env }, now, { clock })
    const close = (): Promise<void> => (running.delete(opened) ? house.close() : Promise.resolve())
    const opened = { ...house, close }
    running.add(opened)
    return opened
  }
  t.after(async () => {
    for (const house of running) await house.close()
    await authorities.close()
  })
  const [env, ...rest] = envs
  const first = await open(env)
  const others: House[] = []
  for (const other of rest) others.push(await open(other))
  return {
    nos: [first, ...others],
    start: open,
    impor: (imposto) => sefaz.impose({ padrao: 'normal', ...imposto }),
    rodada: async (intervaloMs = RODADA_MS) => {
      relogio.instant += intervaloMs
      for (;;) {
        const feita = await makeRodada(first.rooms.sefaz)
        if (feita) return feita
        // The node's own round has its turn still.
        await nextTurn()
      }
    },
    relogio,
  }
}

/** The monitor of one node that the tests of a suite share, in the order in which they stand. */
export function shareMonitor(): () => Monitor {
  let monitor: Monitor
  const ends: (() => Promise<void>)[] = []
  before(async () => {
    monitor = await startMonitor({ after: (end) => void ends.push(end) })
  })
  after(async () => {
    for (const end of ends) await end()
  })
  return () => monitor
}

/** The codes of all states on a node's board, each once: what 27 states in one state show is one code. */
function codigosDe({ rooms }: House, doc: Doc): string {
  const all = [...(rooms.sefaz.monitor.quadro()?.situacoes[doc].values() ?? [])]
  const codes = new Set(all.map(({ status_code, status_avg }) => `${status_code} ${status_avg}`))
  return `${all.length}: ${[...codes].join(', ')}`
}

export const todosOsCodigos = (house: House): string[] => [
  ...new Set(docs.map((doc) => codigosDe(house, doc))),
]

export const NFE = 'http://www.portalfiscal.inf.br/nfe'
export const EM = Date.parse('2026-11-22T12:00:00Z')
const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'

/** The authorizer with this id. */
export function authorizer(id: string): Autorizador {
  const found = autorizadores.find((one) => one.id === id)
  assert.ok(found, id)
  return found
}

/** What a status service answers, without its envelope; `changed` replaces or adds members. */
export function retConsStatServ(cStat: string, changed: Record<string, string> = {}): string {
  const said = {
    tpAmb: '1',
    verAplic: 'V1',
    cStat,
    xMotivo: cStat === '107' ? 'Servico em Operacao' : 'Outro motivo',
    cUF: '',
    dhRecbto: '2026-11-22T09:00:00-03:00',
    ...changed,
  }
  const inside = Object.entries(said).map(([name, value]) => value && `<${name}>${value}</${name}>`)
  return `<retConsStatServ versao="4.00" xmlns="${NFE}">${inside.join('')}</retConsStatServ>`
}

export const envelope = (inside: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${SOAP12}"><soap:Body><nfeResultMsg xmlns="${NFE}/wsdl/NFeStatusServico4">${inside}</nfeResultMsg></soap:Body></soap:Envelope>`

/** A question as it reached a service: its body is the message inside the envelope. */
export type Asked = { host: string; path: string; type: string; body: string; document: string }
type Behaviour = (pedido: Pedido, reply: ServerResponse) => void

/** All status services behind one gateway, which answer as the test says. Closed after the file's tests. */
export type StatusAuthority = {
  /** Sets what every service does from now on. */
  does: (behaviour: Behaviour) => void
  /** Sets the answer of every service: an envelope, or anything else. */
  answers: (body: string | Buffer, status?: number, type?: string) => void
  asked: Asked[]
  lines: { level: 'debug' | 'info'; fields: Record<string, unknown> }[]
  connections: () => number
  /** Another door, with this clock. */
  door: (clock: Clock) => MeiosDaSonda['http']
  meios: (changed?: Partial<MeiosDaSonda>) => MeiosDaSonda
  probe: (id: string, changed?: Partial<MeiosDaSonda>) => Promise<Sondagem>
}

export function useStatus(): StatusAuthority {
  let authority: Authority
  let certificado: ClientCertificate
  let http: MeiosDaSonda['http']
  let behaviour: Behaviour = (_, reply) => void reply.writeHead(500).end()
  const asked: Asked[] = []
  const lines: StatusAuthority['lines'] = []
  const hosts = Object.values(enderecos).flatMap((both) => Object.values(both).map(hostOf))
  before(async () => {
    authority = await openAuthority([
      {
        nome: 'status',
        hosts: [...new Set(hosts)],
        asksCertificado: true,
        answer: (pedido, reply) => {
          const { host, caminho: path, corpo, cabecalhos, chamador } = pedido
          const type = cabecalhos['content-type'] ?? ''
          asked.push({ host, path, type, body: corpo.toString(), document: chamador?.documento ?? '' })
          behaviour(pedido, reply)
        },
      },
    ])
    http = authority.open({}, { clock: () => performance.now() })
    certificado = await authority.certificate('empresa')
  })
  after(() => authority.close())
  const answers: StatusAuthority['answers'] = (body, status = 200, type = 'application/soap+xml') => {
    behaviour = (_, reply) => void reply.writeHead(status, { 'content-type': type }).end(body)
  }
  const note = (level: 'debug' | 'info') => (fields: object) =>
    void lines.push({ level, fields: { ...fields } })
  const meios: StatusAuthority['meios'] = (changed = {}) => {
    const log = { debug: note('debug'), info: note('info') }
    return { http, certificado, ambiente: 'producao', limiteMs: 30_000, log, ...changed }
  }
  return {
    does: (next) => {
      behaviour = next
    },
    answers,
    asked,
    lines,
    connections: () => authority.gateway.estatisticas().conexoes,
    door: (clock) => authority.open({}, { clock, idleMs: 180_000 }),
    meios,
    probe: (id, changed) => probe(authorizer(id), EM, meios(changed)),
  }
}

/** undici reuses a connection from the next turn of the loop on. */
export async function idle(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

const hostOf = (address: string): string => address.split('/')[0] ?? ''

const MINUTE_MS = 60_000

/** A day with readings every 10 minutes, of which some failed. */
const dia = (dia: string, autorizador: string, timeouts: number): DiaSefaz => ({
  autorizador,
  dia,
  leituras: 144,
  erros: 0,
  timeouts,
  tempos: Uint16Array.from({ length: 144 - timeouts }, (_, i) => 180 + 3 * i),
  confirmadas: 40,
  desmentidas: timeouts > 0 ? 1 : 0,
})

/** Gives a service of the tests' day a history of two days with an incident, and a round of this minute. */
export async function seedMonitor({ rooms }: House): Promise<void> {
  const { monitor } = rooms.sefaz
  const inicio = NOW.getTime() - 20 * 60 * MINUTE_MS
  const fim = inicio + 40 * MINUTE_MS
  const motivo = 'SEFAZ SP não respondeu em 30 segundos.'
  await monitor.seed({
    dias: ['nfe-sp', 'nfe-svrs'].flatMap((id) => [
      dia('2026-11-12', id, 0),
      dia('2026-11-13', id, id === 'nfe-sp' ? 4 : 0),
    ]),
    incidentes: [
      {
        id: '01a1e6d5-3f00-7000-8000-000000000001',
        casa: 'SP',
        inicio,
        fim,
        quedas: [{ autorizador: 'nfe-sp', inicio, fim, cStat: null, motivo }],
      },
    ],
  })
  await monitor.keep(feita(NOW.getTime() - MINUTE_MS))
}

export const agora = NOW.getTime()

/** What an authority might say of itself, at its worst. */
export const MOTIVOS = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'x'.repeat(10_000),
  '\u202eodarap \u2067serviço\u0000 \u0007fora\u2028do ar',
  '"><a href="javascript:alert(1)">clique</a> {{7*7}} %3Cb%3E &lt;b&gt;',
]

/** Each authorizer is an incident of its own. */
export const incidentes: Incidente[] = autorizadores.map(({ id, casa }, at) => ({
  id,
  casa,
  inicio: agora - at * 60_000,
  fim: null,
  quedas: [
    {
      autorizador: id,
      inicio: agora - at * 60_000,
      fim: null,
      cStat: 108,
      motivo: MOTIVOS[at % MOTIVOS.length] ?? '',
    },
  ],
}))

export const timeouts = (em: number) => autorizadores.map(({ id }) => muda(id, em))

/** How things stand, and what is stored for it. */
export const SITUATIONS: [
  name: string,
  what: string,
  fill: (house: House) => Promise<unknown>,
  said: RegExp,
][] = [
  ['sem-rodada', 'no round at all', async () => undefined, /desligado/],
  [
    'tudo-fora',
    'all 81 pairs of state and document out, 27 incidents open, in hostile words',
    async ({ rooms }) => {
      for (const ago of [2, 1, 0]) {
        const em = agora - ago * EVERY_MS - 5_000
        await rooms.sefaz.monitor.keep(
          feita(em, { leituras: timeouts(em), incidentes: ago === 0 ? incidentes : [] }),
        )
      }
    },
    /27 incidentes em aberto/,
  ],
]
