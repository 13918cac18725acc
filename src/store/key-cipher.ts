import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { StoreError } from './store-error.ts'

const IV = 12
const TAG = 16

/** What a key is looked up by: SHA-256, in hexadecimal. A key has 190 random bits, so no salt or slow hash is needed. */
export const hashOf = (key: string): string => hash('sha256', key)

/** The key's text under the server's secret, bound to its account: AES-256-GCM, `iv + tag + text` in base64url. */
export function encryptKey(secret: string, conta_id: string, key: string): string {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', derive(secret), iv).setAAD(Buffer.from(conta_id))
  const text = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

/** The text that `encryptKey` was given. Throws StoreError when the secret is another. */
export function decryptKey(secret: string, conta_id: string, cifrada: string): string {
  const bytes = Buffer.from(cifrada, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', derive(secret), bytes.subarray(0, IV))
    .setAAD(Buffer.from(conta_id))
    .setAuthTag(bytes.subarray(IV, IV + TAG))
  try {
    return decipher.update(bytes.subarray(IV + TAG), undefined, 'utf8') + decipher.final('utf8')
  } catch (error) {
    throw new StoreError(
      'As chaves de API guardadas foram cifradas com outro segredo do servidor. Elas continuam valendo, mas não podem ser ' +
        'mostradas: restaure o segredo anterior (SERVER_SECRET ou o arquivo na pasta de dados), ou gere uma nova para cada conta com "fiscal contas chave <email>" (a da conta inicial é inicial@consulta-fiscal.local).',
      { cause: error },
    )
  }
}

/** The secret has full entropy, so one pass of HKDF makes the cipher's key. */
const derive = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'consulta-fiscal api keys', 32))
