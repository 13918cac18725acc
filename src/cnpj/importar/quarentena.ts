import { type Counts, count } from './counts.ts'
import type { CsvLine } from './csv.ts'

/** Lines for a person to look at, as NDJSON: the zip, the reason, the line itself (latin-1, cut at 4 KiB). */
export type Quarentena = { motivos: Counts; put(motivo: string, line: CsvLine): void; text(): string }

const MAX_LINES = 2000
const MAX_BYTES = 4096

/** Starts the quarantine of one zip. It counts all lines and keeps the first 2,000. */
export function createQuarentena(arquivo: string): Quarentena {
  const lines: string[] = []
  const motivos: Counts = {}
  return {
    motivos,
    put(motivo, line) {
      count(motivos, motivo)
      if (lines.length >= MAX_LINES) return
      const end = Math.min(line.end, line.start + MAX_BYTES)
      const texto = line.bytes.toString('latin1', line.start, end).trimEnd()
      lines.push(JSON.stringify({ arquivo, motivo, linha: texto }))
    },
    text: () => lines.map((line) => `${line}\n`).join(''),
  }
}
