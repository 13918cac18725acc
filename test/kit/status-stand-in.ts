import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import type { ClientCertificate, Clock } from '../../src/platform/wire/dial.ts'
import { type Autorizador, autorizadores } from '../../src/sefaz/rules.ts'
import { type MeiosDaSonda, probe, type Sondagem } from '../../src/sefaz/source.ts'
import { enderecos } from '../../src/sefaz/source-enderecos.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

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
export type StatusStandIn = {
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

export function useStatus(): StatusStandIn {
  let house: StandIn
  let certificado: ClientCertificate
  let http: MeiosDaSonda['http']
  let behaviour: Behaviour = (_, reply) => void reply.writeHead(500).end()
  const asked: Asked[] = []
  const lines: StatusStandIn['lines'] = []
  const hosts = Object.values(enderecos).flatMap((both) => Object.values(both).map(hostOf))
  before(async () => {
    house = await startStandIn([
      {
        nome: 'status',
        hosts: [...new Set(hosts)],
        pedeCertificado: true,
        responder: (pedido, reply) => {
          const { host, caminho: path, corpo, cabecalhos, chamador } = pedido
          const type = cabecalhos['content-type'] ?? ''
          asked.push({ host, path, type, body: corpo.toString(), document: chamador?.documento ?? '' })
          behaviour(pedido, reply)
        },
      },
    ])
    http = house.open({}, { clock: () => performance.now() })
    certificado = await house.certificate('empresa')
  })
  after(() => house.close())
  const answers: StatusStandIn['answers'] = (body, status = 200, type = 'application/soap+xml') => {
    behaviour = (_, reply) => void reply.writeHead(status, { 'content-type': type }).end(body)
  }
  const note = (level: 'debug' | 'info') => (fields: object) =>
    void lines.push({ level, fields: { ...fields } })
  const meios: StatusStandIn['meios'] = (changed = {}) => {
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
    connections: () => house.gateway.estatisticas().conexoes,
    door: (clock) => house.open({}, { clock, idleMs: 180_000 }),
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
