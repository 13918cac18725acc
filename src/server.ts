import type { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { buildApp } from './app.ts'
import type { CnpjRoom } from './cnpj/cnpj.ts'
import { importKey, issueKey, revealKey } from './contas/store-chaves.ts'
import { createConta, findContaByEmail } from './contas/store-contas.ts'
import { dataBrasileira, diaDe } from './documento/dia.ts'
import { formatDocumento } from './documento/documento.ts'
import { openAuthorities } from './platform/authorities.ts'
import type { Config } from './platform/config/settings.ts'
import type { Metrics, Scrape } from './platform/metrics.ts'
import type { Platform } from './platform/platform.ts'
import { closeInTurn, createLog, explainAddress, explainFolder, makeDataFolder } from './platform/start.ts'
import { thousands } from './platform/texto.ts'
import { avisoDeValidade } from './platform/wire/certificado.ts'
import type { Clock } from './platform/wire/dial.ts'
import { openRooms, type Rooms } from './rooms.ts'
import { startJobs } from './schedule.ts'

const SAMPLE = join(import.meta.dirname, '../data/cnpj-amostra')
const EMAIL = 'inicial@consulta-fiscal.local'

/** The sample base (simulator mode) and the initial account, whose API key is returned. */
async function prepare({ cnpj, platform }: Rooms): Promise<string | undefined> {
  if (platform.config.AUTHORITIES === 'simulator' && cnpj.base.current() === undefined) {
    await importSample(platform)
    cnpj.base.refresh()
  }
  return ensureConta(platform)
}

async function importSample({ config, now }: Platform): Promise<void> {
  try {
    // Only a first start imports.
    const { importCnpj } = await import('./cnpj/importacao/importacao.ts')
    await importCnpj({ pasta: SAMPLE, raiz: join(config.DATA_DIR, 'cnpj'), amostra: true, now })
  } catch (error) {
    throw explainFolder(error, config.DATA_DIR)
  }
}

/** Simulator mode always has an initial account, live mode only with BOOTSTRAP_API_KEY. */
async function ensureConta(platform: Platform): Promise<string | undefined> {
  const { db, secret, now, config } = platform
  const given = config.BOOTSTRAP_API_KEY
  if (given === undefined && config.AUTHORITIES === 'live') return undefined
  // Of two nodes that start at once, one makes the account and the other finds it.
  const conta =
    (await createConta(db, { nome: 'Conta inicial', email: EMAIL, plano: 'pro', now: now() })) ??
    (await findContaByEmail(db, EMAIL))
  if (!conta) throw new Error('the initial account is neither new nor known')
  if (given !== undefined) {
    await importKey(db, secret, conta.id, given, now())
    return given
  }
  return (await revealKey(db, secret, conta.id)) ?? (await issueKey(db, secret, conta.id, { now: now() }))
}

const modes = {
  producao: 'produção: pergunta aos órgãos de verdade',
  homologacao: 'homologação: testes nos órgãos, sem valor fiscal',
  simulador: 'simulador: nada sai desta máquina',
}

/** A company that the simulator's SEFAZ-RS has registered, with nothing odd in its record. */
const WITH_INSCRICAO = '99034721000180'

/** What an operator reads as the service starts: where it is, on what it stands, and the next step. */
function welcome(
  room: CnpjRoom,
  { address, apiKey, figures }: { address: string; apiKey: string | undefined; figures: string | undefined },
): string {
  const { config, ambiente, simulador, base, db } = room
  const manifesto = base.current()?.manifesto
  const live = config.AUTHORITIES === 'live'
  const lines = [
    '',
    `Consulta Fiscal no ar em ${address} (${modes[ambiente]})`,
    '',
    `  Painel        ${address}/painel/`,
    `  Documentação  ${address}/docs/`,
    ...(config.PUBLIC_URL ? [`  Para clientes ${config.PUBLIC_URL}`] : []),
    `  Dados         ${resolve(config.DATA_DIR)}`,
    ...(db.dialect === 'postgres' ? [`  PostgreSQL    ${describeBanco(db.lugares)}`] : []),
    `  Base CNPJ     ${describeBase(manifesto, live)}`,
    `  Certificado   ${describeCertificado(room)}`,
    ...(figures ? [`  Métricas      ${figures}/metrics`] : []),
    ...(simulador ? [`  Simulador     ${simulador} (o que experimentar)`] : []),
  ]
  if (live && apiKey === undefined) {
    lines.push(
      '',
      'Próximo passo, a primeira conta: npm run fiscal -- contas criar --nome NOME --email EMAIL --plano pro',
    )
  }
  // In production the key is the operator's own and would stay in the log.
  if (apiKey !== undefined && !live) {
    const curl = (path: string) => `  curl -s -H 'X-API-Key: ${apiKey}' '${address}${path}'`
    lines.push(
      `  Chave de API  ${apiKey}`,
      '',
      'Próximo passo. Para experimentar, cole em outro terminal:',
      '',
      curl(`/api/consultar?uf=RS&cnpj=${WITH_INSCRICAO}`),
      curl('/api/v1/base-cnpj'),
    )
  }
  return `${lines.join('\n')}\n\n`
}

/** The connections of one node, and how many nodes like it the server has room for. */
function describeBanco({ nossos, limite, onde }: { nossos: number; limite: number; onde: string }): string {
  const nodes = Math.floor(limite / nossos)
  const room =
    nodes === 0 ? 'menos do que este nó abre' : `bastam para ${nodes} ${nodes === 1 ? 'nó' : 'nós'}`
  return `${onde}: até ${nossos} conexões deste nó (DATABASE_CONNECTIONS); o servidor dá ${limite}, que ${room}`
}

function describeBase(
  manifesto: { versao: string; amostra: boolean; estabelecimentos: number } | undefined,
  live: boolean,
): string {
  if (!manifesto) return 'nenhuma ainda: use "npm run fiscal -- cnpj baixar" e "cnpj importar"'
  const total = thousands(manifesto.estabelecimentos)
  const sample = live
    ? ' (amostra fictícia, que não responde em produção: importe a oficial)'
    : ' (amostra fictícia)'
  return `${manifesto.versao}, ${total} estabelecimentos${manifesto.amostra ? sample : ''}`
}

function describeCertificado({ certificado, now }: CnpjRoom): string {
  if (!certificado) return 'nenhum: para consultar as SEFAZ, defina A1_FILE e A1_PASSWORD'
  const { titular, chave, fim } = certificado
  const { aviso } = avisoDeValidade(certificado, now())
  return `${titular.nome}, ${formatDocumento(titular.documento)}, ${chave}, até ${dataBrasileira(diaDe(fim.getTime()))}${aviso ? `\n  ATENÇÃO       ${aviso}` : ''}`
}

export type Running = {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  address: string
  apiKey: string | undefined
  /** With METRICS_PORT. */
  figures: string | undefined
  welcome: string
  /** Makes what the first reader would wait for, beside the calls that are served. It never throws. */
  warm: () => Promise<void>
  /** Drains for DRAIN_SECONDS, answers what is in flight, waits for the ledger, closes the databases. */
  close: () => Promise<void>
  rooms: Rooms
}

/** In milliseconds: `clock` measures answers of the status services, `figuresClock` the age of figures. */
type Relogio = { clock?: Clock | undefined; figuresClock?: Clock | undefined }

/** A proxy that opens a connection for a POST has it on its way, and must not send it again. */
const FIRST_BYTE_MS = 1_000

/** Starts the whole service. Throws StartError, in Portuguese, for what the operator can mend. */
export async function startServer(
  config: Config,
  now: () => Date = () => new Date(),
  { clock = () => performance.now(), figuresClock = () => performance.now() }: Relogio = {},
): Promise<Running> {
  // The library of figures is loaded only where somebody asks for them.
  const library = config.METRICS_PORT === undefined ? undefined : await import('./platform/metrics.ts')
  const metrics = library?.openMetrics(now)
  let isClosing = false
  const given = { now, clock, isClosing: () => isClosing, onCall: metrics?.onCall }
  const { rooms, authorities, close: closeRooms } = await openHouse(config, given)
  const { platform, sefaz, rejeicoes } = rooms
  let scrape: Scrape | undefined
  try {
    await platform.ledger.heartbeat()
    await platform.ledger.releaseDead()
    const apiKey = await prepare(rooms)
    // So that the first answer has a board, where an earlier process left one.
    if (config.SEFAZ_MONITOR === 'ligado') await sefaz.monitor.refresh()
    const preparos: (() => Promise<unknown>)[] = [async () => rejeicoes.rejeicoes.read()]
    const app = await buildApp(rooms, metrics ? [metrics.note] : [], (make) => preparos.push(make))
    scrape = await scrapeOf(config, rooms, { metrics, clock: figuresClock })
    // Node takes a connection that never sent a byte for a busy one.
    const sockets = new Map<Socket, number>()
    app.server.on('connection', (socket) => {
      sockets.set(socket, performance.now())
      socket.once('close', () => sockets.delete(socket))
    })
    const address = await app.listen({ host: config.HOST, port: config.PORT }).catch((error) => {
      throw explainAddress(error, `${config.HOST}:${config.PORT}`)
    })
    if (apiKey) authorities.present({ servico: address, chave: apiKey })
    const stopJobs = startJobs(rooms, metrics?.onRun)
    const close = async (): Promise<void> => {
      isClosing = true
      await pause(config.DRAIN_SECONDS * 1000)
      await quietTurn()
      app.server.close()
      // Node closes idle connections once, at the start. Those with requests in flight fall idle later.
      const reaper = setInterval(() => {
        app.server.closeIdleConnections()
        const before = performance.now() - FIRST_BYTE_MS
        for (const [socket, since] of sockets) if (socket.bytesRead === 0 && since < before) socket.destroy()
      }, 20)
      const stopReaper = () => clearInterval(reaper)
      // A job may take longer than a stop: its caller is told that it goes on, and the connection is not cut.
      const letGo = () => platform.jobs.letGo()
      // Before the jobs, of which one may wait for minutes on a connection that is gone.
      const undo = () => platform.ledger.releaseDead().catch(() => {})
      const first = [letGo, () => app.close(), stopReaper, undo]
      await closeInTurn([...first, stopJobs, () => scrape?.close(), closeRooms])
    }
    const figures = scrape?.address
    const warm = async (): Promise<void> => {
      for (const make of preparos) {
        if (isClosing) return
        try {
          await make()
        } catch (err) {
          // One that the end of the service cut is no failure.
          if (!isClosing) platform.log.error({ err }, 'uma página não pôde ser preparada')
        }
      }
      platform.log.debug({}, 'as páginas estão preparadas')
    }
    const shown = welcome(rooms.cnpj, { address, apiKey, figures })
    return { address, apiKey, figures, welcome: shown, warm, close, rooms }
  } catch (error) {
    await scrape?.close()
    await closeRooms()
    throw error
  }
}

const QUIET_TURN_MS = 0.5

/** After a quiet turn hardly a connection waits to be taken. The kernel resets those at the end. */
async function quietTurn(): Promise<void> {
  for (let turns = 0; turns < 200; turns++) {
    const since = performance.now()
    await turn()
    if (performance.now() - since < QUIET_TURN_MS) return
  }
}

async function scrapeOf(
  { METRICS_PORT, METRICS_HOST }: Config,
  rooms: Rooms,
  { metrics, clock }: { metrics: Metrics | undefined; clock: Clock },
): Promise<Scrape | undefined> {
  if (METRICS_PORT === undefined || !metrics) return undefined
  const [{ watchRooms }, { serveMetrics }] = await Promise.all([
    import('./figures.ts'),
    import('./platform/metrics.ts'),
  ])
  watchRooms(metrics, rooms)
  return serveMetrics(metrics, { host: METRICS_HOST, port: METRICS_PORT, clock })
}

/** The simulator comes up while the databases are opened; whatever fails, it does not stay behind. */
async function openHouse(
  config: Config,
  given: { now: () => Date; clock: Clock; isClosing: () => boolean; onCall: Metrics['onCall'] | undefined },
): ReturnType<typeof openRooms> {
  const log = createLog(config)
  // The simulator keeps its certificates there.
  makeDataFolder(config)
  const opening = openAuthorities(config, log)
  // Awaited once the databases are open; it may fail before.
  opening.catch(() => {})
  try {
    return await openRooms(config, { ...given, log, opening })
  } catch (error) {
    await opening.then((authorities) => authorities.close()).catch(() => {})
    throw error
  }
}
