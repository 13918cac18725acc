import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { parcelasDe } from '../../simulator/rural/parcelas.ts'
import { readCookies } from '../../src/rural/rules.ts'
import { openSimulatorAt, semPausas } from './authority.ts'
import { NOW } from './basics.ts'
import { type Answer, type House, start } from './house.ts'
import { type Entry, entriesOf } from './portal.ts'

/** The cookies that the simulator's SIGEF takes, and those that each fail in their way. */
type Acesso = { cookies: string; outros: { renovavel: string; encerrado: string; recusado: string } }

/** A service beside a simulator of its own, without delays, both with a clock that the test turns. */
export type RuralHouse = House & { turn: (to: Date) => void; acesso: Acesso }

/** Starts them; they are closed with the test. */
export async function startRural(t: TestContext, env: Record<string, string> = {}): Promise<RuralHouse> {
  let at = NOW
  const now = (): Date => at
  const simulator = await openSimulatorAt(now, { ritmo: 0 })
  t.after(simulator.close)
  const house = await start({ SIMULATOR_URL: simulator.endereco, ...env }, now)
  t.after(() => house.close())
  const { sigef } = Object(await (await fetch(`${simulator.endereco}/ambiente.json`)).json())
  return { ...house, acesso: sigef, turn: (to) => (at = to) }
}

/** Imports a session as the command does. */
export const importSession = async ({ rooms }: House, text: string): Promise<void> =>
  void (await rooms.rural.sessoes.keepImported(readCookies(text, rooms.platform.now())))

/** A holder of parcels in the simulator's world, none of them of the history. */
export function detentor(teste: (parcelas: ReturnType<typeof parcelasDe>) => boolean): string {
  const found = listContribuintes().find(({ documento }) => {
    const parcelas = parcelasDe(documento)
    return parcelas.length > 0 && parcelas.every(({ historica }) => !historica) && teste(parcelas)
  })
  if (!found) throw new Error('the world has no such holder')
  return found.documento
}

/** Asks for a holder's parcels. */
export const askSigef = (
  { ask }: Pick<House, 'ask'>,
  documento: string,
  options: Parameters<House['ask']>[1] = {},
): Promise<Answer> =>
  ask(`/api/consultar-sigef?${documento.length === 11 ? 'cpf' : 'cnpj'}=${documento}`, options)

/** What an answer tells of the source: its code, whether to repeat, and what the client paid. */
export function toldBy({ status, headers, body }: Answer) {
  const { error_code, retryable } = Object(body.source_status)
  return {
    http: status,
    codigo: error_code,
    retryable,
    repetir: headers.get('retry-after'),
    creditos: headers.get('x-credits-charged'),
  }
}

type Parcela = {
  codigo_parcela: string
  area_ha: number
  data_certificacao: string
  detentor: string
  municipio: string
}

/** The parcels of an answer. */
export const parcelasIn = ({ body }: Answer): Parcela[] => Object(body.result).parcelas ?? []

export const PATH = '/api/perfil-produtor'
export const CPF = '52998224725'
/** A company of the sample base that has a registration. */
export const CNPJ = '99001002000162'
/** A company that the sample base lacks. */
export const ABSENT = '11222333000181'
/** A CNPJ that neither the base nor any state knows. */
export const NOBODY = '77000003000150'

type Section = Record<string, unknown> | null

/** The three sections of an answer. */
export const sectionsOf = ({ body }: Pick<Answer, 'body'>): Record<string, Section> => ({
  receita_federal: sectionOf(body.receita_federal),
  inscricoes_estaduais: sectionOf(body.inscricoes_estaduais),
  cnd_estaduais: sectionOf(body.cnd_estaduais),
})

const sectionOf = (value: unknown): Section => (value === null ? null : Object(value))

/** The entries of a section; none of a null one. */
export const entriesIn = ({ body }: Pick<Answer, 'body'>, section: string): Entry[] =>
  entriesOf(Object(body[section] ?? {}))

export const creditsOf = ({ headers }: Pick<Answer, 'headers'>): string | null =>
  headers.get('x-credits-charged')

/** A service whose simulator says that its authorities are at an address where nobody listens. */
export async function startAlone(
  env: Record<string, string> = {},
): Promise<{ house: House; close: () => Promise<void> }> {
  const { SIMULATOR_URL: simulator } = await semPausas()
  const site = createServer((_request, response) => {
    void fetch(`${simulator}/ambiente.json`)
      .then((reply) => reply.json())
      .then((ambiente: unknown) => {
        // The port 1 (tcpmux) is nobody's on a machine of today.
        response.end(JSON.stringify({ ...Object(ambiente), gateway: { host: '127.0.0.1', port: 1 } }))
      })
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = Object(site.address())
  const house = await start({ ...env, SIMULATOR_URL: `http://127.0.0.1:${port}` })
  return {
    house,
    close: async () => {
      await house.close()
      site.close()
    },
  }
}

export const CNIR_PATH = '/api/consultar-cnir'
export const CNIR_CPF = '52998224725'
const SECRET = 'um segredo de teste com 32 letras ou mais'

/** A question as it came: the body's own octets, and what its headers say. */
export type Question = { headers: IncomingHttpHeaders; body: string }

/** A connector in the test: it checks nothing, keeps what it was asked and gives what it is told to. */
export type Connector = {
  house: House
  asked: Question[]
  /** What the next questions get. */
  give: (answer: (response: ServerResponse) => void) => void
  close: () => Promise<void>
}

/** A service whose operator has a connector of his own, beside the simulator. */
export async function openConnector(env: Record<string, string> = {}, now?: () => Date): Promise<Connector> {
  const asked: Question[] = []
  let answer = json(record())
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    asked.push({ headers: request.headers, body })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  const own = { CNIR_URL: `http://127.0.0.1:${port}/cnir?chave=1`, CNIR_SECRET: SECRET }
  const house = await start({ ...own, ...env }, now)
  return {
    house,
    asked,
    give: (next) => {
      answer = next
    },
    close: async () => {
      await house.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The signature that the contract wants of a question (docs/cnir-connector.md). */
export const signatureOf = ({ headers, body }: Question): string =>
  `v1=${createHmac('sha256', SECRET).update(`${headers['x-consulta-timestamp']}.${body}`).digest('hex')}`

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }

/** A property with every member. `ni_proprietario` is the document that the tests ask about. */
export const property = () => ({
  cib: '1A2B3C4-5',
  nirf: '12345678',
  denominacao: 'FAZENDA BOA VISTA',
  area_total: 120.5,
  situacao: 'ATIVA',
  codigo_situacao: 1,
  ni_proprietario: CNIR_CPF,
  percentual_proprietario: 50,
  condominos: [{ ni: '98765432100', nome: 'JOSE DA SILVA', percentual: 50 }],
  dados_tributarios: {
    indicador_descaracterizacao: false,
    origem_imovel: 1,
    data_aquisicao: '2005-10-22',
    area_adquirida: 60.25,
    tipo_aquisicao: 'COMPRA',
    imunidades: [{ codigo: '1', descricao: 'PEQUENA GLEBA RURAL' }],
    possui_decisao_judicial: false,
  },
  municipio_sede: { codigo: '5208707', uf: 'GO', nome: 'GOIANIA' },
})

/** An answer with every member, about these properties. */
export const record = (imoveis_cafir: readonly object[] = [property()]) => ({
  pessoa_fisica: {
    nome: 'MARIA DA SILVA',
    data_nascimento: '1970-01-31',
    situacao_cadastral: 'REGULAR',
    sexo: 'F',
  },
  pessoa_juridica: null,
  imoveis_cafir,
})

const PROGRAM = fileURLToPath(new URL('../../docs/cnir-connector.mjs', import.meta.url))

/** The example of docs/cnir-connector.md as a process of its own. */
export type Example = { url: string; secret: string; stop: () => Promise<void> }

/** Starts it over answers by document. */
export async function openExample(records: Record<string, unknown>): Promise<Example> {
  const folder = mkdtempSync(join(tmpdir(), 'conector-'))
  const file = join(folder, 'registros.json')
  writeFileSync(file, JSON.stringify(records))
  const secret = 'um-segredo-de-exemplo-com-mais-de-32'
  const child = spawn(process.execPath, [PROGRAM, file], {
    env: { CNIR_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return {
    url: String(JSON.parse(String(line)).url),
    secret,
    stop: async () => {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
