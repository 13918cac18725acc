import { Agent } from 'node:https'
import { join } from 'node:path'
import { createClientAsync } from 'soap'

/**
 * What the witness knows of the simulator: its address, its authority of trust, and the A1 file to present.
 */
type Access = { port: number; ca: string; pfx: Buffer; senha: string }

/**
 * An answer as the witness read it: the code, and each registration's texts by the schema's names (with the
 * address).
 */
export type Testimony = { cStat: string; registrations: Record<string, string>[] }

export type Witness = {
  /** Asks the state's own service, at its production address. */
  ask: (uf: string, tag: 'CNPJ' | 'CPF' | 'IE', number: string) => Promise<Testimony>
  close: () => void
}

const NFE = 'http://www.portalfiscal.inf.br/nfe'

/**
 * A CadConsultaCadastro4 client without our code: npm `soap` (MIT) writes the envelope, axios dials,
 * `node-sped-nfe` (MIT) has the addresses. Only the WSDL and the message's field names and order are ours: in
 * 2026-11 no package with the query was found that may be used here.
 */
export async function callWitness({ port, ca, pfx, senha }: Access): Promise<Witness> {
  const client = await createClientAsync(join(import.meta.dirname, 'cadconsultacadastro4.wsdl'), {
    forceSoap12Headers: true,
  })
  // Every name leads to the gateway. Name, SNI and path stay the same.
  const agent = new Agent({ host: '127.0.0.1', port, ca, pfx, passphrase: senha })
  client.setSecurity({
    addOptions: (options) => Object.assign(options, { httpsAgent: agent, proxy: false }),
    toXML: () => '',
  })
  const addressOf = await readAddresses()
  return {
    ask: async (uf, tag, number) => {
      client.setEndpoint(addressOf(uf))
      const infCons = { xServ: 'CONS-CAD', UF: uf, [tag]: number }
      const message = { ConsCad: { attributes: { xmlns: NFE, versao: '2.00' }, infCons } }
      const [answer]: unknown[] = await client.consultaCadastroAsync(uf === 'MT' ? wrapped(message) : message)
      const found = member(member(answer, 'retConsCad'), 'infCons')
      return {
        cStat: String(member(found, 'cStat')),
        registrations: list(member(found, 'infCad')).map(textsOf),
      }
    },
    close: () => agent.destroy(),
  }
}

/** MT reads the message inside a second `nfeDadosMsg` (see its file in `sources/estados`). */
const wrapped = (message: object): object => ({
  nfeDadosMsg: { attributes: { xmlns: `${NFE}/wsdl/CadConsultaCadastro4` }, ...message },
})

/** The other package's catalogue is a file that the package does not export, so its version is pinned. */
async function readAddresses(): Promise<(uf: string) => string> {
  const catalogue: unknown = await import(
    new URL('./utils/eventos.js', import.meta.resolve('node-sped-nfe')).href
  )
  const urlEventos = member(catalogue, 'urlEventos')
  if (typeof urlEventos !== 'function') throw new Error('node-sped-nfe moved its catalogue of addresses')
  return (uf) => {
    const services: unknown = urlEventos(uf, '4.00')
    return String(member(member(member(services, 'mod55'), 'producao'), 'NFeConsultaCadastro'))
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

/** The texts of an element and of its descendants, by name. */
function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(value)).flatMap(([name, inside]): [string, string][] =>
      typeof inside === 'string' ? [[name, inside]] : Object.entries(textsOf(inside)),
    ),
  )
}
