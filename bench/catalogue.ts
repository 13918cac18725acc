/**
 * The rejection catalogue whole, for known keys of many accounts, against bare Fastify routes that return a
 * string of the same size: the list with `q` (its answers kept, and each of its own), an entry.
 * `node bench/catalogue.ts [rounds] [seconds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareByTurns } from './by-turns.ts'
import { startTarget, stopTarget } from './target.ts'

const LISTA = '/api/v1/rejeicoes'
const [rounds = 5, seconds = 3] = process.argv.slice(2).map(Number)

const folder = mkdtempSync(join(tmpdir(), 'bench-catalogue-'))
const env = { LOG_LEVEL: 'silent', PORT: '0', SEFAZ_MONITOR: 'desligado', DATA_DIR: folder }
const full = await startTarget('SQLite', 'http-full.ts', env)

const palavras = ['informado', 'valor', 'nf-e', 'icms', 'destinatario', 'emitente', 'grupo', 'codigo']

/** What is compared: the paths, the first of which says how large an answer is. */
const compared = {
  'list with q, kept': palavras.map((q) => `${LISTA}?q=${q}&page_size=20`),
  // More questions than are kept: each finds its answer forgotten.
  'list with q, made anew': palavras.flatMap((q) =>
    Array.from(
      { length: 200 },
      (_, n) => `${LISTA}?q=${q}&page=${1 + (n % 10)}&page_size=${20 + Math.floor(n / 10)}`,
    ),
  ),
  entry: [204, 233, 539, 610, 778, 806, 865].map((codigo) => `${LISTA}/${codigo}`),
}

/** The characters of an answer, as of the first so many questions. */
async function sizeOf(paths: readonly string[]): Promise<number> {
  const texts = paths.slice(0, 200).map(async (path, n) => {
    const headers = { 'X-API-Key': full.keys[n] ?? '' }
    return (await fetch(full.address + path, { headers })).text()
  })
  const sizes = (await Promise.all(texts)).map(({ length }) => length)
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length)
}

try {
  for (const [what, paths] of Object.entries(compared)) {
    const size = await sizeOf(paths)
    const bare = await startTarget('bare', 'text-bare.ts', { BODY: 'x'.repeat(size), ROUTE: LISTA })
    const about = `${full.keys.length} accounts, ${what}: ${paths.length} questions, answers of ${size} characters`
    const everything = [
      { target: bare, paths: [LISTA] },
      { target: full, paths },
    ]
    await compareByTurns(everything, { rounds, seconds, about, name: `${what}, ` }).finally(() =>
      stopTarget(bare),
    )
  }
} finally {
  await stopTarget(full)
  rmSync(folder, { recursive: true, force: true })
}
