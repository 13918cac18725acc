import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { after, before, type TestContext } from 'node:test'
import { createAutoridades } from '../../simulator/autoridades.ts'
import type { Autoridade } from '../../simulator/platform/autoridade.ts'
import { type Gateway, startGateway } from '../../simulator/platform/gateway.ts'
import type { Icp } from '../../simulator/platform/icp/icp.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import type { Sefaz } from '../../simulator/sefaz/sefaz.ts'
import { createPaginas } from '../../simulator/site/site.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import type { ClientCertificate, Dial, HostProfile } from '../../src/platform/wire/dial.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import { readPfx } from '../../src/platform/wire/pfx.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { Meios, Pergunta, RotaIe } from '../../src/portal/estado.ts'
import { type Inscricao, inscricaoVazia } from '../../src/portal/rules-inscricao.ts'
import { NOW } from './basics.ts'
import { newPostgres } from './databases.ts'
import { type House, start } from './house.ts'
import { atEnd, sharedIcp } from './simulator.ts'

/**
 * The gateway in this process, with authorities made for a test, and a transport whose names all lead to it.
 */
export type Authority = {
  http: Http
  gateway: Gateway
  icp: Icp
  certificate: (nome: string) => ReturnType<typeof readPfx>
  /** Another transport to the same gateway. */
  open: (hosts?: Record<string, HostProfile>, porta?: Porta) => Http
  /** A transport that presents a certificate in each request. */
  openWith: (certificate: ClientCertificate, hosts?: Record<string, HostProfile>) => Http
  close: () => Promise<void>
}

type Porta = NonNullable<Parameters<typeof openTransport>[1]>

/** Starts a gateway under the authority of the whole process, or under `own`. */
export async function openAuthority(autoridades: readonly Autoridade[], own?: Icp): Promise<Authority> {
  const icp = own ?? (await sharedIcp())
  const gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades,
    paginas: () => undefined,
  })
  const opened: Http[] = []
  const dial = (hosts: Record<string, HostProfile> = {}): Dial => {
    const address = { host: '127.0.0.1', port: gateway.porta }
    return { mode: 'simulator', ca: icp.ca, gateway: address, hosts }
  }
  const keep = (http: Http): Http => {
    opened.push(http)
    return http
  }
  const open: Authority['open'] = (hosts, porta) => keep(openTransport(dial(hosts), porta))
  return {
    http: open(),
    gateway,
    icp,
    open,
    openWith: (certificate, hosts) => keep(openTransport(dial(hosts), { certificate })),
    certificate: async (nome) => {
      const made = await icp.certificado(nome)
      if (!made) throw new Error(`no certificate is called ${nome}`)
      return readPfx(made.pfx, made.item.senha)
    },
    close: async () => {
      await Promise.all(opened.map((http) => http.close()))
      await gateway.close()
    },
  }
}

/**
 * One answer of a portal: a page in ISO-8859-1, a file, a redirect, or a text in UTF-8 with the type that it
 * names.
 */
export type Given =
  | string
  | Buffer
  | { para: string }
  | { utf8: string; media: string; status?: number; espera?: string }

/** A request that reached the portal. */
export type Seen = {
  pedido: string
  campos: Record<string, string>
  cabecalhos: IncomingHttpHeaders
}

/** A portal that gives the test's answers in order, whatever the question, and the means to ask it. */
export type PortalAuthority = {
  /** Sets the answers of the next visit. Earlier requests are forgotten. */
  answers: (...replies: readonly Given[]) => void
  seen: Seen[]
  /** The challenges that the solver got: the kind, and the key and page of a widget. */
  challenges: string[]
  meios: Meios
  close: () => Promise<void>
}

const PNG = Buffer.from('iVBORw0KGgo=', 'base64')

/** The answer that is an image. */
export const imagem: Given = PNG

export async function openPortal(...hosts: readonly string[]): Promise<PortalAuthority> {
  const seen: Seen[] = []
  const challenges: string[] = []
  let rest: Given[] = []
  const authority = await openAuthority([
    {
      nome: 'portal',
      hosts,
      asksCertificado: false,
      answer: ({ metodo, host, caminho, consulta, corpo, cabecalhos }, reply) => {
        const query = consulta.size > 0 ? `?${consulta}` : ''
        const campos = Object.fromEntries(new URLSearchParams(corpo.toString('latin1')))
        seen.push({ pedido: `${metodo} ${host}${caminho}${query}`, campos, cabecalhos })
        const said = rest.shift() ?? '<p>nada mais a dizer</p>'
        if (typeof said === 'string')
          reply
            .writeHead(200, {
              'content-type': 'text/html; charset=ISO-8859-1',
              'set-cookie': 'JSESSIONID=1; Path=/',
            })
            .end(Buffer.from(said, 'latin1'))
        else if (Buffer.isBuffer(said)) reply.writeHead(200, { 'content-type': mediaOf(said) }).end(said)
        else if ('para' in said) reply.writeHead(302, { location: said.para }).end()
        else {
          const { status = 200, media, espera, utf8 } = said
          const retry = espera !== undefined && { 'retry-after': espera }
          reply.writeHead(status, { 'content-type': media, ...retry }).end(utf8)
        }
      },
    },
  ])
  const meios: Meios = {
    http: authority.http,
    certificado: undefined,
    ambiente: 'producao',
    captcha: {
      takes: () => true,
      solve: async (desafio) => {
        challenges.push(
          'siteKey' in desafio ? `${desafio.tipo} ${desafio.siteKey} ${desafio.pagina}` : desafio.tipo,
        )
        return `resposta ${challenges.length}`
      },
    },
    now: () => new Date('2026-11-21T12:00:00Z'),
    deadlineMs: 10_000,
  }
  return {
    seen,
    challenges,
    meios,
    answers: (...replies) => {
      rest = [...replies]
      seen.length = 0
      challenges.length = 0
    },
    close: authority.close,
  }
}

const mediaOf = (file: Buffer): string => (file.equals(PNG) ? 'image/png' : 'application/octet-stream')

/** A registration from the lookup, with the fields that certificates look at. */
export const inscricaoDeTeste = (inscricao_estadual: string, situacao_ie = 'ATIVA'): Inscricao => ({
  ...inscricaoVazia,
  inscricao_estadual,
  situacao_ie,
  razao_social: 'EMPRESA DE TESTE LTDA',
})

let routes = 0

/**
 * A page of MA that takes numbers alone, in the place of the state's own. Each is a source of its own, with a
 * circuit of its own.
 */
export const paginaPorNumero = (ask: RotaIe['ask']): readonly [RotaIe] => [
  {
    familia: 'teste',
    source: { id: `MA/por-numero-${++routes}`, nome: 'A página' },
    url: 'https://teste.example/',
    aceita: ['ie'],
    captcha: 'nenhum',
    certeza: 'verificado',
    origem: 'teste',
    em: '2026',
    espera: { marca: '', minimo: 0 },
    ask,
  },
]

export const CNPJ: Pergunta = { tipo: 'cnpj', documento: '00000000000191' }
export const NFE = 'http://www.portalfiscal.inf.br/nfe'
export const SERVICE = `${NFE}/wsdl/CadConsultaCadastro4`
export const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'

const HOSTS = [
  'nfe.sefaz.am.gov.br',
  'nfe.sefaz.ba.gov.br',
  'nfe.sefaz.go.gov.br',
  'nfe.fazenda.mg.gov.br',
  'nfe.sefaz.ms.gov.br',
  'nfe.sefaz.mt.gov.br',
  'nfe.sefaz.pe.gov.br',
  'nfe.sefa.pr.gov.br',
  'nfe.fazenda.sp.gov.br',
  'cad.svrs.rs.gov.br',
  'homologacao.nfe.fazenda.sp.gov.br',
]

/** The last question to the service. */
export type Query = { host: string; path: string; body: string; type: string }

/**
 * A registry service that gives the test's answers, and the adapters that ask it. It is closed after the
 * file's tests.
 */
export type CadastroAuthority = {
  /** Sets its answer from now on. */
  answers: (body: string | Buffer, type?: string, status?: number) => void
  /** Sets its answer to the question after the next one, and from then on. */
  afterwards: (body: string | Buffer, type?: string, status?: number) => void
  last: () => Query
  ask: (uf: Uf, pergunta?: Pergunta, how?: How) => Promise<Inscricao[]>
}

const XML = 'application/soap+xml; charset=utf-8'

type How = { ambiente?: 'producao' | 'homologacao'; certificado?: ClientCertificate | undefined }

export function useCadastro(): CadastroAuthority {
  let next: readonly { body: string | Buffer; type: string; status: number }[] = []
  let last: Query = { host: '', path: '', body: '', type: '' }
  let authority: Authority
  let own: ClientCertificate
  before(async () => {
    authority = await openAuthority([
      {
        nome: 'cadastro',
        hosts: HOSTS,
        asksCertificado: true,
        answer: ({ host, caminho, corpo, cabecalhos }, reply) => {
          last = { host, path: caminho, body: corpo.toString(), type: cabecalhos['content-type'] ?? '' }
          const [now, ...later] = next
          if (later.length > 0) next = later
          const { body = '', type = '', status = 200 } = now ?? {}
          reply.writeHead(status, { 'content-type': type }).end(body)
        },
      },
    ])
    own = await authority.certificate('empresa')
  })
  after(() => authority.close())
  return {
    answers: (body, type = XML, status = 200) => {
      next = [{ body, type, status }]
    },
    afterwards: (body, type = XML, status = 200) => {
      next = [...next, { body, type, status }]
    },
    last: () => last,
    ask: (uf, pergunta = CNPJ, how = {}) => {
      const rota = estados.get(uf)?.ie[0]
      assert.ok(rota)
      const { ambiente = 'producao' } = how
      const certificado = 'certificado' in how ? how.certificado : own
      return rota.ask(pergunta, {
        http: authority.http,
        certificado,
        captcha: noSolver,
        now: () => new Date(),
        ambiente,
        deadlineMs: 5_000,
      })
    },
  }
}

/** A registration of the CNPJ above in SP, with `inside` between its UF and the rest. */
export const infCad = (inside: string): string =>
  `<infCad><IE>110042490114</IE><CNPJ>00000000000191</CNPJ><UF>SP</UF>${inside}<indCredNFe>1</indCredNFe><indCredCTe>4</indCredCTe><xNome>EMPRESA &amp; FILHOS &#193;GUA</xNome></infCad>`

/** An answer with that code and those registrations. `echo` repeats the document of the question. */
export const retConsCad = (cStat: string, cads = '', echo = '<CNPJ>00000000000191</CNPJ>'): string =>
  `<retConsCad versao="2.00" xmlns="${NFE}"><infCons><verAplic>SP1</verAplic><cStat>${cStat}</cStat><xMotivo>Motivo</xMotivo><UF>SP</UF>${echo}<dhCons>2026-11-14T12:00:00-03:00</dhCons><cUF>35</cUF>${cads}</infCons></retConsCad>`

export const envelope = (inside: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${SOAP12}"><soap:Body><nfeResultMsg xmlns="${SERVICE}">${inside}</nfeResultMsg></soap:Body></soap:Envelope>`

export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string }

export type Question = {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** The name of the A1 file to present; null for no file. */
  certificate?: string | null
}

export type Authorities = {
  /** Asks a host by its real name, over TLS, through the gateway. Rejects when the connection fails. */
  ask: (host: string, question: Question) => Promise<Reply>
  address: string
  icp: Icp
  close: () => Promise<void>
}

/** Starts the simulator in this process, with a fixed clock. Late answers come at once. */
export async function openAuthorities(now: () => Date, given: { sefaz?: Sefaz } = {}): Promise<Authorities> {
  const icp = await sharedIcp()
  const captchas = createCaptchas(now)
  const { assinante, cadeia } = icp
  const gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades: createAutoridades({ agora: now, ritmo: 0, captchas, assinante, cadeia, ...given }),
    paginas: createPaginas(now),
    resolvedor: captchas.resolvedor,
  })
  const agents = new Map<string, Agent>()
  const agentFor = async (host: string, certificate: string | null): Promise<Agent> => {
    const name = `${host} ${certificate}`
    const known = agents.get(name)
    if (known) return known
    const a1 = certificate ? await icp.certificado(certificate) : undefined
    const identity = a1 ? { pfx: a1.pfx, passphrase: a1.item.senha } : {}
    const agent = new Agent({ keepAlive: true, ca: icp.ca, servername: host, ...identity })
    agents.set(name, agent)
    return agent
  }
  return {
    address: gateway.endereco,
    icp,
    ask: async (host, { path, method = 'POST', headers = {}, body = '', certificate = 'empresa' }) => {
      const agent = await agentFor(host, certificate)
      return new Promise((resolve, reject) => {
        const options = { agent, host: '127.0.0.1', port: gateway.porta, path, method }
        const sent = request({ ...options, headers: { ...headers, host } }, async (response) => {
          try {
            const chunks: Buffer[] = []
            for await (const chunk of response) chunks.push(chunk)
            const all = Buffer.concat(chunks)
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: all,
              text: all.toString(),
            })
          } catch (error) {
            reject(error)
          }
        })
        sent.on('error', reject).end(body)
      })
    },
    close: async () => {
      for (const agent of agents.values()) agent.destroy()
      await gateway.close()
    },
  }
}

type Simulador = { endereco: string; close: () => Promise<void> }

/** A simulator whose authorities have the clock of the tests: their certificates are of that day. */
export const openFixedSimulator = (porta = 0): Promise<Simulador> =>
  openSimulatorAt(() => NOW, { porta, ritmo: 0 })

/** A simulator whose authorities have this clock, this factor of their pauses, and this state of SEFAZ. */
export async function openSimulatorAt(
  now: () => Date,
  { porta = 0, ...given }: { porta?: number; ritmo: number; sefaz?: Sefaz },
): Promise<Simulador> {
  const icp = await sharedIcp()
  const { assinante, cadeia, ca } = icp
  const captchas = createCaptchas(now, ca)
  const gateway = await startGateway({
    porta,
    host: '127.0.0.1',
    icp,
    autoridades: createAutoridades({ agora: now, captchas, assinante, cadeia, ...given }),
    paginas: createPaginas(now),
    resolvedor: captchas.resolvedor,
    ritmo: given.ritmo,
  })
  return { endereco: gateway.endereco, close: gateway.close }
}

let semPressa: Promise<Simulador> | undefined
atEnd.push(async () => (await semPressa)?.close())

/**
 * The settings of a service beside a simulator whose pauses and late answers take a tenth of their time,
 * for tests that are not about them. All tests share it.
 */
export async function semPausas(): Promise<{ SIMULATOR_URL: string }> {
  semPressa ??= openSimulatorAt(() => NOW, { ritmo: 0.1 })
  return { SIMULATOR_URL: (await semPressa).endereco }
}

/** Two nodes on one PostgreSQL, before a simulator of their own with this pace, and a key for both. */
export async function startTwo(
  t: TestContext,
  ritmo: number,
): Promise<{ one: House; other: House; key: string }> {
  const simulator = await openSimulatorAt(() => NOW, { ritmo })
  t.after(simulator.close)
  const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'
  const env = { DATABASE_URL: await newPostgres(), SERVER_SECRET, SIMULATOR_URL: simulator.endereco }
  const one = await start(env)
  t.after(() => one.close())
  const other = await start(env)
  t.after(() => other.close())
  const { key } = await one.open('lite')
  return { one, other, key }
}
