import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { readSite } from './simulator-site.ts'
import { StartError } from './start-error.ts'
import { parseA1 } from './wire/a1.ts'
import type { A1 } from './wire/certificado.ts'
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

/** The authorities of a simulator, and the credentials that it plays for the operator. */
export type AmbienteSimulado = Pick<Static<typeof Dito>, 'gateway' | 'ca'> & {
  own: A1
  captcha: { url: string; token: string } | undefined
  /** The factor of the sources' pace. */
  pace: number
  federal: Static<typeof Dito>['federal']
  cnir: Static<typeof Dito>['cnir']
  sigef: Static<typeof Dito>['sigef']
}

/** Reads what the simulator at an address says of itself. Throws StartError if it is none. */
export async function readAmbiente(endereco: string): Promise<AmbienteSimulado> {
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
