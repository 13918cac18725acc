import { mkdtempSync, rmSync } from 'node:fs'
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { TLSSocket } from 'node:tls'
import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { comportamentos } from '../../simulator/mundo/comportamento.ts'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import { type Icp, openIcp } from '../../simulator/platform/icp/icp.ts'
import { type SimulatorProcess, startSimulator } from '../../src/platform/simulator.ts'

let running: Promise<SimulatorProcess> | undefined
let icp: Promise<Icp> | undefined
const pasta = mkdtempSync(join(tmpdir(), 'simulador-'))
/** Where the shared certificate authority keeps its chain. */
export const pastaDaIcp = mkdtempSync(join(tmpdir(), 'icp-'))

/**
 * The address of the simulator that all tests share. It starts with the first request for it, and stops after
 * the last test.
 */
export async function sharedSimulator(): Promise<string> {
  running ??= startSimulator({
    pasta,
    onCrash: assertNever,
  })
  return (await running).endereco
}

/**
 * The certificate authority of all simulators that tests start in their own process: its keys take longer to
 * make than the rest of a simulator. TLS goes by the real clock.
 */
export function sharedIcp(): Promise<Icp> {
  icp ??= openIcp(pastaDaIcp, () => new Date(), CATALOGO_NFE)
  return icp
}

function assertNever(message: string): never {
  throw new Error(message)
}

/** What other parts of the kit keep until the last test: a hook of theirs would end with a file's tests. */
export const atEnd: (() => Promise<void>)[] = []

after(async () => {
  for (const close of atEnd) await close()
  await (await running)?.stop()
  for (const folder of [pasta, pastaDaIcp]) rmSync(folder, { recursive: true, force: true })
})

/** The reserved document that brings a misbehaviour about, by its name in the simulator's list. */
export function reservado(nome: string): string {
  const found = comportamentos.find((one) => one.nome === nome)
  if (!found) throw new Error(`the simulator has no behaviour ${nome}`)
  return found.documento
}

/** The company that is out of the ordinary for the Receita Federal alone, by its name in the list. */
export function federal(nome: string): string {
  const found = cenariosFederais.find((one) => one.nome === nome)
  if (!found) throw new Error(`the simulator has no federal scenario ${nome}`)
  return found.documento
}

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  body: string
  resumed: boolean
  /** The version of TLS, such as `TLSv1.3`; undefined on plain HTTP. */
  protocol: string | undefined
  session: Buffer | undefined
}

export type Call = RequestOptions & { port: number; name: string; session?: Buffer; body?: Buffer }

/** Asks a gateway on the loopback over TLS, on a connection of its own. Trusts `ca` alone. */
export function ask({ name, body, ...options }: Call): Promise<Answer> {
  const usual = { host: '127.0.0.1', servername: name, agent: false, headers: { host: name } }
  return exchange(request({ ...usual, method: body ? 'POST' : 'GET', ...options }), body)
}

/** Asks a gateway on the loopback over plain HTTP, under any Host. */
export function askPlain(port: number, host: string, path = '/', method = 'GET'): Promise<Answer> {
  return exchange(requestPlain({ host: '127.0.0.1', port, path, method, agent: false, headers: { host } }))
}

async function exchange(call: ClientRequest, body?: Buffer): Promise<Answer> {
  let session: Buffer | undefined
  call.on('socket', (socket) => {
    socket.on('session', (ticket: Buffer) => {
      session = ticket
    })
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.on('response', resolve).on('error', reject).end(body)
  })
  const { socket } = response
  const resumed = socket instanceof TLSSocket && socket.isSessionReused()
  const protocol = socket instanceof TLSSocket ? (socket.getProtocol() ?? undefined) : undefined
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: text, resumed, protocol, session }
}
