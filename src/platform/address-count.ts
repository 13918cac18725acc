import type { Turn } from './limits.ts'
import { openWindowCount } from './window-count.ts'

/**
 * Counts events by network address, a minute at a time, in the memory of this node alone. Events from other
 * addresses, however many, never make it forget.
 */
export type AddressCount = {
  /** Counts one more event of an address. */
  add: (address: string) => void
  /** Counts one more call of an address, and tells its place in the minute. */
  consume: (address: string) => Turn
  /** The seconds until an address that used up its minute may go on. Undefined for any other. */
  waitS: (address: string) => number | undefined
}

const WINDOW_MS = 60_000

/** Opens a count in which each address may reach `limit` a minute. The minute begins with its first event. */
export function openAddressCount({ limit, now }: { limit: number; now: () => Date }): AddressCount {
  const minutes = openWindowCount({ windowMs: WINDOW_MS, now })
  return {
    add: (address) => void minutes.add(networkOf(address)),
    consume: (address) => {
      const { count, ends } = minutes.add(networkOf(address))
      const remaining = Math.max(0, limit - count)
      return { ok: count <= limit, limit, remaining, resetMs: ends - now().getTime() }
    },
    waitS: (address) => {
      const minute = minutes.look(networkOf(address))
      if (!minute || minute.count < limit) return undefined
      return Math.max(1, Math.ceil((minute.ends - now().getTime()) / 1000))
    },
  }
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/

/**
 * The IPv4 address, or the /64 of an IPv6 one, which belongs to one customer. A text that is no address
 * counts as itself, and a connection that is gone has none, whatever the type of `request.ip` says.
 */
export function networkOf(address: string | undefined = ''): string {
  // The forms that some proxies write: with a port, brackets or a zone.
  const plain = address.replace(/^(\d[\d.]*):\d+$/, '$1').replace(/^\[?([^\]%]*).*$/, '$1')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined || IPV4.test(plain)) return mapped ?? plain
  if (!URL.canParse(`http://[${plain}]/`)) return ''
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':').length + (tail.includes('.') ? 1 : 0) : 0
  if (tail !== undefined)
    groups.push(...Array<string>(8 - groups.length - after).fill('0'), ...tail.split(':'))
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}
