import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

const address = pathToFileURL(String(workerData))
// A file that was moved away is not made anew.
address.search = '?mode=rw'
const database = new DatabaseSync(address, { timeout: 0 })
database.exec('pragma synchronous = normal')
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', () => {
  let pages = 0
  try {
    pages = Number(checkpoint.get()?.log)
  } catch {
    // The disk is full, say: that is what commits tell of. The next message tries again.
  }
  parentPort?.postMessage(pages)
})
