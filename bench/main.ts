/** `npm run bench` lists the benches. With a name it runs that bench, with the arguments that follow. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const benches: Record<string, string> = {
  http: 'GET /api/consultar-cnpj whole, on SQLite and PostgreSQL, against a bare Fastify route [rounds] [seconds]',
  ie: 'GET /api/consultar against the simulator, uncached and cached; CPU, memory, connections [rounds] [seconds] [lookups]',
  'fan-out':
    'GET /api/consultar-ie-todos: time over the slowest state, CPU, connections, memory [rounds] [calls] [at once]',
  cpu: "the server's CPU of a request of each kind, beside other trees [rounds] [folder=V8 flags]...",
  monitor:
    'GET /api/v1/sefaz/status whole, 1,000 accounts, against a bare Fastify route that returns a string [rounds] [seconds]',
  catalogue:
    'the rejection catalogue whole, list with q and entry, against bare Fastify routes that return a string [rounds] [seconds]',
  'monitor-round':
    'CPU of one round of the SEFAZ monitor: the 27 questions, and the whole round; connections [rounds]',
  'nfe-xml':
    'POST /api/consultar-nfe-xml: CPU of a call and of its parts, requests/s, memory; an independent client beside it [rounds] [requests of the memory run]',
  'never-read':
    'memory while clients ask for the largest page and never read it [connections] [seconds until all are dropped]',
  'slow-certificates':
    'how long an account waits while another sends certificate files that take seconds to open [seconds] [files a second]',
  'hostile-page': 'reading of pages that are as much as is read, and of more [rounds]',
  'hostile-notes': 'diagnosis of notes with 10,000 to 60,000 equal elements, in one thread [rounds]',
  pdf: 'reading of federal certificates of two producers, and the memory meanwhile [certificates]',
  strangers:
    "what one client that searches, filters the log or sends hostile notes does to the others' p99 [rounds] [seconds] [--postgres] [attack]",
  diagnose:
    'diagnosis of notes of 50 kB and 800 kB through its threads: time, event loop, memory [rounds] [notes]',
  pages:
    "the pages: the server's time, the weight, and how soon they are usable on a slow line [requests] [rounds] [visits]",
  dashboard:
    'the pages of the dashboard for an account with 1,000,000 calls, and the file of its log [--postgres] [calls] [requests]',
  start: 'first start, cold start, idle memory [rounds]',
  extrato: "an account's statement of a month among 1,000,000 entries, on SQLite and PostgreSQL [rounds]",
  statement:
    "the pages of an account's statement with 1,000,000 entries of its own, on SQLite and PostgreSQL [requests]",
  login:
    'POST /api/v1/auth/login of an unknown e-mail and of a wrong password, on SQLite and PostgreSQL [rounds]',
  doors:
    "an account's call and /health while others send 1 MiB to the doors, try to log in, or scrape [seconds]",
  conta: "the use of an account's month as /api/v1/conta sums it, on SQLite and PostgreSQL [rounds]",
  jobs: 'durable jobs on SQLite and PostgreSQL, beside pg-boss [rounds] [jobs] [one by one]',
  outcome: "CPU of a request's outcome: usage on SQLite and PostgreSQL, metrics [rounds] [accounts]",
  'sefaz-history':
    'what the SEFAZ monitor keeps of 90 days: history, round, day, deletion, room, on SQLite and PostgreSQL [rounds]',
  nodes:
    '1, 2 and 4 nodes on one PostgreSQL: charges of 1,000 accounts and of one, GET /api/consultar-cnpj [rounds] [seconds]',
  ledger: 'durable charges alone, on SQLite and PostgreSQL [rounds]',
  'cnpj-import':
    'import of a generated CNPJ base [--estabelecimentos 10000000] [--rodadas 3] (--help for more)',
  'cnpj-lookup': 'look-ups in the base that cnpj-import left, in process (--pasta, --raiz)',
}

const [name = '', ...args] = process.argv.slice(2)
if (name in benches) {
  const run = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    stdio: 'inherit',
  })
  process.exitCode = run.status ?? 1
} else {
  console.log('npm run bench -- <name> [arguments]\n')
  for (const [bench, about] of Object.entries(benches)) console.log(`  ${bench.padEnd(13)} ${about}`)
  process.exitCode = name === '' ? 0 : 1
}
