import { Session } from 'node:inspector'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

// Preloaded into every thread of the service. Each message of the parent process is answered with the
// functions that ran since the last one, as `address of the file#first octet`.

/** The time that the threads have to tell theirs. */
const THREADS_MS = 300

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** What this thread ran since the last question. The inspector answers before `post` returns. */
function takeRan(): string[] {
  const ran: string[] = []
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    for (const { url, functions } of coverage.result)
      for (const { ranges } of functions)
        if (url.startsWith('file:') && ranges[0]?.count) ran.push(`${url}#${ranges[0].startOffset}`)
  })
  return ran
}

const threads = new BroadcastChannel('cobertura')
threads.unref()

if (isMainThread) {
  let told: string[] = []
  threads.onmessage = (event) => told.push(...Object(event).data)
  process.on('message', () => {
    told = []
    threads.postMessage('take')
    setTimeout(() => process.send?.([...takeRan(), ...told]), THREADS_MS)
  })
  process.channel?.unref()
} else {
  threads.onmessage = () => threads.postMessage(takeRan())
}
