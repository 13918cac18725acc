import { join } from 'node:path'
import type { Config } from '../config/settings.ts'
import { type A1, CertificadoError } from '../domain/certificado.ts'
import { SourceError } from '../domain/fonte/source-error.ts'
import { type Ambito, ufs } from '../domain/uf.ts'
import type { Webhook } from '../sources/captcha/webhook.ts'
import { parseA1 } from '../sources/certificado/a1.ts'
import { findCadeia } from '../sources/certificado/cadeia.ts'
import { loadOperador } from '../sources/certificado/operador.ts'
import { type Dial, trustAlso } from '../sources/transport/dial.ts'
import { hostProfiles } from '../sources/transport/host-profile.ts'
import { type SimulatorProcess, startSimulator } from './simulator-process.ts'
import { readSite } from './simulator-site.ts'
import { StartError } from './start-error.ts'

/** The authorities: how they are reached, and with which certificate. */
export type Authorities = {
  dial: Dial
  /**
   * The operator's own certificate. In simulator mode one that the simulator made, unless A1_FILE names
   * another.
   */
  certificado: A1 | undefined
  /** The solver of the pages' captchas, and the UFs of those pages. Undefined where nobody solves them. */
  captcha: Webhook | undefined
  /** The factor of the sources' pace: 1, or what the simulator says of its own. */
  pace: number
  /** The simulator's pages; undefined in live mode. */
  simulador: string | undefined
  /**
   * Tells our own simulator the address of the service and a key to try it with. A simulator of somebody else
   * is told nothing.
   */
  present: SimulatorProcess['present']
  close: () => Promise<void>
}

type Log = { error: (fields: object, message: string) => void }

/**
 * Opens the way to the authorities of the settings, and starts our simulator where one is needed. Throws
 * StartError for what the operator can mend.
 */
export async function openAuthorities(config: Config, log: Log): Promise<Authorities> {
  try {
    return config.AUTHORITIES === 'live' ? await openLive(config) : await openSimulator(config, log)
  } catch (error) {
    throw error instanceof CertificadoError ? new StartError(error.message, { cause: error }) : error
  }
}

async function openLive(config: Config): Promise<Authorities> {
  const certificado = await loadOperador(config)
  trustAlso(findCadeia(config))
  const dial: Dial = { mode: 'live', ca: 'process', hosts: hostProfiles }
  const captcha = ownWebhook(config)
  return {
    dial,
    certificado,
    captcha,
    pace: 1,
    simulador: undefined,
    present: () => {},
    close: async () => {},
  }
}

async function openSimulator(config: Config, log: Log): Promise<Authorities> {
  const running = config.SIMULATOR_URL
    ? { endereco: config.SIMULATOR_URL.replace(/\/$/, ''), present: () => {}, stop: async () => {} }
    : await startSimulator({
        pasta: join(config.DATA_DIR, 'simulador'),
        onCrash: (why) => log.error({ why }, 'the simulator is down; starting it again'),
      })
  try {
    const { gateway, ca, own, captcha, pace } = await readAmbiente(running.endereco)
    const dial: Dial = { mode: 'simulator', ca, gateway, hosts: hostProfiles }
    const certificado = (await loadOperador(config)) ?? own
    // The simulator plays the operator's webhook too, so that every page answers out of the box.
    const played = captcha && { ...captcha, ufs: config.CAPTCHA_UFS ?? new Set<Ambito>([...ufs, 'BR']) }
    return {
      dial,
      certificado,
      captcha: ownWebhook(config) ?? played,
      pace,
      simulador: running.endereco,
      present: running.present,
      close: running.stop,
    }
  } catch (error) {
    await running.stop()
    throw error
  }
}

/** Without CAPTCHA_UFS the operator's webhook is used nowhere. */
const ownWebhook = ({
  CAPTCHA_WEBHOOK_URL: url,
  CAPTCHA_WEBHOOK_TOKEN: token = '',
  CAPTCHA_UFS: ufs = new Set<Ambito>(),
}: Config): Webhook | undefined => (url ? { url, token, ufs } : undefined)

type Ambiente = {
  gateway: { host: string; port: number }
  ca: string
  own: A1
  captcha: { url: string; token: string } | undefined
  pace: number
}

/** Reads what the simulator says of itself. */
async function readAmbiente(endereco: string): Promise<Ambiente> {
  try {
    const {
      gateway,
      ca,
      certificado,
      captcha,
      ritmo = 1,
    } = Object(await readSite(endereco, '/ambiente.json'))
    const own = parseA1(Buffer.from(certificado.pfx, 'base64'), certificado.senha)
    return {
      gateway: { host: gateway.host, port: gateway.port },
      ca,
      own,
      captcha: captcha && { url: captcha.webhook, token: captcha.token },
      pace: Number(ritmo),
    }
  } catch (cause) {
    const why =
      cause instanceof SourceError
        ? 'não responde'
        : 'não é um simulador do Consulta Fiscal, ou está danificado'
    throw new StartError(
      `O que está em ${endereco} ${why}. Corrija SIMULATOR_URL; sem ela o serviço inicia o seu, e apagar a pasta simulador da pasta de dados o refaz.`,
      { cause },
    )
  }
}
