import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'

/** How many pages the log has. All that nobody reads or writes meanwhile is in the database then. */
function checkpoint(arquivo: string): number {
  const address = pathToFileURL(arquivo)
  // A file that was moved away is not made anew.
  address.search = '?mode=rw'
  const database = new DatabaseSync(address, { timeout: 0 })
  try {
    database.exec('pragma synchronous = normal')
    return Number(database.prepare('pragma wal_checkpoint(passive)').get()?.log)
  } finally {
    database.close()
  }
}

parentPort?.on('message', (arquivo: string) => {
  let pages = 0
  try {
    pages = checkpoint(arquivo)
  } catch {
    // The disk is full, say: that is what commits tell of. The next message tries again.
  }
  parentPort?.postMessage({ pages })
})
