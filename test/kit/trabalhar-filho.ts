/** Does jobs without end, and is made to be killed. It tells each step before it takes the next. */
import { writeSync } from 'node:fs'
import { openDb } from '../../src/platform/db/db.ts'
import { openJobs } from '../../src/platform/jobs/jobs.ts'
import { startRunner } from '../../src/platform/jobs/runner.ts'
import { contar } from './kill.ts'

const [arquivo = '', atOnce = '', databaseUrl] = process.argv.slice(2)
const db = await openDb({ arquivo, databaseUrl })
const jobs = openJobs(db, { now: () => new Date() })

// This writes straight to the pipe: every line that the parent reads has happened.
const tell = (line: string): void => void writeSync(1, `${line}\n`)

startRunner({
  jobs: {
    ...jobs,
    claim: async (kind, options) => {
      const claimed = await jobs.claim(kind, options)
      for (const { id } of claimed.jobs) tell(`claim ${id}`)
      return claimed
    },
    finish: (lease, ...rest) => {
      tell(`finish ${lease.id}`)
      return jobs.finish(lease, ...rest)
    },
  },
  kinds: [
    {
      ...contar,
      attempts: 1_000,
      atOnce: Number(atOnce),
      run: async ({ numero }, { id }) => {
        tell(`middle ${id}`)
        await new Promise(setImmediate)
        return {
          result: numero,
          write: async (on) => {
            // This runs once for each finished job, together with the next job that comes of it.
            await on
              .insertInto('nos')
              .values({ id, batimento: 1 })
              .onConflict((clash) =>
                clash.column('id').doUpdateSet(({ eb }) => ({ batimento: eb('nos.batimento', '+', 1) })),
              )
              .execute()
            if (numero >= 0) await jobs.enqueue(contar, { numero: -1 - numero }, { on })
          },
        }
      },
    },
  ],
  log: { info: () => {}, warn: () => {}, error: () => {} },
  leaseMs: 500,
  pollMs: 20,
})
tell('ready')
