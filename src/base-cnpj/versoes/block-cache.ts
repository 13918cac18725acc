import { readSync } from 'node:fs'

const PLACES = 256
const PLACE_BYTES = 8 * 1024

/** Reads a block of the data file: its number, where it starts, how long it is. The bytes are good until the next read. */
export type ReadBlock = (block: number, start: number, length: number) => Buffer

/**
 * Reads blocks from `fd`, each into the place that its number gives, and does not read again what a place still holds:
 * what is asked about again in a short interval costs no call to the system. 2 MiB, taken as it fills.
 * @throws when the file ends too early
 */
export function createReadBlock(fd: number): ReadBlock {
  const places = Array.from({ length: PLACES }, () => ({ block: -1, bytes: Buffer.alloc(0) }))
  return (block, start, length) => {
    const place = places[block % PLACES]
    if (place?.block === block) return place.bytes
    const room =
      place && place.bytes.length >= length ? place.bytes : Buffer.allocUnsafe(Math.max(length, PLACE_BYTES))
    if (place) place.block = -1
    if (readSync(fd, room, 0, length, start) !== length) throw new Error(`bloco ${block}: leitura incompleta`)
    if (place && room.length === PLACE_BYTES) Object.assign(place, { block, bytes: room })
    return room
  }
}
