import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { type Ambito, ufs } from '../documento/uf.ts'
import type { Config } from './config/settings.ts'
import { readSite, type SimulatorProcess, startSimulator } from './simulator.ts'
import { StartError } from './start.ts'
import { loadOperador, parseA1 } from './wire/a1.ts'
import { findCadeia } from './wire/cadeia.ts'
import { type A1, CertificadoError } from './wire/certificado.ts'
import { type Dial, hostProfiles, trustAlso } from './wire/dial.ts'
import { SourceError } from './wire/fonte.ts'

const Texto = Type.String({ minLength: 1 })

/** What a simulator says of itself. An older one lacks the sources that came later. */
const Dito = Type.Object({
  gateway: Type.Object({ host: Texto, port: Type.Integer() }),
  ca: Texto,
  certificado: Type.Object({ pfx: Texto, senha: Type.String() }),
  captcha: Type.Optional(Type.Object({ webhook: Texto, token: Texto })),
  ritmo: Type.Optional(Type.Number({ minimum: 0 })),
  federal: Type.Optional(Type.Object({ chave: Texto, segredo: Texto })),
  cnir: Type.Optional(Type.Object({ url: Texto, segredo: Texto })),
  sigef: Type.Optional(Type.Object({ cookies: Texto })),
})

type AmbienteSimulado = Pick<Static<typeof Dito>, 'gateway' | 'ca'> & {
  own: A1
  captcha: { url: string; token: string } | undefined
  pace: number
  federal: Static<typeof Dito>['federal']
  cnir: Static<typeof Dito>['cnir']
  sigef: Static<typeof Dito>['sigef']
}

async function readAmbiente(endereco: string): Promise<AmbienteSimulado> {
  try {
    const dito = await readSite(endereco, '/ambiente.json')
    if (!Check(Dito, dito)) throw new Error('ambiente.json is of another shape')
    const { gateway, ca, certificado, captcha, ritmo = 1, federal, cnir, sigef } = dito
    const own = parseA1(Buffer.from(certificado.pfx, 'base64'), certificado.senha)
    return {
      gateway,
      ca,
      own,
      captcha: captcha && { url: captcha.webhook, token: captcha.token },
      pace: ritmo,
      federal,
      cnir,
      sigef,
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

type WebhookDoCaptcha = { url: string; token: string; ufs: ReadonlySet<Ambito> }

export type Authorities = {
  dial: Dial
  /** In simulator mode one that the simulator made, unless A1_FILE names another. */
  certificado: A1 | undefined
  captcha: WebhookDoCaptcha | undefined
  federais: Federais
  pace: number
  simulador: string | undefined
  /** Tells our own simulator where the service is and a key to try it with; another's is told nothing. */
  present: SimulatorProcess['present']
  close: () => Promise<void>
}

type Federais = {
  contrato: { chave: string; segredo: string } | undefined
  /** `proprio`: it is dialled at its real address, also beside the simulator. */
  cnir: { url: string; segredo: string; proprio: boolean } | undefined
  sigef: { cookies: string } | undefined
}

type Log = { error: (fields: object, message: string) => void }

/** Opens the way to the authorities, and starts our simulator where one is needed. Throws StartError. */
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
    federais: ownFederais(config),
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
        onCrash: (why) => log.error({ why }, 'o simulador caiu: iniciando-o de novo'),
      })
  try {
    const { gateway, ca, own, captcha, pace, federal, cnir, sigef } = await readAmbiente(running.endereco)
    const dial: Dial = { mode: 'simulator', ca, gateway, hosts: hostProfiles }
    const certificado = (await loadOperador(config)) ?? own
    const proprias = ownFederais(config)
    // The simulator plays the operator's webhook too, so that every page answers out of the box.
    const played = captcha && { ...captcha, ufs: config.CAPTCHA_UFS ?? new Set<Ambito>([...ufs, 'BR']) }
    return {
      dial,
      certificado,
      captcha: ownWebhook(config) ?? played,
      federais: {
        contrato: proprias.contrato ?? federal,
        cnir: proprias.cnir ?? (cnir && { ...cnir, proprio: false }),
        sigef,
      },
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
}: Config): WebhookDoCaptcha | undefined => (url ? { url, token, ufs } : undefined)

/** What the operator's settings name. Throws StartError for half a pair. */
function ownFederais(config: Config): Federais {
  const [chave, segredo] = pairOf(config, 'SERPRO_KEY', 'SERPRO_SECRET')
  const [url, segredoDoConector] = pairOf(config, 'CNIR_URL', 'CNIR_SECRET')
  return {
    contrato: chave && segredo ? { chave, segredo } : undefined,
    cnir: url && segredoDoConector ? { url, segredo: segredoDoConector, proprio: true } : undefined,
    sigef: undefined,
  }
}

type Par = 'SERPRO_KEY' | 'SERPRO_SECRET' | 'CNIR_URL' | 'CNIR_SECRET'

function pairOf(config: Config, first: Par, second: Par): [string | undefined, string | undefined] {
  if ((config[first] === undefined) !== (config[second] === undefined))
    throw new StartError(`${first} e ${second} vão juntos: defina os dois, ou nenhum.`)
  return [config[first], config[second]]
}
