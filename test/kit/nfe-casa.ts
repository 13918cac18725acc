import assert from 'node:assert/strict'
import { createAutoridades } from '../../simulator/autoridades.ts'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo, createLivroDeEventos } from '../../simulator/nfe/nota.ts'
import { startGateway } from '../../simulator/platform/gateway.ts'
import type { Icp } from '../../simulator/platform/icp/icp.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import { createPaginas } from '../../simulator/site/site.ts'
import { type Answer, type House, start } from './harness.ts'
import { abrirCartorio, type Cartorio, type Enviado } from './nfe-a1.ts'
import { type Testemunha, testemunhar } from './nfe-testemunha.ts'
import { pastaDaIcp, sharedIcp } from './simulator.ts'

export const DIA_MS = 86_400_000
export const HORA_MS = 3_600_000

/** One item of `resultados`, as a client reads it. */
export type Item = {
  chave: string
  status: string
  cstat: string
  mensagem: string
  from_cache: boolean
  manifestacao: string | null
  xml: string | null
  simulacao?: Record<string, unknown>
  retryable?: boolean
}

/**
 * `passos` lists the requests that the authorities saw for the call (see testemunha.ts), with one space
 * between them.
 */
export type AnswerNfe = Answer & { item: Item; passos: string }

type Options = {
  /** The note's age in days, in the place of the scenario's. */
  dias?: number
  /** A key in the place of the scenario's. */
  chave?: string
  /** An A1 file in the place of the scenario's: its name or the file itself. */
  arquivo?: string | Enviado
  corpo?: Record<string, unknown>
  headers?: Record<string, string>
  key?: string | null
  /** A service in the place of the house's own, over the same simulator. */
  em?: Pick<House, 'ask'>
}

/** All houses share the authority, so its registrar's keys are made once too. */
const cartorio = abrirCartorio(pastaDaIcp)

/** The service and a simulator of its own. Both share one clock, which stands still until it is moved. */
export type CasaNfe = House & {
  icp: Icp
  now: () => Date
  pass: (ms: number) => void
  /** A key of the scenario's note. Its age is `dias`, or else the scenario's. */
  chaveDe: (cenario: string, dias?: number) => string
  /** An A1 file of the simulator, in the form that the endpoint takes. */
  a1: (nome: string) => Promise<Enviado>
  cartorio: Cartorio
  /** Posts any body. */
  post: (corpo: unknown, init?: Pick<Options, 'headers' | 'key' | 'em'>) => Promise<Answer>
  /** Asks for a scenario's note with its A1 file. */
  pedir: (cenario: string, options?: Options) => Promise<AnswerNfe>
  /** The simulator's address, and how often its hosts were asked. */
  simulador: string
  pedidos: (host: string) => number
  /**
   * The requests that the authorities saw since the last call of this function, in the form of
   * `AnswerNfe.passos`.
   */
  passos: () => string
  /** Holds requests back from their authority: see testemunha.ts. */
  reter: Testemunha['reter']
  /** The events that stand for a note, by `tpEvento`. */
  eventos: (chave: string) => string[]
}

export const AN = 'www1.nfe.fazenda.gov.br'
/** The event service and the portal share this host. */
export const WWW = 'www.nfe.fazenda.gov.br'

/**
 * The clock begins at the real second, since certificates are checked against the real clock too. Late
 * answers come at once.
 */
export async function startNfe(env: Record<string, string> = {}): Promise<CasaNfe> {
  let instant = Math.floor(Date.now() / 1000) * 1000
  const now = () => new Date(instant)
  const icp = await sharedIcp()
  const captchas = createCaptchas(now)
  const { assinante, cadeia } = icp
  const livro = createLivroDeEventos()
  const todas = createAutoridades({ agora: now, ritmo: 0, captchas, assinante, cadeia, livro })
  const { autoridades, vistos, reter } = testemunhar(todas)
  const passos = (): string => vistos.splice(0).join(' ')
  const { resolvedor } = captchas
  const options = {
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades,
    paginas: createPaginas(now),
    resolvedor,
    ritmo: 0,
  }
  const gateway = await startGateway(options)
  const house = await start({ SIMULATOR_URL: gateway.endereco, ...env }, now)

  const a1: CasaNfe['a1'] = async (nome) => {
    const found = await icp.certificado(nome)
    assert.ok(found, `the simulator has no certificate ${nome}`)
    return { certificado: found.pfx.toString('base64'), senha: found.item.senha }
  }
  const chaveDe: CasaNfe['chaveDe'] = (nome, dias) => {
    const cenario = comCenario(nome)
    return chaveDo(cenario, new Date(instant - (dias ?? cenario.idadeDias) * DIA_MS))
  }
  const post: CasaNfe['post'] = (corpo, { headers = {}, key, em = house } = {}) =>
    em.ask('/api/consultar-nfe-xml', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof corpo === 'string' ? corpo : JSON.stringify(corpo),
      ...(key === undefined ? {} : { key }),
    })
  return {
    ...house,
    icp,
    now,
    pass: (ms) => {
      instant += ms
    },
    chaveDe,
    a1,
    cartorio,
    post,
    pedir: async (cenario, { dias, chave, arquivo, corpo, ...init } = {}) => {
      const file = typeof arquivo === 'object' ? arquivo : await a1(arquivo ?? `nfe-${cenario}`)
      const body = { chave: chave ?? chaveDe(cenario, dias), ...file, ...corpo }
      passos()
      const answer = await post(body, init)
      assert.equal(answer.status, 200, answer.text)
      return { ...answer, item: itemOf(answer), passos: passos() }
    },
    simulador: gateway.endereco,
    pedidos: (host) => gateway.estatisticas().pedidos[host] ?? 0,
    passos,
    reter,
    eventos: (chave) => livro.eventosDe(chave).map(({ tpEvento }) => tpEvento),
    close: async () => {
      await house.close()
      await gateway.close()
    },
  }
}

function itemOf({ body }: Answer): Item {
  const [item] = Object(body.resultados)
  return item
}
