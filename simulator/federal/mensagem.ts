import type { Mensagem } from '../platform/mensagem.ts'

/** JSON as the gateway sends it. */
export function emJson(status: number, valor: unknown, cabecalhos: Record<string, string> = {}): Mensagem {
  return {
    status,
    cabecalhos: { 'content-type': 'application/json; charset=UTF-8', ...cabecalhos },
    corpo: Buffer.from(JSON.stringify(valor)),
  }
}

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

/** An error of the gateway, not of a product: `code`, `message`, `description`. */
export function erroDoGateway(erro: ErroDoGateway, cabecalhos: Record<string, string> = {}): Mensagem {
  const [status, code, message, description] = ERROS[erro]
  const desafio =
    status === 401
      ? { 'www-authenticate': 'OAuth2 realm="WSO2 API Manager", error="invalid_token"' }
      : undefined
  return emJson(status, { code, message, description }, { ...desafio, ...cabecalhos })
}

/** An error of the token endpoint (RFC 6749, 5.2). */
export function erroDoToken(status: number, error: string, error_description: string): Mensagem {
  return emJson(status, { error_description, error }, { 'cache-control': 'no-store' })
}
