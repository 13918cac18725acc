import { StoreError } from './store-error.ts'

/** Where PostgreSQL is: one address for each host of DATABASE_URL, in its order. */
export type Address = {
  urls: readonly [string, ...string[]]
  /** True where a host that is in recovery, which takes no write, must be passed over. */
  primary: boolean
  /** The hosts and the database, without user and password. */
  shown: string
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^?#]*)(.*)$/i
const ATTRIBUTE = 'target_session_attrs'

/**
 * Reads DATABASE_URL as libpq does, with several hosts (`a:5432,b:5432`), which the driver cannot; of those
 * the service always wants the one that takes writes. Throws StoreError for a wish that it cannot have.
 */
export function readAddress(url: string): Address {
  const [, start = '', hosts = '', path = '', rest = ''] = PARTS.exec(url) ?? []
  const [first, ...others] = hosts.split(',').map((host) => `${start}${host}${path}${rest}`)
  const shown = `${hosts}${path}` || 'um endereço que não se entende'
  const wanted = new URLSearchParams(rest.split('#')[0]).get(ATTRIBUTE) ?? ''
  if (!['', 'any', 'read-write', 'primary'].includes(wanted))
    throw new StoreError(
      `DATABASE_URL pede ${ATTRIBUTE}=${wanted}, e o serviço precisa gravar: use ${ATTRIBUTE}=read-write.`,
    )
  return {
    urls: [first ?? url, ...others],
    primary: others.length > 0 || wanted === 'read-write' || wanted === 'primary',
    shown,
  }
}
