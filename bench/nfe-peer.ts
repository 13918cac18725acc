/**
 * The independent client (node-mde) in its own process, with its addresses at the simulator. For each flow
 * from the parent it does query, Ciência, query, as many at once as the parent says, and checks each answer.
 */
import type { LookupFunction } from 'node:net'
import { DistribuicaoDFe, RecepcaoEvento } from 'node-mde'
import type { Flow } from './nfe-note.ts'
import { inParallel } from './parallel.ts'

const { CA = '', PORT = '' } = process.env
const AN = `https://www1.nfe.fazenda.gov.br:${PORT}`
const lookup: LookupFunction = (_name, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)
/** By default it trusts any server. Here it verifies the server as we do. */
const httpsOptions = { lookup, ca: CA, rejectUnauthorized: true }

/** A client for one flow, made from the A1 file as its documentation says. */
function openClient({ pfx, senha, titular }: Flow) {
  const config = {
    pfx: Buffer.from(pfx, 'base64'),
    passphrase: senha,
    [titular.tipo]: titular.documento,
    tpAmb: '1',
  } as const
  const at = (service: string) => ({
    httpsOptions,
    requestOptions: { baseURL: `${AN}/${service}/${service}.asmx` },
  })
  return {
    distribuicao: new DistribuicaoDFe({ ...config, cUFAutor: '35', options: at('NFeDistribuicaoDFe') }),
    eventos: new RecepcaoEvento({ ...config, options: at('NFeRecepcaoEvento4') }),
  }
}

async function run(flow: Flow): Promise<void> {
  const { distribuicao, eventos } = openClient(flow)
  const consultar = async (schema: RegExp): Promise<void> => {
    const { data, error } = Object(await distribuicao.consultaChNFe(flow.chave))
    if (error || !schema.test(data.docZip[0]?.schema)) throw new Error(`${schema}: ${error ?? data.xMotivo}`)
  }
  await consultar(/^resNFe/)
  const lote = [{ chNFe: flow.chave, tipoEvento: 210210 as const }]
  const { data, error } = Object(await eventos.enviarEvento({ idLote: '1', lote }))
  if (error || data.infEvento[0]?.cStat !== '135')
    throw new Error(`Ciência: ${error ?? JSON.stringify(data)}`)
  await consultar(/^procNFe/)
}

process.on('SIGTERM', () => process.exit(0))
process.on('message', async (message) => {
  const { flows, atOnce }: { flows: Flow[]; atOnce: number } = Object(message)
  try {
    await inParallel(flows, atOnce, run)
    return process.send?.({ done: flows.length })
  } catch (error) {
    return process.send?.({ error: String(error) })
  }
})
process.send?.({ address: '', keys: [] })
