import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createQueue, QueueFull, type TurnRequest } from '../platform/wire/threads.ts'
import { type Aguarde, FILA_S } from './store-tentativas.ts'

/** OWASP's second choice for argon2id (Password Storage Cheat Sheet, 2026): about 35 ms. */
const CUSTO = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SAL = 16
const HASH = 32

const ESPERA_MS = 10_000

/** Each run holds 19 MiB and one of the process's four threads: one stays free for files and hosts' names. */
const inTurn = createQueue({ places: 3, waiting: 90, perOwner: 10 })

const derive = promisify(argon2)

export type Quem = { endereco: string; signal?: AbortSignal | undefined }

const vezDe = ({ endereco, signal }: Quem): TurnRequest => ({ owner: endereco, waitMs: ESPERA_MS, signal })

/** Argon2id in the PHC string format. Throws QueueFull, or the reason of the signal. */
export async function hashDaSenha(senha: string, quem: Quem): Promise<string> {
  const nonce = randomBytes(SAL)
  const hash = await inTurn(vezDe(quem), () =>
    derive('argon2id', { message: bytesDe(senha), nonce, tagLength: HASH, ...CUSTO }),
  )
  return phc(nonce, hash)
}

/** Without a hash it does the same work and says no. Throws as `hashDaSenha` does. */
export async function checkSenha(senha: string, guardado: string | null, quem: Quem): Promise<boolean> {
  const { nonce, hash, ...custo } = readHash(guardado ?? NINGUEM)
  const achado = await inTurn(vezDe(quem), () =>
    derive('argon2id', { message: bytesDe(senha), nonce, tagLength: hash.length, ...custo }),
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
function readHash(guardado: string): Lido {
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
export async function inQueue<T>(work: () => Promise<T>): Promise<T | Aguarde> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof QueueFull) return { esperaS: FILA_S }
    throw error
  }
}

/** In characters. */
const MENOR_SENHA = 10
const MAIOR_SENHA = 200

/** 10 characters or more, in lower case: written by hand on 2026-11-23, checked against no published list. */
const USADAS = new Set(
  `1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1234qwerasdf 12345qwert 123456789a 123456789q 123456abcd 123abc123abc 123mudar123
  a123456789 a1b2c3d4e5 abc123456789 abcd123456 abcdef1234 abcdefghij admin12345 administrador adminadmin
  aaaaaaaaaa asdfghjkl1 asdfghjkl; asdasdasdasd bemvindo123 brasil1234 brasil2025 brasil2026 brasileiro
  corinthians coracao123 deusefiel10 deusefiel123 deusmeama10 familia123 familia2026 felicidade
  flamengo10 flamengo123 flamengo2026 iloveyou123 iloveyou12 internacional internet123 jesuscristo jesuscristo1
  jesuseamor jesuseamor10 juliana123 letmein123 mudar12345 mudar@1234 mudarsenha mudarsenha123 minhasenha minhasenha1 minhasenha123
  michelle123 p@ssw0rd123 p@ssword123 palmeiras1 palmeiras123 passw0rd123 password01 password10 password11 password12
  password123 password1234 password12345 passwordpassword pedro12345 princesa123 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedc1 qazwsxedcrfv
  qwer123456 qwer1234qwer qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiop[]
  saopaulo123 saopaulofc senha12345 senha123456 senha@1234 senha@12345 senhasenha senhasenha123 senhaforte senhaforte1 senhaforte123
  senhasegura senhasegura1 senhasegura123 senha2025! senha2026! superman123 teste12345 teste123456 testeteste testeteste123 trocar12345
  trustno1trustno1 vascodagama welcome123 welcome1234 zxcvbnm123 zxcvbnm1234 zaq12wsxcde3`.split(/\s+/),
)

const DIFERENTES = 5

/** In Portuguese; undefined if nothing is wrong. `nome` and `email` are its owner's. */
export function fraquezaDe(
  senha: string,
  { nome, email }: { nome: string; email: string },
): string | undefined {
  const letras = [...senha.normalize('NFC')]
  if (letras.length < MENOR_SENHA)
    return `A senha precisa ter ${MENOR_SENHA} caracteres ou mais; esta tem ${letras.length}.`
  if (letras.length > MAIOR_SENHA) return `A senha pode ter no máximo ${MAIOR_SENHA} caracteres.`
  const dita = senha.normalize('NFC').trim().toLowerCase()
  const [antes = ''] = email.split('@')
  if ([email, antes, nome.normalize('NFC').trim().toLowerCase()].includes(dita))
    return 'A senha não pode ser o seu e-mail nem o seu nome. Escolha outra.'
  if (new Set(letras).size < DIFERENTES || isFileira(dita))
    return 'A senha repete ou enfileira poucos caracteres. Escolha outra, como uma frase.'
  if (USADAS.has(dita))
    return 'Esta senha é uma das mais usadas, e por isso das primeiras a serem tentadas. Escolha outra.'
  return undefined
}

function isFileira(text: string): boolean {
  const codigos = [...text].map((letra) => letra.codePointAt(0) ?? 0)
  const passos = codigos.slice(1).map((codigo, at) => codigo - (codigos[at] ?? 0))
  // After 9 comes 0.
  return new Set(/^\d+$/.test(text) ? passos.map((passo) => (passo + 10) % 10) : passos).size === 1
}

/** A new password that is not taken, and why, in Portuguese. */
export type SenhaFraca = { senhaFraca: string }
