import type { Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { prepare } from './first-start.ts'
import { openAuthorities } from './platform/authorities.ts'
import type { Config } from './platform/config/settings.ts'
import { type Context, createContext, createLog } from './platform/context.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { type Scrape, serveMetrics } from './platform/metrics/scrape.ts'
import { closeInTurn, explainAddress, makeDataFolder } from './platform/start.ts'
import type { Clock } from './platform/wire/dial.ts'
import { startJobs } from './schedule.ts'
import { welcome } from './welcome.ts'

export type Running = {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  address: string
  /** The API key of the initial account, when there is one. */
  apiKey: string | undefined
  /** Where the figures for Prometheus are, with METRICS_PORT. */
  figures: string | undefined
  /** What the terminal shows once it listens. */
  welcome: string
  /** Makes what the first reader would wait for, beside the calls that are served. It never throws. */
  warm: () => Promise<void>
  /**
   * Says in `/ready` that it leaves, goes on for DRAIN_SECONDS, stops listening, answers what is in flight,
   * waits for the ledger, closes the databases.
   */
  close: () => Promise<void>
  ctx: Context
}

/** In milliseconds: `clock` measures answers of the status services, `figuresClock` the age of figures. */
type Relogio = { clock?: Clock | undefined; figuresClock?: Clock | undefined }

/**
 * How long a stop waits for the first byte of a connection. A proxy that opens one for a POST has it on
 * its way, and must not send it again.
 */
const FIRST_BYTE_MS = 1_000

/** Starts the whole service. Throws StartError, in Portuguese, for what the operator can mend. */
export async function startServer(
  config: Config,
  now: () => Date = () => new Date(),
  { clock = () => performance.now(), figuresClock = () => performance.now() }: Relogio = {},
): Promise<Running> {
  const metrics = await metricsOf(config, now)
  const opened = await openContext(config, { now, clock, onCall: metrics?.onCall })
  const { ctx, authorities, close: closeContext } = opened
  let scrape: Scrape | undefined
  try {
    await ctx.store.ledger.heartbeat()
    await ctx.store.ledger.releaseDead()
    const apiKey = await prepare(ctx)
    // So that the first answer has a board, where an earlier process left one.
    if (config.SEFAZ_MONITOR === 'ligado') await ctx.store.sefaz.refresh()
    const preparos: (() => Promise<unknown>)[] = [async () => ctx.store.rejeicoes.ler()]
    const app = await buildApp(ctx, metrics ? [metrics.note] : [], (make) => preparos.push(make))
    scrape = await scrapeOf(config, ctx, { metrics, clock: figuresClock })
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
    const stopJobs = startJobs(ctx, metrics?.onRun)
    const close = async (): Promise<void> => {
      ctx.isClosing = true
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
      const letGo = () => ctx.store.jobs.letGo()
      await closeInTurn([letGo, () => app.close(), stopReaper, stopJobs, () => scrape?.close(), closeContext])
    }
    const figures = scrape?.address
    const warm = async (): Promise<void> => {
      for (const make of preparos) {
        if (ctx.isClosing) return
        try {
          await make()
        } catch (err) {
          // One that the end of the service cut is no failure.
          if (!ctx.isClosing) ctx.log.error({ err }, 'a page cannot be prepared')
        }
      }
      ctx.log.debug('the pages are prepared')
    }
    const shown = welcome(ctx, { address, apiKey, figures })
    return { address, apiKey, figures, welcome: shown, warm, close, ctx }
  } catch (error) {
    await scrape?.close()
    await closeContext()
    throw error
  }
}

/** Milliseconds. */
const QUIET_TURN_MS = 0.5

/**
 * Waits for a turn of the event loop in which little happened: hardly a connection waits then to be taken.
 * The kernel resets those when the door closes, with what a proxy sent on them.
 */
async function quietTurn(): Promise<void> {
  for (let turns = 0; turns < 200; turns++) {
    const since = performance.now()
    await turn()
    if (performance.now() - since < QUIET_TURN_MS) return
  }
}

/** The figures of this process, where somebody asks for them. Only then is their library loaded. */
async function metricsOf({ METRICS_PORT }: Config, now: () => Date): Promise<Metrics | undefined> {
  if (METRICS_PORT === undefined) return undefined
  return (await import('./platform/metrics/metrics.ts')).openMetrics(now)
}

async function scrapeOf(
  { METRICS_PORT, METRICS_HOST }: Config,
  ctx: Context,
  { metrics, clock }: { metrics: Metrics | undefined; clock: Clock },
): Promise<Scrape | undefined> {
  if (METRICS_PORT === undefined || !metrics) return undefined
  metrics.watch(ctx)
  return serveMetrics(metrics, { host: METRICS_HOST, port: METRICS_PORT, clock })
}

/** The simulator comes up while the databases are opened; whatever fails, it does not stay behind. */
async function openContext(
  config: Config,
  given: { now: () => Date; clock: Clock; onCall: Metrics['onCall'] | undefined },
): ReturnType<typeof createContext> {
  const log = createLog(config)
  // The simulator keeps its certificates there.
  makeDataFolder(config)
  const opening = openAuthorities(config, log)
  // Awaited once the databases are open; it may fail before.
  opening.catch(() => {})
  try {
    return await createContext(config, { ...given, log, opening })
  } catch (error) {
    await opening.then((authorities) => authorities.close()).catch(() => {})
    throw error
  }
}
