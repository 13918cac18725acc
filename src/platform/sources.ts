import type { Logger } from 'pino'
import { type Contrato, openContrato } from '../federal/source-serpro.ts'
import { type CaptchaSolver, noSolver, openWebhook } from '../portal/captcha.ts'
import type { Authorities } from './authorities.ts'
import { ambienteOf, usesCcc } from './config/config.ts'
import type { Config } from './config/settings.ts'
import type { Correio } from './correio.ts'
import { readSite } from './simulator.ts'
import type { A1 } from './wire/certificado.ts'
import type { Clock, Dial } from './wire/dial.ts'
import type { Ambiente } from './wire/fonte.ts'
import { createGuard, type Guard } from './wire/guard.ts'
import type { Http } from './wire/http.ts'
import type { Leitura } from './wire/leitura.ts'
import { openTransport } from './wire/transport.ts'

/** How the service asks the authorities. */
export type Sources = {
  /** The kind of authority that answers. */
  ambiente: Ambiente
  /** The door to the authorities. */
  http: Http
  /**
   * The door to the status services. It measures, and its connections last from one round of the monitor to
   * the next.
   */
  status: Http
  /** How the authorities are reached, for connections with a client's certificate. */
  dial: Dial
  /** Asks one source at a time within its limits. */
  guard: Guard
  /** Solves the captchas of states' pages. */
  captcha: CaptchaSolver
  /**
   * The operator's own certificate. In simulator mode one that the simulator made, unless A1_FILE names
   * another.
   */
  certificado: A1 | undefined
  /** The contract for the Receita Federal's APIs. Undefined live without SERPRO_KEY and SERPRO_SECRET. */
  contrato: Contrato | undefined
  /** The operator's connector for rural properties, and the door to it. Undefined live without CNIR_URL. */
  cnir: { url: string; segredo: string; http: Http } | undefined
  /** The cookies of the simulator's SIGEF, which serve where no session was imported. Undefined live. */
  sigef: { cookies: string } | undefined
  /** The operator's mail server. Undefined without SMTP_URL. */
  correio: Correio | undefined
  /** The factor of the sources' pace: 1, or what the simulator says of its own. */
  pace: number
  /** Whether the national register may be asked where a state cannot be. */
  ccc: boolean
  /** The simulator's pages; undefined in live mode. */
  simulador: string | undefined
  /**
   * What the examples must send of the simulator's own, by path of the endpoint; empty in live mode. Throws
   * SourceError if the simulator does not answer.
   */
  exemplos: () => Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  /**
   * What there is to try, as the simulator lists it: entries of docs/simulator.md; empty in live mode. Throws
   * SourceError if the simulator does not answer.
   */
  roteiro: () => Promise<readonly unknown[]>
}

type Abertura = {
  now: () => Date
  /** Measures how long the authorities take. */
  clock: Clock
  log: Logger
  /** Where letters leave. */
  correio: Correio | undefined
  /** Takes the reading of each call. */
  onCall: (leitura: Leitura) => void
}

/** A round waits up to 30 s for an answer, and each begins when its turn comes: connections last longer. */
const SLACK_MS = 60_000

/** Opens the way to the sources, over authorities already opened. */
export function openSources(
  config: Config,
  authorities: Authorities,
  { now, clock, log, correio, onCall }: Abertura,
): { sources: Sources; close: () => Promise<void> } {
  const { dial, certificado, pace, simulador, federais } = authorities
  const { contrato: chaves, cnir, sigef } = federais
  const { http, direct, captcha, close: closeDoors } = openDoors(authorities)
  const status = openTransport(dial, { clock, idleMs: config.SEFAZ_SECONDS * 1000 + SLACK_MS })
  const close = async (): Promise<void> => {
    await status.close()
    await closeDoors()
  }
  const sources: Sources = {
    ambiente: ambienteOf(config),
    http,
    status,
    dial,
    guard: createGuard(log, { pace, now, onCall }),
    captcha,
    certificado,
    contrato: chaves && openContrato(http, { chaves, etiqueta: config.SERPRO_TAG, now }),
    cnir: cnir && { url: cnir.url, segredo: cnir.segredo, http: cnir.proprio ? direct : http },
    sigef,
    correio,
    pace,
    ccc: usesCcc(config),
    simulador,
    exemplos: () => readExemplos(simulador),
    roteiro: async () =>
      simulador === undefined ? [] : Object.values(await readSite(simulador, '/documentos.json')),
  }
  return { sources, close }
}

async function readExemplos(simulador: string | undefined): ReturnType<Sources['exemplos']> {
  const read = simulador === undefined ? {} : await readSite(simulador, '/exemplos.json')
  return Object.fromEntries(Object.entries(read).map(([path, sent]) => [path, Object(sent)]))
}

/** Opens the door to the authorities, and to the service that solves their captchas. */
export function openDoors({ dial, captcha }: Pick<Authorities, 'dial' | 'captcha'>): {
  http: Http
  /** The door to the operator's own services, which are dialled at their real address. */
  direct: Http
  captcha: CaptchaSolver
  close: () => Promise<void>
} {
  const http = openTransport(dial)
  const direct = openTransport({ mode: 'live', ca: [], hosts: {} })
  const close = async (): Promise<void> => {
    await http.close()
    await direct.close()
  }
  return { http, direct, captcha: captcha ? openWebhook(direct, captcha) : noSolver, close }
}
