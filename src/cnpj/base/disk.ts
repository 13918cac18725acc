import { statfs } from 'node:fs/promises'

async function bytesFree(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/**
 * Checks that the disk of `dir` has room for `needed` bytes. `free` replaces `statfs` when given.
 * @throws what `problem` makes of the free bytes, when they are fewer.
 */
export async function ensureRoom(
  dir: string,
  needed: number,
  problem: (free: number) => Error,
  free: (dir: string) => Promise<number> = bytesFree,
): Promise<void> {
  const has = await free(dir)
  if (has < needed) throw problem(has)
}
