import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The secret that encrypts what is stored and must not be read there: made once, kept in the data folder, readable by its owner alone. */
export function readServerSecret(pasta: string): string {
  const file = join(pasta, 'segredo-do-servidor')
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) {
    throw new Error(
      `O arquivo ${file} está incompleto. Restaure a cópia de segurança dele, ou defina SERVER_SECRET.`,
    )
  }
  return secret
}
