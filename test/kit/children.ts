/**
 * The programs that tests start as a process or a thread of its own: `node children.ts NAME ARGUMENTS`. Each
 * loads only what it needs.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { flushCompileCache } from 'node:module'
import { getCACertificates, rootCertificates } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'

const now = () => new Date()
const fixedNow = () => new Date('2026-11-21T12:00:00Z')

/** Writes straight to the pipe, so every line that the parent reads has happened. A dead parent ends it. */
function tell(line: string): void {
  try {
    writeSync(1, `${line}\n`)
  } catch (error) {
    if (Object(error).code !== 'EPIPE') throw error
    process.exit(1)
  }
}

export const children: Readonly<Record<string, (...args: string[]) => Promise<void>>> = {
  /** Downloads the month of a share, and tells its parent what is on disk, which kills it. */
  download: async (url = '', token = '', pasta = '') => {
    const { downloadRemessa, findRemessa } = await import('../../src/cnpj/base/remessa.ts')
    const { openShare } = await import('../../src/cnpj/base/webdav.ts')
    const { openTransport } = await import('../../src/platform/wire/transport.ts')
    const { signal } = new AbortController()
    const share = openShare(openTransport({ mode: 'live', ca: [], hosts: {} }), { url, token, signal })
    const remessa = await findRemessa(share, { simples: false })
    await downloadRemessa(share, remessa, {
      pasta,
      onProgress: (nome, have, bytes) => process.send?.({ nome, have, bytes }),
    })
  },

  /** Takes a place at a source and keeps it, until it is killed. */
  place: async (databaseUrl = '', fonte = '') => {
    const { openDb } = await import('../../src/platform/db/db.ts')
    const { openTurnos } = await import('../../src/platform/jobs/turnos.ts')
    const turnos = openTurnos(await openDb({ databaseUrl, arquivo: '' }), { ambiente: 'producao' })
    await turnos.inPlace(fonte, { places: 1, longestMs: 3_600_000 }, () => {
      tell('in its place')
      return new Promise(() => {})
    })
  },

  /** `fiscal cnpj` with what a person types after it, against a share and into a data folder. */
  'cnpj-baixar': async (url = '', token = '', dataDir = '', ...typed) => {
    const { Command } = await import('commander')
    const { addBaixarCommand } = await import('../../src/cnpj/command-baixar.ts')
    const cnpj = new Command('cnpj')
    addBaixarCommand(cnpj, { url, token, dataDir, live: false })
    await cnpj.parseAsync(typed, { from: 'user' })
  },

  /** The commands of the CNPJ base alone, on the base at `raiz`. */
  cnpj: async (raiz = '', ...typed) => {
    const { Command } = await import('commander')
    const { addCnpjCommands } = await import('../../src/cnpj/command.ts')
    const program = new Command('fiscal')
    addCnpjCommands(program, { raiz, now: fixedNow })
    await program.parseAsync(typed, { from: 'user' })
  },

  /**
   * An import that stops all its threads when it reports `etapa` for the given time, says so and waits to be
   * killed.
   */
  import: async (pasta = '', raiz = '', etapa = '', times = '1', threads = '0') => {
    const { importCnpj } = await import('../../src/cnpj/importacao/importacao.ts')
    let left = Number(times)
    await importCnpj({
      pasta,
      raiz,
      amostra: true,
      threads: Number(threads),
      now: fixedNow,
      onProgress(progress) {
        if (progress.etapa !== etapa || --left > 0) return
        tell('parado')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      },
    })
  },

  /** Charges without end, half of it by holds. */
  charge: (arquivo = '', contaId = '', databaseUrl) =>
    chargeWithoutEnd({ arquivo, databaseUrl }, contaId, (worker) => worker % 2 === 0),

  /** The same without holds: its groups go the short way. */
  chargeAlone: (arquivo = '', contaId = '', databaseUrl) =>
    chargeWithoutEnd({ arquivo, databaseUrl }, contaId, () => false),

  /** Writes calls of 50 accounts without end, and indexes them meanwhile. It tells of each step. */
  usar: async (arquivo = '', databaseUrl) => {
    const { openUsos } = await import('../../src/contas/store-usos.ts')
    const { openDb } = await import('../../src/platform/db/db.ts')
    const { chamadaFeita } = await import('./contas.ts')
    const db = await openDb({ arquivo, databaseUrl })
    const usos = openUsos(db, { now, log: console })
    const indexWithoutEnd = async (): Promise<never> => {
      for (;;) {
        await usos.index(0)
        tell('index')
      }
    }
    const writeWithoutEnd = async (): Promise<never> => {
      for (let at = 0; ; at++) {
        usos.note(chamadaFeita(`conta-${at % 50}`, at, Date.now()))
        if (at % 300 === 299) {
          await usos.flush()
          tell('write')
        }
      }
    }
    await Promise.all([indexWithoutEnd(), writeWithoutEnd()])
  },

  /** Asks, notes an event and answers without end. It tells of each step once its promise has resolved. */
  answer: async (arquivo = '', secret = '', databaseUrl) => {
    const { openConsumo } = await import('../../src/nfe/store.ts')
    const { openDb } = await import('../../src/platform/db/db.ts')
    const { openIdempotencia } = await import('../../src/platform/http/idempotencia.ts')
    const db = await openDb({ arquivo, databaseUrl })
    const options = { now, ambiente: 'teste', secret }
    const calls = openIdempotencia(db, options)
    const consumo = openConsumo(db, options)

    async function answer(name: string, titular: string): Promise<void> {
      const pedido = { conta_id: 'conta', chave: name, corpo: '{}', request_id: name }
      const comeco = await calls.begin(pedido)
      if (comeco.tipo !== 'nova') throw new Error(comeco.tipo)
      const { restantes } = await consumo.take(titular)
      tell(`consulta ${titular} ${restantes}`)
      const desfecho = { tipo: 'resposta', cStat: '135', xMotivo: 'Evento registrado' } as const
      await calls.note(comeco.ref, [{ passo: 'ciencia', desfecho }])
      tell(`evento ${name}`)
      await calls.finish(comeco.ref, { resposta: JSON.stringify({ name }), creditos: 3 })
      tell(`resposta ${name}`)
    }

    await Promise.all(
      Array.from({ length: 10 }, async (_, worker) => {
        for (let n = 0; ; n++) await answer(`${worker}-${n}`, `titular-${worker}-${Math.floor(n / 20)}`)
      }),
    )
  },

  /** Does jobs without end, so many at once. It tells each step before it takes the next. */
  work: async (arquivo = '', atOnce = '', databaseUrl) => {
    const { openDb } = await import('../../src/platform/db/db.ts')
    const { openJobs } = await import('../../src/platform/jobs/jobs.ts')
    const { startRunner } = await import('../../src/platform/jobs/runner.ts')
    const { contar } = await import('./jobs.ts')
    const jobs = openJobs(await openDb({ arquivo, databaseUrl }), { now })
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
    // Who is killed leaves no compiled code to the next one, unless it is written now.
    flushCompileCache()
    tell('ready')
  },

  /**
   * Trusts the authority `ca`. It tells its parent which addresses it then reaches, and how many roots it
   * lost or gained.
   */
  trust: async (ca = '', ...urls) => {
    const { trustAlso } = await import('../../src/platform/wire/dial.ts')
    const { openTransport } = await import('../../src/platform/wire/transport.ts')
    trustAlso([ca])
    const http = openTransport({ mode: 'live', ca: 'process', hosts: {} })
    const source = { id: 'teste', nome: 'Teste' }
    const reached: boolean[] = []
    for (const url of urls)
      reached.push(
        await http.send({ source, method: 'GET', url, deadlineMs: 10_000, repeatable: false }).then(
          () => true,
          () => false,
        ),
      )
    await http.close()
    const bare = (pems: readonly string[]) => new Set(pems.map((pem) => pem.replaceAll(/\s/g, '')))
    const roots = bare(rootCertificates)
    const trusted = bare(getCACertificates('default'))
    process.send?.({
      reached,
      lost: roots.difference(trusted).size,
      more: trusted.difference(roots).size,
    })
  },

  /**
   * Plays `xmllint --noout --schema XSD FILE` for node-sped-nfe, which checks its messages with that program
   * before it sends them. It uses the same libxml2, from npm.
   */
  xmllint: async (_noout, _schema, schema = '', file = '') => {
    const { XmlDocument, XsdValidator } = await import('libxml2-wasm')
    const { xmlRegisterFsInputProviders } = await import('libxml2-wasm/lib/nodejs.mjs')
    xmlRegisterFsInputProviders()
    const source = XmlDocument.fromString(readFileSync(schema, 'utf8'), { url: pathToFileURL(schema).href })
    try {
      XsdValidator.fromDoc(source).validate(XmlDocument.fromString(readFileSync(file, 'utf8')))
      process.stderr.write(`${file} validates\n`)
    } catch (error) {
      process.stderr.write(`${error}\n`)
      process.exitCode = 3
    }
  },

  /** A thread that tells the steps of the diagnosis of hostile notes. */
  diagnose: async () => {
    const { makeLaudo } = await import('../../src/rejeicoes/diagnostico/laudo.ts')
    const { AGORA, CATALOGO, notaBase } = await import('./rejeicoes.ts')
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

    /** How often any part of our own code runs while a note is diagnosed, as V8 counts it. */
    async function stepsOf(xml: string): Promise<number> {
      await session.post('Profiler.takePreciseCoverage')
      makeLaudo({ xml, agora: AGORA, catalogo: CATALOGO })
      const { result } = await session.post('Profiler.takePreciseCoverage')
      return result
        .filter(({ url }) => url.includes('/src/'))
        .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
        .reduce((soma, { count }) => soma + count, 0)
    }

    const base = notaBase('venda-interna').replace(/>\s+</g, '><')
    await stepsOf(base)
    for (const [nome, make] of Object.entries(hostileNotas)) {
      const medida: Medida = {
        nome,
        menor: await stepsOf(make(base, 6_000)),
        maior: await stepsOf(make(base, 12_000)),
      }
      parentPort?.postMessage(medida)
    }
    session.disconnect()
  },
}

/** The steps for a note of some kind, and for one that is twice as large. */
export type Medida = { nome: string; menor: number; maior: number }

const onlyWith = (base: string, inside: string): string =>
  base.replace(/(<infNFe [^>]*>).*(<\/infNFe>)/s, (_all, opens, closes) => opens + inside + closes)

/** Hostile notes of so many elements, made of a good one. */
const hostileNotas: Readonly<Record<string, (base: string, count: number) => string>> = {
  'equal elements that no layout has': (base, count) => onlyWith(base, '<a/>'.repeat(count)),
  'equal elements that the layout has once': (base, count) => onlyWith(base, '<ide/>'.repeat(count)),
  'items more than a note may have': (base, count) =>
    base.replace('<total>', `${'<det/>'.repeat(count)}<total>`),
  'groups in the wrong order': (base, count) =>
    onlyWith(base, '<total/>'.repeat(count / 2) + '<det/>'.repeat(count / 2)),
  'groups in turns': (base, count) => onlyWith(base, '<total/><det/>'.repeat(count / 2)),
  'documents that are referred to': (base, count) =>
    base.replace('</ide>', `${'<NFref/>'.repeat(count)}</ide>`),
  'wrong values in many siblings': (base, count) =>
    base.replace('<transp>', `<transp>${'<vol><qVol>x</qVol></vol>'.repeat(count / 2)}`),
  'elements far below the root': (base, count) =>
    onlyWith(base, `${'<a>'.repeat(30)}${'<b/>'.repeat(count)}${'</a>'.repeat(30)}`),
}

/** It tells each request's id only once its promise has resolved. A worker may hold before it charges. */
async function chargeWithoutEnd(
  place: { arquivo: string; databaseUrl: string | undefined },
  contaId: string,
  holds: (worker: number) => boolean,
): Promise<void> {
  const { openDb } = await import('../../src/platform/db/db.ts')
  const { openLedger } = await import('../../src/platform/ledger/ledger.ts')
  const ledger = openLedger(await openDb(place), { no: randomUUID(), now })
  await ledger.heartbeat()

  async function charge(request_id: string, held: boolean): Promise<void> {
    const conta = { id: contaId, plano: 'enterprise' as const }
    const call = { conta, request_id, endpoint: '/api/teste' }
    if (held) {
      await ledger.hold({ ...call, creditos: 5 })
      await ledger.settle({ ...call, creditos: 1 })
    } else {
      await ledger.charge({ ...call, creditos: 1 })
    }
    tell(request_id)
  }

  const workers = Array.from({ length: 20 }, (_, worker) => holds(worker))
  await Promise.all(
    workers.map(async (held) => {
      for (;;) {
        await charge(randomUUID(), held)
        if (!workers.includes(true) && ledger.ways.whole > 0) throw new Error('a charge went the whole way')
      }
    }),
  )
}

if (import.meta.main || parentPort) {
  const [, , name = '', ...args] = process.argv
  const child = children[name]
  if (!child) throw new Error(`no child is called ${name}`)
  await child(...args)
}
