import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { byRoom } from './medidas.ts'
import type { Medida, NomeDaMedida } from './metas.ts'

const KEY = 'chave-das-medidas-da-casa'

/** A row of the simulator's list of what to try. */
type Linha = {
  endpoint: string
  parametros: Record<string, string>
  /** What a call for a note sends: its certificate by name, with the password, and its other fields. */
  envio?: { cenario: string; certificado: string; senha: string; corpo: Record<string, string> }
  espera: { http: number }
}

/** Longer than the start's last timers. */
const START_MS = 6_000
/**
 * Longer than most intervals of the service's clock. Twice, for what a call leaves to the clock may be done
 * before the first begins.
 */
const IDLE_MS = [16_000, 11_000]
/** Longer than the service takes to tell what ran. */
const TAKE_MS = 10_000

type Program = { child: ChildProcess; said: string }

/**
 * Starts a program, and waits until a line of what it writes matches. Gives what the pattern captured, and
 * puts the process into `started` at once.
 */
async function launch(
  args: string[],
  { env, ready, started }: { env: Record<string, string>; ready: RegExp; started: ChildProcess[] },
): Promise<Program> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit', 'ipc'], env })
  started.push(child)
  if (!child.stdout) throw new Error('no output')
  for await (const line of createInterface(child.stdout)) {
    const said = ready.exec(line)?.[1]
    if (said) {
      child.stdout.resume()
      return { child, said }
    }
  }
  throw new Error(`${args.join(' ')} did not start`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Starts a simulator, and the service beside it. Gives the service and the address of the simulator. */
async function startHouse(
  root: string,
  pasta: string,
  started: ChildProcess[],
): Promise<{ service: Program; simulador: string }> {
  const { said: simulador } = await launch(
    [join(root, 'simulator/main.ts'), '--pasta', join(pasta, 'simulador'), '--com-pai'],
    { env: {}, ready: /"endereco":"([^"]+)"/, started },
  )
  const { FLAGS }: { FLAGS: string[] } = await import(pathToFileURL(join(root, 'bin/memory.js')).href)
  const preload = ['--import', pathToFileURL(join(import.meta.dirname, 'cobertura.ts')).href]
  const service = await launch([...FLAGS, ...preload, join(root, 'bin/servidor.js')], {
    env: {
      DATA_DIR: pasta,
      PORT: '0',
      SIMULATOR_URL: simulador,
      BOOTSTRAP_API_KEY: KEY,
      LOG_LEVEL: 'silent',
      // The monitor asks when the clock says so, which would fall into some calls and not into others.
      SEFAZ_MONITOR: 'desligado',
    },
    ready: / no ar em (\S+)/,
    started,
  })
  return { service, simulador }
}

/** Calls the service; throws for any answer but 200. */
async function call(url: string, init: RequestInit = {}): Promise<void> {
  const headers = { 'X-API-Key': KEY, 'Content-Type': 'application/json' }
  const response = await fetch(url, { ...init, headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`)
}

/** How a row of the list is asked: by its address, or as a note with a certificate of the simulator. */
async function ask(
  { endpoint, parametros, envio }: Linha,
  servico: string,
  simulador: string,
): Promise<void> {
  if (!envio) return call(`${servico}${endpoint}?${new URLSearchParams(parametros)}`)
  const file = await fetch(`${simulador}/certificados/${envio.certificado}.pfx`)
  const certificado = Buffer.from(await file.arrayBuffer()).toString('base64')
  const body = JSON.stringify({ ...envio.corpo, certificado, senha: envio.senha })
  return call(servico + endpoint, { method: 'POST', body })
}

/** What each measure asks, and others of the same way, which are asked before. */
type Pedidos = { asked: Linha; others: Linha[] }

async function readLinhas(simulador: string): Promise<[NomeDaMedida, Pedidos][]> {
  const response = await fetch(`${simulador}/documentos.json`)
  const linhas = (await response.json()) as Linha[]
  const pedidosOf = (fits: (linha: Linha) => boolean): Pedidos => {
    const [asked, ...others] = linhas.filter((linha) => linha.espera.http === 200 && fits(linha))
    if (!asked || others.length === 0) throw new Error('the simulator lists too few rows')
    return { asked, others }
  }
  const ofRs = (path: string) =>
    pedidosOf(({ endpoint, parametros }) => endpoint === path && parametros.uf === 'RS')
  return [
    ['files of an IE', ofRs('/api/consultar')],
    ['files of a CND', ofRs('/api/consultar-cnd')],
    ['files of an NF-e', pedidosOf(({ envio }) => /^ciencia(?:-136)?$/.test(envio?.cenario ?? ''))],
  ]
}

/**
 * The files of `src` of which a function ran for one IE of RS, one CND of RS and one NF-e with an event, and
 * does not run for what the clock starts. The real service is asked, beside its simulator; each is asked for
 * another document first, so that loading does not count.
 */
export async function measureLive(folder: string): Promise<Medida[]> {
  const root = realpathSync(resolve(folder))
  const src = `${pathToFileURL(join(root, 'src')).href}/`
  const pasta = mkdtempSync(join(tmpdir(), 'casa-'))
  const started: ChildProcess[] = []
  try {
    const { service, simulador } = await startHouse(root, pasta, started)
    /** The functions of `src` that ran since the last question, each once. */
    const takeRan = async (): Promise<string[]> => {
      service.child.send('take')
      const [ran]: unknown[] = await once(service.child, 'message', { signal: AbortSignal.timeout(TAKE_MS) })
      return [...new Set((ran as string[]).filter((one) => one.startsWith(src)))]
    }
    const wanted = await readLinhas(simulador)
    await wait(START_MS)
    const idle = new Set<string>()
    for (const ms of IDLE_MS) {
      for (const [, { others }] of wanted)
        for (const other of others.splice(0, 1)) await ask(other, service.said, simulador)
      await takeRan()
      await wait(ms)
      for (const one of await takeRan()) idle.add(one)
    }
    const medidas: Medida[] = []
    for (const [nome, { asked }] of wanted) {
      await ask(asked, service.said, simulador)
      const ran = (await takeRan()).filter((one) => !idle.has(one))
      const paths = new Set(ran.map((one) => `src/${one.slice(src.length).split('#')[0]}`))
      medidas.push({ nome, now: paths.size, worst: [`${ran.length} functions`, ...byRoom([...paths])] })
    }
    return medidas
  } finally {
    for (const child of started.reverse()) await stop(child)
    rmSync(pasta, { recursive: true, force: true })
  }
}
