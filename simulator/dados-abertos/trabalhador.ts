import { parentPort, workerData } from 'node:worker_threads'
import { writePartes } from './dump.ts'

parentPort?.postMessage(await writePartes(workerData))
