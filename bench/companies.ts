import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'

const SAMPLE = join(import.meta.dirname, '../data/cnpj-amostra')

/** The CNPJs of the sample base, so many of them, drawn the same way each time. */
export function someCnpjs(count: number): string[] {
  const all = readdirSync(SAMPLE)
    .filter((name) => name.startsWith('Estabelecimentos'))
    .flatMap((name) => Object.values(unzipSync(readFileSync(join(SAMPLE, name)))))
    .flatMap((csv) => Buffer.from(csv).toString('latin1').split('\n'))
    .flatMap((line) => /^"(\w{8})";"(\w{4})";"(\d\d)"/.exec(line)?.slice(1).join('') ?? [])
  // A step that has no divisor in common with the count goes round all of them.
  return Array.from({ length: count }, (_, n) => all[(n * 7_919) % all.length] ?? '')
}
