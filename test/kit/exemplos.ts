import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createAutoridades } from '../../simulator/autoridades.ts'
import { startGateway } from '../../simulator/platform/gateway.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import type { Sefaz } from '../../simulator/sefaz/sefaz.ts'
import { createPaginas } from '../../simulator/site/site.ts'
import type { House } from './harness.ts'
import { NOW } from './now.ts'
import { sharedIcp } from './simulator.ts'

/** An operation of the document with its example: what is sent, and the answer. */
export type Exemplo = {
  path: string
  parameters: [name: string, value: string][]
  body: Record<string, string> | undefined
  answer: unknown
  /** The names of the examples of its failures, and the codes that it may fail with. */
  failures: string[]
  codes: string[]
}

/** The examples of the document that a service shows, by their operations. */
export async function listExemplos(house: House): Promise<Exemplo[]> {
  const { body } = await house.ask('/openapi.json', { key: null })
  return Object.entries(Object(body.paths)).flatMap(([path, operations]) =>
    Object.values(Object(operations)).map((operation) => {
      const { parameters = [], requestBody, responses } = Object(operation)
      return {
        path,
        parameters: parameters.flatMap(({ in: place, name, example }: Record<string, string>) =>
          place !== 'header' && example !== undefined ? [[name, String(example)]] : [],
        ),
        body: requestBody?.content['application/json'].example,
        answer: responses[200].content['application/json'].example,
        ...failuresIn(responses),
      }
    }),
  )
}

type Failure = { description: string; content?: Record<string, { examples?: object }> }

const failuresIn = (responses: Record<string, Failure>): Pick<Exemplo, 'failures' | 'codes'> => ({
  failures: Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.['application/problem+json']?.examples ?? {}),
  ),
  codes: Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) < 400 ? [] : description.split(', '),
  ),
})

/** The path with the parameters that stand in it, and the others. */
export function placed(path: string, parameters: readonly (readonly [string, string])[]) {
  const filled = parameters.reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)
  return { filled, rest: parameters.filter(([name]) => !path.includes(`{${name}}`)) }
}

const run = promisify(execFile)

/** Sends an example as a person does in a terminal, with curl; where there is none, as a program does. */
export async function curl(
  house: House,
  { path, parameters, body }: Exemplo,
): Promise<{ status: number; creditos: number; body: unknown }> {
  const written = '\n%{http_code} %header{x-credits-charged}'
  const { filled, rest } = placed(path, parameters)
  const args = ['-sS', '-H', `X-API-Key: ${house.apiKey}`, '-w', written, house.address + filled]
  const sent = body
    ? ['-H', 'Content-Type: application/json', '--data', JSON.stringify(body)]
    : ['--get', ...rest.flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])]
  const found = await run('curl', [...args, ...sent]).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!found) return ask(house, { path, parameters, body })
  const [text = '', status, creditos] = /^(.*)\n(\d+) (\d*)$/s.exec(found.stdout)?.slice(1) ?? []
  return { status: Number(status), creditos: Number(creditos), body: JSON.parse(text) }
}

async function ask(house: House, { path, parameters, body }: Pick<Exemplo, 'path' | 'parameters' | 'body'>) {
  const { filled, rest } = placed(path, parameters)
  const query = rest.length > 0 ? `?${new URLSearchParams(rest.map(([...pair]) => pair))}` : ''
  const headers = { 'content-type': 'application/json' }
  const answer = await house.ask(
    filled + query,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : {},
  )
  return { ...answer, creditos: Number(answer.headers.get('x-credits-charged')) }
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Members that no example has whole: how much of them it shows, and what stands for the rest. */
const SHORTENED: Record<string, [shown: number, rest: string]> = {
  pdf_base64: [10, '… (o PDF inteiro, em base64)'],
  impressao_base64: [10, '… (o PDF inteiro, em base64)'],
  xml: [104, '… (o nfeProc inteiro, assinado)'],
  // The header alone is the same each time.
  access_token: [20, '… (o token inteiro)'],
}

/** The key of the note in every kept answer. */
const CHAVE = '35261198763001000192550010000000021191112343'

/** An answer as examples keep it: without what differs each time, and with its large members shortened. */
export function toExemplo(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) => {
    // Of 90 days.
    if (name === 'dias' && Array.isArray(value)) return value.slice(-2)
    // Of all checks of the catalogue.
    if (name === 'verificacoes' && Array.isArray(value)) return value.slice(0, 2)
    if (typeof value !== 'string' || value === '') return value
    const [shown, rest] = SHORTENED[name] ?? []
    if (rest !== undefined) return value.slice(0, shown) + rest
    if (name === 'chave') return CHAVE
    // Of the call with a certificate, which is asked on today's date.
    if (name === 'consultado_em') return NOW.toISOString()
    if (name === 'resets_at') return '2026-12-01T03:00:00.000Z'
    return value.replace(UUID, '01a1e6d5-3f00-7000-8000-000000000000')
  })
}

type Simulador = { endereco: string; close: () => Promise<void> }

/** A simulator whose authorities have the clock of the tests: their certificates are of that day. */
export const startFixedSimulator = (porta = 0): Promise<Simulador> =>
  startSimulatorAt(() => NOW, { porta, ritmo: 0 })

/** A simulator whose authorities have this clock, this factor of their pauses, and this state of SEFAZ. */
export async function startSimulatorAt(
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
