import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const IV = 12
const TAG = 16
const KEY = 32

/**
 * Authenticated encryption under the server's secret, for one purpose. A seal of another purpose does not
 * open.
 */
export type Selo = {
  /**
   * `content` under the seal, bound to `aad`, which is not kept. AES-256-GCM: `iv + tag + text` in base64url.
   */
  seal: (content: string | Buffer, aad: string) => string
  /** The sealed content. Undefined if the secret, the purpose or `aad` differs, or a bit was changed. */
  open: (sealed: string, aad: string) => Buffer | undefined
  /** A fingerprint that only the holder of the secret can make or check: HMAC-SHA-256, in hexadecimal. */
  mac: (text: string) => string
}

/** Opens the seal of a purpose. The secret has full entropy, so one pass of HKDF makes each key. */
export function openSelo(secret: string, purpose: string): Selo {
  const derive = (info: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', info, KEY))
  const cipherKey = derive(`consulta-fiscal ${purpose}`)
  const macKey = derive(`consulta-fiscal ${purpose} mac`)
  return {
    seal: (content, aad) => {
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', cipherKey, iv).setAAD(Buffer.from(aad))
      const text = Buffer.concat([cipher.update(Buffer.from(content)), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    open: (sealed, aad) => {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < IV + TAG) return undefined
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, IV))
        .setAAD(Buffer.from(aad))
        .setAuthTag(bytes.subarray(IV, IV + TAG))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()])
      } catch {
        return undefined
      }
    },
    mac: (text) => createHmac('sha256', macKey).update(text).digest('hex'),
  }
}
