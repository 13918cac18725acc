import { isIP } from 'node:net'
import { type Ambito, findAmbito, ufs } from '../../documento/uf.ts'

export type Setting<T> = {
  parse: (value: string | undefined) => T
  meaning: string
  shape: string
  example: string
  secret: boolean
}

type Text = { meaning: string; pattern?: RegExp; expected?: string }

function matching(value: string, { pattern, expected }: Text): string {
  if (pattern && !pattern.test(value)) throw new Error(`envie ${expected}`)
  return value
}

export const text = (standard: string, about: Text): Setting<string> => ({
  parse: (value) => (value === undefined ? standard : matching(value, about)),
  meaning: about.meaning,
  shape: 'Texto.',
  example: standard,
  secret: false,
})

export const optional = (about: Text & { secret: boolean }): Setting<string | undefined> => ({
  parse: (value) => (value === undefined ? undefined : matching(value, about)),
  meaning: about.meaning,
  shape: `Opcional: ${about.expected ?? 'texto'}.`,
  example: '',
  secret: about.secret,
})

/** The http address of a service of the operator's. Many have their key in it, so that it is never shown. */
export const serviceAddress = (about: { meaning: string }): Setting<string | undefined> => {
  // A name or password in an address would not be sent.
  const expected = 'um endereço http(s), sem usuário nem senha'
  const given = optional({ ...about, secret: true, pattern: /^https?:\/\/[^\s/?#@]+([/?]\S*)?$/, expected })
  return {
    ...given,
    parse: (value) => {
      const address = given.parse(value)
      if (address !== undefined && !URL.canParse(address)) throw new Error(`envie ${expected}`)
      return address
    },
  }
}

export const publicAddress = (about: { meaning: string; without: string }): Setting<string | undefined> => ({
  parse: (value) => (value === undefined ? undefined : readAddress(value)),
  meaning: about.meaning,
  shape: `Opcional: ${ADDRESS}. Sem ele, ${about.without}.`,
  example: '',
  secret: false,
})

const ADDRESS =
  'um endereço http(s) completo, sem usuário, senha, ? nem #, como https://fiscal.exemplo.com.br ou https://exemplo.com.br/fiscal'

function readAddress(value: string): string {
  const url = /^https?:\/\/[^\s?#@\\]+$/i.test(value) ? URL.parse(value) : null
  if (url === null) throw new Error(`envie ${ADDRESS}`)
  return url.origin + url.pathname.replace(/\/+$/, '')
}

export const integer = (
  standard: number,
  about: { min: number; max: number; meaning: string },
): Setting<number> => ({
  parse: (value) => {
    if (value === undefined) return standard
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= about.min && number <= about.max) return number
    throw new Error(`envie um número inteiro de ${about.min} a ${about.max}`)
  },
  meaning: about.meaning,
  shape: `Número inteiro de ${about.min} a ${about.max}.`,
  example: String(standard),
  secret: false,
})

export const optionalInteger = (about: {
  min: number
  max: number
  meaning: string
  without: string
}): Setting<number | undefined> => {
  const given = integer(about.min, about)
  return {
    ...given,
    parse: (value) => (value === undefined ? undefined : given.parse(value)),
    shape: `Opcional: ${given.shape.toLowerCase().replace('.', '')}. Sem ela, ${about.without}.`,
    example: '',
  }
}

export const oneOf = <const T extends string>(
  words: readonly T[],
  standard: NoInfer<T>,
  about: { meaning: string },
): Setting<T> => ({
  parse: (value) => {
    if (value === undefined) return standard
    const word = words.find((candidate) => candidate === value)
    if (word !== undefined) return word
    throw new Error(`envie uma destas palavras: ${listed(words)}`)
  },
  meaning: about.meaning,
  shape: `Uma destas palavras: ${listed(words)}.`,
  example: standard,
  secret: false,
})

const listed = (words: readonly string[]): string =>
  words.join(words.some((word) => word.includes(',')) ? '; ' : ', ')

export const optionalOneOf = <const T extends string>(
  words: readonly [T, ...T[]],
  { standard, meaning }: { standard: string; meaning: string },
): Setting<T | undefined> => {
  const given = oneOf<T>(words, words[0], { meaning })
  return {
    ...given,
    parse: (value) => (value === undefined ? undefined : given.parse(value)),
    shape: `Uma destas palavras: ${listed(words)}. Sem ela, ${standard}.`,
    example: '',
  }
}

const booleans: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }

export const flag = (standard: boolean, about: { meaning: string }): Setting<boolean> => ({
  parse: (value) => {
    if (value === undefined) return standard
    const known = booleans[value]
    if (known === undefined) throw new Error('envie true, false, 1 ou 0')
    return known
  },
  meaning: about.meaning,
  shape: 'true ou false.',
  example: String(standard),
  secret: false,
})

export type TrustedProxies = number | readonly string[]

const MAX_PROXIES = 10

/** The switch that it once was stays: true is one hop. */
export const trustedProxies = (about: { meaning: string }): Setting<TrustedProxies> => ({
  parse: (value = '0') => {
    const isSwitch = value === 'true' || value === 'false'
    if (isSwitch) return value === 'true' ? 1 : 0
    const proxies = value.split(',').map((one) => one.trim())
    if (/^\d{1,2}$/.test(value) && Number(value) <= MAX_PROXIES) return Number(value)
    if (proxies.every(isNetwork)) return proxies
    throw new Error(
      `envie o número de proxies entre o cliente e o serviço (0 a ${MAX_PROXIES}), ou os endereços deles separados por vírgulas, como 10.0.0.5,10.1.0.0/16`,
    )
  },
  meaning: about.meaning,
  shape: `Número de 0 a ${MAX_PROXIES}, ou endereços e redes separados por vírgulas, como 10.0.0.5,10.1.0.0/16.`,
  example: '0',
  secret: false,
})

/** A network of all addresses is none: it trusts anybody. */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([\da-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const kind = isIP(address)
  const most = kind === 4 ? 32 : 128
  return kind !== 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= most))
}

export const ufList = (about: { meaning: string }): Setting<ReadonlySet<Ambito> | undefined> => ({
  parse: (value) => {
    if (value === undefined) return undefined
    if (value.trim().toLowerCase() === 'nenhuma') return new Set()
    return new Set(value.split(',').flatMap((sigla) => ambitosOf(sigla.trim())))
  },
  meaning: about.meaning,
  shape: 'Siglas de estados, BR ou todas (os 27 estados), separadas por vírgulas; ou nenhuma.',
  example: 'nenhuma',
  secret: false,
})

function ambitosOf(sigla: string): readonly Ambito[] {
  if (sigla.toLowerCase() === 'todas') return ufs
  const found = findAmbito(sigla)
  if (found) return [found]
  throw new Error('envie siglas de estados, BR ou todas, separadas por vírgulas, como PR,SP,BR; ou nenhuma')
}
