import { parentPort, workerData } from 'node:worker_threads'
import { escreverPartes } from './dump.ts'

parentPort?.postMessage(await escreverPartes(workerData))
