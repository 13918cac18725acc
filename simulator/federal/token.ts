import type { Pedido } from '../platform/autoridade.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import type { Portaria } from './credencial.ts'
import { emJson, erroDoGateway, erroDoToken } from './mensagem.ts'

/** `POST /token`: client credentials, in a form (RFC 6749, 4.4). Another media type is 415. */
export function darToken({ metodo, cabecalhos, corpo }: Pedido, portaria: Portaria): Mensagem {
  if (metodo !== 'POST') return erroDoGateway('metodo-errado')
  const media = (cabecalhos['content-type'] ?? '').toLowerCase().replace(/\s*;.*/, '')
  if (media !== 'application/x-www-form-urlencoded')
    return erroDoToken(415, 'invalid_request', 'Unsupported Media Type')
  if (!portaria.conhece(cabecalhos.authorization))
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
