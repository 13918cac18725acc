import { hash } from 'node:crypto'
import { StoreError } from './db/store-error.ts'
import { openSelo } from './secrets.ts'

const PURPOSE = 'api keys'

/**
 * The SHA-256 of a key, in hexadecimal, by which it is found. A key has 190 random bits, so no salt or slow
 * hash is needed.
 */
export const hashOf = (key: string): string => hash('sha256', key)

/** The key's text under the server's secret, bound to its account. */
export const encryptKey = (secret: string, conta_id: string, key: string): string =>
  openSelo(secret, PURPOSE).seal(key, conta_id)

/** The text that `encryptKey` was given. Throws StoreError when the secret is another. */
export function decryptKey(secret: string, conta_id: string, cifrada: string): string {
  const key = openSelo(secret, PURPOSE).open(cifrada, conta_id)
  if (key) return key.toString()
  throw new StoreError(
    'As chaves de API guardadas foram cifradas com outro segredo do servidor. Elas continuam valendo, mas não podem ser ' +
      'mostradas: restaure o segredo anterior (SERVER_SECRET ou o arquivo na pasta de dados), ou gere uma nova para cada conta com "fiscal contas chave <email>" (a da conta inicial é inicial@consulta-fiscal.local).',
  )
}
