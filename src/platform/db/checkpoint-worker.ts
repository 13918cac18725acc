import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'

/** It stays open: to open it for each message would read its schema each time, for half a millisecond. */
let database: DatabaseSync | undefined

/** How many pages the log has. All that nobody reads or writes meanwhile is in the database then. */
function checkpoint(arquivo: string): number {
  if (!database) {
    const address = pathToFileURL(arquivo)
    // A file that was moved away is not made anew.
    address.search = '?mode=rw'
    database = new DatabaseSync(address, { timeout: 0 })
    database.exec('pragma synchronous = normal')
  }
  return Number(database.prepare('pragma wal_checkpoint(passive)').get()?.log)
}

function letGo(): void {
  database?.close()
  database = undefined
}

// The last message lets the file go, so that another connection is the last one to close it.
parentPort?.on('message', ({ arquivo, last }: { arquivo: string; last: boolean }) => {
  let pages = 0
  try {
    if (last) letGo()
    else pages = checkpoint(arquivo)
  } catch {
    // The disk is full, say: that is what commits tell of. The next message tries again.
    letGo()
  }
  parentPort?.postMessage({ pages })
})
