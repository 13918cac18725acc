/** The simulator alone, with a clock that the parent may move; it answers at once where the scenario says late. */
import { criarAutoridades } from '../simulator/autoridades.ts'
import { criarCaptchas } from '../simulator/captcha/captchas.ts'
import { startGateway } from '../simulator/gateway.ts'
import { openIcp } from '../simulator/icp/icp.ts'
import { criarPaginas } from '../simulator/paginas/paginas.ts'
import { usage } from './usage.ts'

let aheadMs = 0
const agora = (): Date => new Date(Date.now() + aheadMs)
const ritmo = 0
const icp = await openIcp(process.env.DATA_DIR ?? '', agora)
const { assinante, cadeia } = icp
const captchas = criarCaptchas(agora)
const gateway = await startGateway({
  porta: 0,
  host: '127.0.0.1',
  icp,
  autoridades: criarAutoridades({ agora, ritmo, captchas, assinante, cadeia }),
  paginas: criarPaginas(agora),
  resolvedor: captchas.resolvedor,
  ritmo,
})
process.on('SIGTERM', () => void gateway.close().then(() => process.exit(0)))
process.on('message', (message) => {
  if (message === 'usage') return process.send?.(usage())
  aheadMs = Object(message).aheadMs
  return process.send?.({ aheadMs })
})
process.send?.({ address: gateway.endereco, keys: [], simulador: gateway.endereco })
