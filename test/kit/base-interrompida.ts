/**
 * An import that stops all its threads at the given progress, says so and waits to be killed. Arguments:
 * zips, base, step, how many times the step is reported before, threads.
 */
import { writeSync } from 'node:fs'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'

const [pasta = '', raiz = '', etapa = '', times = '1', threads = '0'] = process.argv.slice(2)
let left = Number(times)
await importCnpj({
  pasta,
  raiz,
  amostra: true,
  threads: Number(threads),
  now: () => new Date('2026-11-21T12:00:00Z'),
  onProgress(progress) {
    if (progress.etapa !== etapa || --left > 0) return
    writeSync(1, 'parado\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
})
