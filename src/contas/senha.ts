import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createQueue, QueueFull, type TurnRequest } from '../platform/wire/threads.ts'
import { type Aguarde, FILA_S } from './recursos.ts'

/** OWASP's second choice for argon2id (Password Storage Cheat Sheet, 2026): about 35 ms. */
const CUSTO = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SAL = 16
const HASH = 32

/** Milliseconds to wait for a turn. */
const ESPERA_MS = 10_000

/**
 * Each run holds 19 MiB and one of the four threads that files and names of hosts need too: one stays free.
 * Turns go round the addresses.
 */
const naVez = createQueue({ places: 3, waiting: 90, perOwner: 10 })

const derivar = promisify(argon2)

/** Who waits for a turn: `endereco` is whence, and `signal` is aborted when he leaves. */
export type Quem = { endereco: string; signal?: AbortSignal | undefined }

const vezDe = ({ endereco, signal }: Quem): TurnRequest => ({ owner: endereco, waitMs: ESPERA_MS, signal })

/**
 * The password as it is stored: argon2id in the PHC string format. Throws QueueFull, or the reason of the
 * signal.
 */
export async function hashDaSenha(senha: string, quem: Quem): Promise<string> {
  const nonce = randomBytes(SAL)
  const hash = await naVez(vezDe(quem), () =>
    derivar('argon2id', { message: bytesDe(senha), nonce, tagLength: HASH, ...CUSTO }),
  )
  return phc(nonce, hash)
}

/**
 * Whether a password is that of a stored hash; without a hash it does the same work and says no. Throws as
 * `hashDaSenha` does.
 */
export async function confereSenha(senha: string, guardado: string | null, quem: Quem): Promise<boolean> {
  const { nonce, hash, ...custo } = lido(guardado ?? NINGUEM)
  const achado = await naVez(vezDe(quem), () =>
    derivar('argon2id', { message: bytesDe(senha), nonce, tagLength: hash.length, ...custo }),
  )
  return timingSafeEqual(achado, hash) && guardado !== null
}

/** One form of the letters with accents, whichever keyboard wrote them. */
const bytesDe = (senha: string): Buffer => Buffer.from(senha.normalize('NFC'))

const semPreenchimento = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const phc = (nonce: Buffer, hash: Buffer): string => {
  const { memory, passes, parallelism } = CUSTO
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${semPreenchimento(nonce)}$${semPreenchimento(hash)}`
}

/** The hash of no password, of the same cost as all. */
const NINGUEM = phc(randomBytes(SAL), randomBytes(HASH))

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

type Lido = { memory: number; passes: number; parallelism: number; nonce: Buffer; hash: Buffer }

/** Reads a stored hash, whose cost may be that of another version. Throws if it is none. */
function lido(guardado: string): Lido {
  const [, m, t, p, nonce = '', hash = ''] = PHC.exec(guardado) ?? []
  if (m === undefined) throw new Error('a stored password is no PHC string of argon2id')
  return {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    nonce: Buffer.from(nonce, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

/** Does work that waits for a turn of the passwords; a full queue is told as a wait. */
export async function naFila<T>(work: () => Promise<T>): Promise<T | Aguarde> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof QueueFull) return { esperaS: FILA_S }
    throw error
  }
}
