import { after, before, beforeEach } from 'node:test'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import { type Contrato, openContrato } from '../../src/federal/source-serpro.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

export const CHAVES = { chave: 'chave-de-teste', segredo: 'segredo-de-teste' }

/** An answer that a test sets: `espera` holds it back until the promise ends. */
export type Resposta = {
  status?: number
  body: unknown
  headers?: Record<string, string>
  espera?: Promise<void>
}

/**
 * The gateway of the contract with the test's own answers, in their order; the last one is given for ever.
 */
export function useContrato() {
  let house: StandIn
  let agora = new Date('2026-11-14T12:00:00Z')
  let tokens: Resposta[] = []
  let answers: Resposta[] = []
  const seen: Pedido[] = []
  const next = (from: Resposta[]): Resposta => (from.length > 1 ? from.shift() : from[0]) ?? { body: '' }
  before(async () => {
    house = await startStandIn([
      {
        nome: 'contrato',
        hosts: ['gateway.apiserpro.serpro.gov.br'],
        asksCertificado: false,
        answer: async (pedido, reply) => {
          seen.push(pedido)
          const { status = 200, body, headers, espera } = next(pedido.caminho === '/token' ? tokens : answers)
          await espera
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
        },
      },
    ])
  })
  beforeEach(() => {
    seen.length = 0
    tokens = [tokenOf('token-1')]
    answers = [{ body: {} }]
  })
  after(() => house.close())
  return {
    /** Opens a contract of its own, with no token yet. */
    open: (etiqueta?: string): Contrato =>
      openContrato(house.open(), { chaves: CHAVES, etiqueta, now: () => agora }),
    setTokens: (...given: Resposta[]) => {
      tokens = given
    },
    setAnswers: (...given: Resposta[]) => {
      answers = given
    },
    passSeconds: (seconds: number) => {
      agora = new Date(agora.getTime() + seconds * 1000)
    },
    asked: (): Pedido[] => seen.filter(({ caminho }) => caminho !== '/token'),
    askedTokens: (): Pedido[] => seen.filter(({ caminho }) => caminho === '/token'),
  }
}

export const tokenOf = (access_token: string, expires_in = 3600): Resposta => ({
  body: { access_token, token_type: 'Bearer', expires_in, scope: 'am_application_scope default' },
})

/** A question that has 10 seconds. */
export const pergunta = {
  source: { id: 'BR/cnpj', nome: 'A Consulta CNPJ' },
  method: 'GET',
  path: '/consulta-cnpj-df/v2/qsa/00000000000191',
  deadlineMs: 10_000,
} as const
