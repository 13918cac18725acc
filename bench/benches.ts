/** A figure of a bench, and what it may come to at most or must at least. */
export type Goal = { figure: string; what: string } & ({ most: number } | { least: number })

/**
 * A bench: `short` are the arguments with which `tudo` and `--contra` run it, once each; a bench without them
 * prints for people alone. `aim` says what such a bench must come to.
 */
export type Bench = {
  about: string
  short?: readonly (readonly string[])[]
  goals?: readonly Goal[]
  aim?: string
}

const lasting = (database: string): Goal[] => [
  {
    figure: `${database}: p99, worst minute`,
    what: `the same for minutes, ${database}: p99 of the worst`,
    most: 12,
  },
  {
    figure: `${database}: longest stop of the loop`,
    what: `longest stop of the event loop, ${database}`,
    most: 8,
  },
]

/** All benches by name: each is a file of this folder. */
export const benches: Record<string, Bench> = {
  tudo: {
    about:
      'all benches that have goals, short; writes the table of bench/README.md [name]... prints those alone',
  },
  http: {
    about:
      'GET /api/consultar-cnpj whole, on SQLite and PostgreSQL, against a bare Fastify route [rounds] [seconds]',
    short: [['3', '3']],
    goals: [
      {
        figure: 'SQLite: CPU over bare',
        what: '`GET /api/consultar-cnpj`, SQLite: CPU over bare Fastify',
        most: 40,
      },
      { figure: 'PostgreSQL: CPU over bare', what: 'the same, PostgreSQL, the node alone', most: 40 },
      {
        figure: 'PostgreSQL: CPU over bare, with the database',
        what: 'the same with the database',
        most: 70,
      },
      { figure: 'SQLite: p99', what: 'p99, 50 connections, SQLite', most: 12 },
      { figure: 'PostgreSQL: p99', what: 'p99, 50 connections, PostgreSQL', most: 12 },
    ],
  },
  'ten-minutes': {
    about:
      'the same under load for minutes: p99 and stops of the event loop of each, and a histogram [minutes] [--postgres]',
    short: [['1'], ['1', '--postgres']],
    goals: [...lasting('SQLite'), ...lasting('PostgreSQL')],
  },
  sweep: {
    about:
      'the same while calls older than 90 days are deleted: p99 and stops of the event loop, beside the load alone [rounds] [calls] [seconds]',
    short: [['3']],
    goals: [
      {
        figure: 'while old calls are deleted: longest stop of the loop',
        what: 'longest stop while 50,000 old calls are deleted, SQLite',
        most: 8,
      },
    ],
  },
  sums: {
    about:
      'the sums of the months that the clock makes: CPU of a charge in them, and stops [rounds] [seconds]',
    short: [['2']],
    goals: [
      { figure: 'SQLite: CPU of the sums', what: "a charge's part in the clock's sums, SQLite", most: 5 },
      { figure: 'PostgreSQL: CPU of the sums', what: 'the same, PostgreSQL, with the database', most: 10 },
      {
        figure: 'SQLite: longest stop beside a load',
        what: 'longest stop while months are summed, SQLite',
        most: 8,
      },
    ],
  },
  monitor: {
    about:
      'GET /api/v1/sefaz/status whole, 1,000 accounts, against a bare Fastify route that returns a string [rounds] [seconds]',
    short: [['3', '3']],
    goals: [{ figure: 'SQLite: CPU over bare', what: '`GET /api/v1/sefaz/status`: CPU over bare', most: 25 }],
  },
  clients: {
    about:
      'what a call costs by how a client asks: key or token, gzip or not, what is free, what is refused [rounds] [seconds]',
    short: [['3', '2']],
    goals: [
      {
        figure: 'a look-up with gzip: of a look-up with a key',
        what: 'a look-up by a client that takes gzip: CPU, of one that does not',
        most: 1.3,
      },
      {
        figure: 'a look-up with a token: of a look-up with a key',
        what: 'the same with a token in place of a key',
        most: 1.3,
      },
      { figure: 'a wrong parameter: of a look-up with a key', what: 'a wrong parameter', most: 1.3 },
      {
        figure: 'the history of the SEFAZ: CPU',
        what: '`GET /api/v1/sefaz/historico`, all states, 90 days: CPU',
        most: 1_000,
      },
    ],
  },
  catalogue: {
    about:
      'the rejection catalogue whole, list with q and entry, against bare Fastify routes that return a string [rounds] [seconds]',
    short: [['2', '2']],
    goals: [
      {
        figure: 'list with q, kept, SQLite: CPU over bare',
        what: 'the catalogue, a kept list: CPU over bare',
        most: 25,
      },
      { figure: 'entry, SQLite: CPU over bare', what: 'the catalogue, an entry: CPU over bare', most: 25 },
    ],
  },
  ie: {
    about:
      'GET /api/consultar against the simulator, uncached and cached; CPU, memory, connections [rounds] [seconds] [lookups]',
    short: [['2', '3', '500']],
    goals: [
      {
        figure: 'cached, service: CPU over bare',
        what: '`GET /api/consultar` cached: CPU over bare',
        most: 45,
      },
      { figure: 'uncached: CPU', what: 'the same not cached: our CPU', most: 4 },
    ],
    aim: 'not cached 800/s on a core of ours; connections are reused; memory flat over 50,000 look-ups',
  },
  'nfe-xml': {
    about:
      'POST /api/consultar-nfe-xml: CPU of a call and of its parts, requests/s, memory; an independent client beside it [rounds] [requests of the memory run]',
    short: [['1', '0']],
    goals: [
      { figure: 'one query: CPU', what: '`POST /api/consultar-nfe-xml`, one query: our CPU', most: 8 },
      { figure: 'query, Ciência, query: CPU', what: 'the same, query, Ciência, query', most: 25 },
    ],
    aim: 'memory flat over 12,000 notes',
  },
  ledger: {
    about: 'durable charges alone, on SQLite and PostgreSQL: rate, CPU, bytes [rounds] [charges]',
    short: [['3', '10000']],
    goals: [
      {
        figure: 'SQLite: an entry, indexes in',
        what: 'a charge on the disk, all indexes in, SQLite',
        most: 300,
      },
      { figure: 'PostgreSQL: an entry, indexes in', what: 'a charge on the disk, PostgreSQL', most: 300 },
    ],
  },
  nodes: {
    about:
      '1, 2 and 4 nodes on one PostgreSQL: charges of 1,000 accounts and of one, GET /api/consultar-cnpj [rounds] [seconds]',
    aim: 'four nodes no slower than one on the same cores',
  },
  'ledger-groups': {
    about:
      'groups of the ledger on SQLite, of this tree and of another by turns in one process <folder> [rounds]',
  },
  'ledger-field': {
    about:
      'durable charges beside a bare insert in groups, pgledger and a batched function, on PostgreSQL [--pgledger FILE,...] [--funcao FILE] [--segundos N] [--rodadas N]',
  },
  keys: {
    about: 'a key issued among many accounts, on SQLite and PostgreSQL [accounts] [rounds]',
    short: [['1000000', '50']],
    goals: [
      { figure: 'SQLite: a key issued', what: 'a key issued among a million accounts, SQLite', most: 1 },
      { figure: 'PostgreSQL: a key issued', what: 'the same, PostgreSQL', most: 1 },
    ],
  },
  outcome: {
    about: "CPU of a request's outcome: usage on SQLite and PostgreSQL, metrics [rounds] [accounts]",
    short: [['3', '1000']],
  },
  start: {
    about: 'first start, cold start, idle memory [rounds]',
    short: [['3']],
    goals: [
      { figure: 'resident memory, idle, sample base', what: 'resident memory, idle, sample base', most: 135 },
      {
        figure: 'cold start, data folder ready, to the first answer',
        what: 'cold start, simulator included, to the first answer',
        most: 2,
      },
      {
        figure: 'first start to the first answer',
        what: 'first start, empty folder, to the first answer',
        most: 6,
      },
    ],
  },
  cpu: {
    about: "the server's CPU of a request of each kind, errors too [rounds]",
    short: [['9']],
  },
  'fan-out': {
    about:
      'GET /api/consultar-ie-todos: time over the slowest state, CPU, connections, memory [rounds] [calls] [at once]',
    short: [['1', '20', '200']],
    goals: [
      {
        figure: 'over the slowest state',
        what: '`GET /api/consultar-ie-todos`, states 2 s late, over the slowest alone',
        most: 1.05,
      },
      { figure: 'one by one: CPU', what: 'the same not late: our CPU', most: 60 },
      {
        figure: '200 at once: resident memory at most',
        what: 'resident memory, 200 calls at once',
        most: 400,
      },
    ],
  },
  'monitor-round': {
    about:
      'CPU of one round of the SEFAZ monitor: the 27 questions, and the whole round; connections [rounds]',
    short: [['20']],
    goals: [
      { figure: 'inteira: CPU', what: 'a round of the SEFAZ monitor, whole: our CPU', most: 60 },
      { figure: 'inteira: new connections', what: 'connections made anew by 20 rounds', most: 0 },
    ],
  },
  'never-read': {
    about:
      'memory while clients ask for the largest page and never read it [connections] [seconds until all are dropped]',
    aim: 'no memory of their own',
  },
  'slow-certificates': {
    about:
      'how long an account waits while another sends certificate files that take seconds to open [seconds] [files a second]',
    aim: '1 s at most',
  },
  'hostile-page': {
    about: 'reading of pages that are as much as is read, and of more [rounds]',
    aim: '100 ms',
  },
  'hostile-notes': {
    about: 'diagnosis of notes with 10,000 to 60,000 equal elements, in one thread [rounds]',
    aim: 'time grows as the note does',
  },
  pdf: {
    about: 'reading of federal certificates of two producers, and the memory meanwhile [certificates]',
    short: [['200']],
    goals: [{ figure: 'a certificate', what: "a federal certificate's PDF read", most: 10 }],
    aim: 'memory flat over 2,000',
  },
  strangers: {
    about:
      "what one client that searches, filters the log or sends hostile notes does to the others' p99 [rounds] [seconds] [--postgres] [attack]",
    aim: '× 3 of what a client does that asks /health without a pause',
  },
  diagnose: {
    about:
      'diagnosis of notes of 50 kB and 800 kB through its threads: time, event loop, memory [rounds] [notes]',
    aim: '6 kB 0.6, 50 kB 6, 800 kB 70 ms in the thread; 10 and 150 ms through the pool; memory flat',
  },
  pages: {
    about:
      "the pages: the server's time, the weight, and how soon they are usable on a slow line [requests] [rounds] [visits]",
    aim: 'usable in 1 s, 60 kB',
  },
  dashboard: {
    about:
      'the pages of the dashboard for an account with 1,000,000 calls, and the file of its log [--postgres] [calls] [requests]',
    aim: 'p95 50 ms; memory flat while the file goes out',
  },
  extrato: {
    about: "an account's statement of a month among 1,000,000 entries, on SQLite and PostgreSQL [rounds]",
    aim: '20 ms',
  },
  statement: {
    about:
      "the pages of an account's statement with 1,000,000 entries of its own, on SQLite and PostgreSQL [requests]",
    aim: 'p95 50 ms',
  },
  login: {
    about:
      'POST /api/v1/auth/login of an unknown e-mail and of a wrong password, on SQLite and PostgreSQL [rounds]',
    short: [['40']],
    aim: 'no difference that can be told',
  },
  doors: {
    about:
      "an account's call and /health while others send 1 MiB to the doors, try to log in, or scrape [seconds]",
    aim: '× 2 of what as many clients of /health do; scrapes no dearer than /health',
  },
  tasks: {
    about: 'three tasks of people in a browser: a first curl, all states and a certificate, a corrected note',
    aim: '60 s and 4 clicks from the sign-up to the first curl; 60 s; 30 s',
  },
  conta: {
    about: "the use of an account's month as /api/v1/conta sums it, on SQLite and PostgreSQL [rounds]",
  },
  jobs: {
    about: 'durable jobs on SQLite and PostgreSQL, beside pg-boss [rounds] [jobs] [one by one]',
    aim: 'no slower than pg-boss by 50, half of it one by one',
  },
  'sefaz-history': {
    about:
      'what the SEFAZ monitor keeps of 90 days: history, round, day, deletion, room, on SQLite and PostgreSQL [rounds]',
    aim: 'the history of a state in 50 ms',
  },
  'cnpj-import': {
    about: 'import of a generated CNPJ base [--estabelecimentos 10000000] [--rodadas 3] (--help for more)',
    aim: 'of 10,000,000: 45 s, 80 CPU-seconds, 500 MB, 95 bytes an establishment',
  },
  'cnpj-lookup': {
    about: 'look-ups in the base that cnpj-import left, in process (--pasta, --raiz)',
    aim: '12 µs; branches of a large company no slower',
  },
}
