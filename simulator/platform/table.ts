import { readFileSync } from 'node:fs'

/** A table out of a JSON file beside the caller. Its `origem` says where it comes from. */
export const readTable = <T>(arquivo: string, caller: string): T =>
  JSON.parse(readFileSync(new URL(arquivo, caller), 'utf8'))
