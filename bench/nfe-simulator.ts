/**
 * The simulator alone, with a clock that the parent may move. It answers at once where the scenario would be
 * late.
 */
import { openSimulador } from '../simulator/autoridades.ts'

let aheadMs = 0
const gateway = await openSimulador({
  pasta: process.env.DATA_DIR ?? '',
  host: '127.0.0.1',
  porta: 0,
  ritmo: 0,
  agora: () => new Date(Date.now() + aheadMs),
})
process.on('SIGTERM', () => void gateway.close().then(() => process.exit(0)))
process.on('message', (message) => {
  aheadMs = Object(message).aheadMs
  return process.send?.({ aheadMs })
})
process.send?.({ address: gateway.endereco, keys: [], simulador: gateway.endereco })
