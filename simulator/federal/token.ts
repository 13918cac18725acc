import { createHash, randomUUID } from 'node:crypto'
import type { Mensagem, Pedido } from '../platform/autoridade.ts'

type Credencial = { chave: string; segredo: string }

export type Portaria = {
  credencial: Credencial
  knows: (autorizacao: string | undefined) => boolean
  /** The bearer in force, and the seconds that it still lives: the same until it ends. */
  token: () => { token: string; segundos: number }
  accepts: (autorizacao: string | undefined) => boolean
  contadores: () => { tokens: number; pedidos_de_token: number }
}

/** Seconds that a bearer lives (seen, 2026). */
const VIDA = 3600

/** Its credentials come out of `semente`, because a service may outlive its simulator; bearers do not. */
export function createPortaria(agora: () => Date, semente: string): Portaria {
  const derive = (o: string): string =>
    createHash('sha256').update(`${o} ${semente}`).digest('base64url').replace(/[-_]/g, 'x').slice(0, 28)
  const credencial = { chave: derive('chave'), segredo: derive('segredo') }
  const basic = Buffer.from(`${credencial.chave}:${credencial.segredo}`).toString('base64')
  let atual = { token: '', ate: 0 }
  let [tokens, pedidos] = [0, 0]
  const isAlive = (): boolean => atual.ate > agora().getTime()
  return {
    credencial,
    knows: (autorizacao) => credencialDe('basic', autorizacao) === basic,
    token: () => {
      pedidos += 1
      if (!isAlive()) {
        tokens += 1
        atual = { token: randomUUID(), ate: agora().getTime() + VIDA * 1000 }
      }
      return { token: atual.token, segundos: Math.ceil((atual.ate - agora().getTime()) / 1000) }
    },
    accepts: (autorizacao) => isAlive() && credencialDe('bearer', autorizacao) === atual.token,
    contadores: () => ({ tokens, pedidos_de_token: pedidos }),
  }
}

/** What follows the scheme, whose case does not matter (RFC 9110, 11.1). */
function credencialDe(esquema: string, autorizacao = ''): string | undefined {
  const [dito = '', valor] = autorizacao.split(' ')
  return dito.toLowerCase() === esquema ? valor : undefined
}

export const emJson = (
  status: number,
  valor: unknown,
  cabecalhos: Record<string, string> = {},
): Mensagem => ({
  status,
  cabecalhos: { 'content-type': 'application/json; charset=UTF-8', ...cabecalhos },
  corpo: Buffer.from(JSON.stringify(valor)),
})

/** The gateway's own errors: WSO2's codes, messages and descriptions (API Manager, error handling). */
const ERROS = {
  'sem-token': [401, '900902', 'Missing Credentials', 'Required OAuth credentials not provided'],
  'token-invalido': [
    401,
    '900901',
    'Invalid Credentials',
    'Access failure for API. Make sure you have provided the correct security credentials',
  ],
  'nao-contratado': [
    403,
    '900908',
    'Resource forbidden',
    'User is NOT authorized to access the Resource. API Subscription validation failed.',
  ],
  'sem-recurso': [403, '900906', 'No matching resource found in the API for the given request', ''],
  'metodo-errado': [405, '900905', 'Method not allowed for given API resource', ''],
  estrangulado: [429, '900802', 'Message throttled out', 'You have exceeded your quota'],
  'fora-do-ar': [503, '303001', 'Runtime Error', 'Currently , Address endpoint is suspended'],
  'sem-resposta': [504, '101504', 'Runtime Error', 'Send timeout'],
  'ma-ligacao': [502, '101503', 'Runtime Error', 'Error connecting to the back end'],
} as const satisfies Record<string, readonly [status: number, code: string, message: string, descr: string]>

export type ErroDoGateway = keyof typeof ERROS

export function erroDoGateway(erro: ErroDoGateway, cabecalhos: Record<string, string> = {}): Mensagem {
  const [status, code, message, description] = ERROS[erro]
  const desafio =
    status === 401
      ? { 'www-authenticate': 'OAuth2 realm="WSO2 API Manager", error="invalid_token"' }
      : undefined
  return emJson(status, { code, message, description }, { ...desafio, ...cabecalhos })
}

const erroDoToken = (status: number, error: string, error_description: string): Mensagem =>
  emJson(status, { error_description, error }, { 'cache-control': 'no-store' })

/** `POST /token`: client credentials, in a form (RFC 6749, 4.4). Another media type is 415. */
export function giveToken({ metodo, cabecalhos, corpo }: Pedido, portaria: Portaria): Mensagem {
  if (metodo !== 'POST') return erroDoGateway('metodo-errado')
  const media = (cabecalhos['content-type'] ?? '').toLowerCase().replace(/\s*;.*/, '')
  if (media !== 'application/x-www-form-urlencoded')
    return erroDoToken(415, 'invalid_request', 'Unsupported Media Type')
  if (!portaria.knows(cabecalhos.authorization))
    return erroDoToken(401, 'invalid_client', 'Client Authentication failed.')
  if (new URLSearchParams(corpo.toString()).get('grant_type') !== 'client_credentials')
    return erroDoToken(400, 'unsupported_grant_type', 'Unsupported grant_type value')
  const { token, segundos } = portaria.token()
  return emJson(200, {
    access_token: token,
    scope: 'am_application_scope default',
    token_type: 'Bearer',
    expires_in: segundos,
  })
}
