import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'

/**
 * `take in` brings what the log has into the database. `begin anew`, while nobody writes, also lets the log
 * begin anew, and `let go` closes the file.
 */
export type Checkpoint = { arquivo: string; work: 'take in' | 'begin anew' | 'let go' }

type Files = { database: DatabaseSync; reader: DatabaseSync }

/** They stay open: to open them for each message would read the schema each time, for half a millisecond. */
let files: Files | undefined

function open(arquivo: string): DatabaseSync {
  const address = pathToFileURL(arquivo)
  // A file that was moved away is not made anew.
  address.search = '?mode=rw'
  const database = new DatabaseSync(address, { timeout: 0 })
  // A log that had to grow is cut to what commits let it have.
  database.exec('pragma synchronous = normal; pragma journal_size_limit = 16777216')
  return database
}

/**
 * The log does not begin anew while somebody reads it. It would do so in a commit of the service, which then
 * waits for the disk, whatever it was told.
 */
function read(reader: DatabaseSync): void {
  reader.exec('begin')
  reader.prepare('select 1 from sqlite_schema').get()
}

/** How many pages the log has. */
function checkpoint({ arquivo, work }: Checkpoint): number {
  files ??= { database: open(arquivo), reader: open(arquivo) }
  const { database, reader } = files
  release()
  if (work === 'take in') read(reader)
  const pages = Number(database.prepare('pragma wal_checkpoint(passive)').get()?.log)
  if (work === 'begin anew') {
    // A page that is written as it was.
    const version = Number(database.prepare('pragma user_version').get()?.user_version)
    database.exec(`pragma user_version = ${version}`)
    read(reader)
  }
  return pages
}

const CALM_MS = 5_000
let calm: NodeJS.Timeout | undefined

/** Without work for a while nothing keeps the log: whoever writes then may let it begin anew. */
function release(): void {
  if (files?.reader.isTransaction) files.reader.exec('rollback')
}

function letGo(): void {
  files?.reader.close()
  files?.database.close()
  files = undefined
}

// The last message lets the file go, so that another connection is the last one to close it.
parentPort?.on('message', (message: Checkpoint) => {
  let pages = 0
  try {
    if (message.work === 'let go') letGo()
    else pages = checkpoint(message)
    clearTimeout(calm)
    calm = setTimeout(release, CALM_MS)
  } catch {
    // The disk is full, say: that is what commits tell of. The next message tries again.
    letGo()
  }
  parentPort?.postMessage({ pages })
})
