import { ImportError } from './cnpj/importacao/entradas.ts'
import { ConfigError, readConfig } from './platform/config/config.ts'
import { StoreError } from './platform/db/outage.ts'
import { messageOf } from './platform/errors.ts'
import { keepToOneself, StartError } from './platform/start.ts'
import { startServer } from './server.ts'

/**
 * The process: settings → server → signals, with so many `echoes` of SIGINT. One Portuguese message says what
 * keeps it from starting; `onWarm` is called once all is made that is made before somebody asks.
 */
export async function main(onWarm: () => void, echoes: number): Promise<void> {
  keepToOneself()
  try {
    const config = readConfig((warning) => process.stderr.write(`${warning}\n`))
    const server = await startServer(config)
    drainOnSignal(server.close, { echoes, seconds: config.DRAIN_SECONDS + config.SHUTDOWN_SECONDS })
    // A reader of our output, such as "head", may be gone. The service goes on without it.
    process.stdout.on('error', () => {})
    process.stdout.write(server.welcome)
    // Reading the catalogue takes the thread for a while, which no request should wait for.
    setImmediate(() => void server.warm().then(onWarm))
  } catch (error) {
    if (![ConfigError, ImportError, StartError, StoreError].some((known) => error instanceof known))
      throw error
    const message = messageOf(error)
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
  }
}

/** `node --watch` passes a terminal's Ctrl-C on as well. A second one within this time counts as the same. */
const SAME_SIGNAL_MS = 500

/** A second Ctrl-C or SIGTERM, or the time limit, stops at once. */
function drainOnSignal(close: () => Promise<void>, limits: { echoes: number; seconds: number }): void {
  let since: number | undefined
  const stop = async (signal: string): Promise<void> => {
    if (since !== undefined) {
      if (performance.now() - since < SAME_SIGNAL_MS || (signal === 'SIGINT' && limits.echoes-- > 0)) return
      process.exit(130)
    }
    since = performance.now()
    process.stdout.write(
      '\nEncerrando: terminando as requisições em andamento (Ctrl-C de novo encerra já).\n',
    )
    setTimeout(() => process.exit(1), limits.seconds * 1000).unref()
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
}
