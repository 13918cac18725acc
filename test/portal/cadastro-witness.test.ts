import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClientAsync } from 'soap'
import { createAutoridades } from '../../simulator/autoridades.ts'
import type { Contribuinte } from '../../simulator/mundo/contribuinte.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { type Gateway, startGateway } from '../../simulator/platform/gateway.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import { readPfx } from '../../src/platform/wire/pfx.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { Meios } from '../../src/portal/estado.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'
import { sharedIcp } from '../kit/simulator.ts'

/**
 * What the witness knows of the simulator: its address, its authority of trust, and the A1 file to present.
 */
type Access = { port: number; ca: string; pfx: Buffer; senha: string }

/**
 * An answer as the witness read it: the code, and each registration's texts by the schema's names (with the
 * address).
 */
type Testimony = { cStat: string; registrations: Record<string, string>[] }

type Witness = {
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
async function callWitness({ port, ca, pfx, senha }: Access): Promise<Witness> {
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

let gateway: Gateway
let witness: Witness
let http: Http
let meios: Meios
before(async () => {
  const icp = await sharedIcp()
  const autoridades = createAutoridades({ agora: () => new Date() })
  gateway = await startGateway({ porta: 0, host: '127.0.0.1', icp, autoridades, paginas: () => undefined })
  const a1 = await icp.certificado('empresa')
  assert.ok(a1)
  const { pfx, item } = a1
  const port = gateway.porta
  witness = await callWitness({ port, ca: icp.ca, pfx, senha: item.senha })
  http = openTransport({ mode: 'simulator', ca: icp.ca, gateway: { host: '127.0.0.1', port }, hosts: {} })
  const certificado = await readPfx(pfx, item.senha)
  meios = {
    http,
    certificado,
    captcha: noSolver,
    now: () => new Date(),
    ambiente: 'producao',
    deadlineMs: 10_000,
  }
})
after(async () => {
  witness.close()
  await http.close()
  await gateway.close()
})

/** The part that both must read alike, in our answer's terms, from the witness's reading. */
function toComparable(texts: Record<string, string>): Partial<Inscricao> {
  const text = (name: string): string => texts[name] ?? ''
  return {
    inscricao_estadual: text('IE'),
    razao_social: text('xNome'),
    nome_fantasia: text('xFant'),
    uf_ie: text('UF'),
    cnae_codigo: text('CNAE'),
    regime_apuracao_icms: text('xRegApur'),
    data_inicio_atividade: text('dIniAtiv'),
    data_situacao: text('dUltSit'),
    logradouro: text('xLgr'),
    numero: text('nro'),
    complemento: text('xCpl'),
    bairro: text('xBairro'),
    municipio: text('xMun'),
    cep: text('CEP'),
    cpf_cnpj: text('CNPJ') || text('CPF'),
  }
}

async function askOurs(uf: Uf, tipo: Question['tipo'], documento: string): Promise<Partial<Inscricao>[]> {
  const found = (await estados.get(uf)?.ie[0].ask({ tipo, documento }, meios)) ?? []
  return found.map(({ cpf_cnpj, ...texts }) => ({ ...texts, cpf_cnpj: cpf_cnpj.replace(/[./-]/g, '') }))
}

const isIn = (uf: Uf, { inscricoes }: Contribuinte): number =>
  inscricoes.filter((one) => one.uf === uf).length

type Question = { tipo: 'cpf' | 'cnpj' | 'ie'; number: string }

/**
 * Numbers to ask a state about: a holder with one registration there, with several, with none; a person; a
 * CNPJ with letters; an IE.
 */
function pick(uf: Uf): Question[] {
  const all = listContribuintes()
  const companies = all.filter(({ tipoDocumento }) => tipoDocumento === 'cnpj')
  const one = companies.find((company) => isIn(uf, company) === 1)
  const chosen = [
    one,
    companies.find((company) => isIn(uf, company) > 1),
    companies.find((company) => isIn(uf, company) === 0),
    companies.find((company) => isIn(uf, company) > 0 && /[A-Z]/.test(company.documento)),
    all.find((person) => person.tipoDocumento === 'cpf' && isIn(uf, person) > 0),
  ].filter((contribuinte) => contribuinte !== undefined)
  const ie = one?.inscricoes.find((registration) => registration.uf === uf)?.ie ?? ''
  return [
    ...chosen.map(({ tipoDocumento: tipo, documento: number }): Question => ({ tipo, number })),
    { tipo: 'ie', number: ie },
  ]
}

const tags = { cpf: 'CPF', cnpj: 'CNPJ', ie: 'IE' } as const

for (const [uf, { ie }] of estados) {
  // The other states have no such service. The other package has no address for AM's.
  if (ie[0].familia !== 'cadastro' || uf === 'AM') continue
  test(`an independent client gets from ${uf} the registrations that our adapter gets`, async () => {
    let compared = 0
    for (const { tipo, number } of pick(uf)) {
      const { cStat, registrations } = await witness.ask(uf, tags[tipo], number)
      if (cStat === '262') {
        await assert.rejects(askOurs(uf, tipo, number), { name: 'RotaNaoAtende' })
        continue
      }
      const ours = await askOurs(uf, tipo, number)
      assert.equal(ours.length, registrations.length, `${tipo} ${number}`)
      for (const [index, theirs] of registrations.entries()) {
        assert.partialDeepStrictEqual(ours[index], toComparable(theirs))
        compared += 1
      }
    }
    assert.ok(compared >= 3, `${compared} registrations compared`)
  })
}
