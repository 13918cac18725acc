import { readSync } from 'node:fs'

const PLACES = 256
const PLACE_BYTES = 8 * 1024

/**
 * Reads the block of this number, start and length from the data file. The bytes are good until the next
 * read.
 */
export type ReadBlock = (block: number, start: number, length: number) => Buffer

/**
 * Reads blocks from `fd` and remembers the last one of each of 256 places, 2 MiB in all. A block that is
 * asked for again soon costs no call to the system.
 * @throws when the file ends too early.
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
