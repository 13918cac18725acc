import { createHash, randomUUID } from 'node:crypto'

/** The consumer key and secret of the one subscriber. */
type Credencial = { chave: string; segredo: string }

/** Gives bearers to the subscriber and knows those that are good. */
export type Portaria = {
  credencial: Credencial
  /** Whether `Authorization: Basic` names the subscriber. */
  conhece: (autorizacao: string | undefined) => boolean
  /** The bearer in force, and the seconds that it still lives: the same until it ends. */
  token: () => { token: string; segundos: number }
  /** Whether `Authorization: Bearer` carries the bearer in force. */
  aceita: (autorizacao: string | undefined) => boolean
  /** How many bearers were made, and how often one was asked for. */
  contadores: () => { tokens: number; pedidos_de_token: number }
}

/** Seconds that a bearer lives (seen, 2026). */
const VIDA = 3600

/**
 * The office of bearers, by the simulator's clock. Its credentials come out of `semente`, because a service
 * may outlive its simulator; bearers do not.
 */
export function criarPortaria(agora: () => Date, semente: string): Portaria {
  const derivar = (o: string): string =>
    createHash('sha256').update(`${o} ${semente}`).digest('base64url').replace(/[-_]/g, 'x').slice(0, 28)
  const credencial = { chave: derivar('chave'), segredo: derivar('segredo') }
  const basic = Buffer.from(`${credencial.chave}:${credencial.segredo}`).toString('base64')
  let atual = { token: '', ate: 0 }
  let [tokens, pedidos] = [0, 0]
  const vive = (): boolean => atual.ate > agora().getTime()
  return {
    credencial,
    conhece: (autorizacao) => credencialDe('basic', autorizacao) === basic,
    token: () => {
      pedidos += 1
      if (!vive()) {
        tokens += 1
        atual = { token: randomUUID(), ate: agora().getTime() + VIDA * 1000 }
      }
      return { token: atual.token, segundos: Math.ceil((atual.ate - agora().getTime()) / 1000) }
    },
    aceita: (autorizacao) => vive() && credencialDe('bearer', autorizacao) === atual.token,
    contadores: () => ({ tokens, pedidos_de_token: pedidos }),
  }
}

/** What follows the scheme, whose case does not matter (RFC 9110, 11.1). */
function credencialDe(esquema: string, autorizacao = ''): string | undefined {
  const [dito = '', valor] = autorizacao.split(' ')
  return dito.toLowerCase() === esquema ? valor : undefined
}
