import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logado } from '../../contas/acesso.ts'
import { issueToken } from '../../contas/token.ts'
import { signalOfLeaving } from '../../platform/http/outcome.ts'
import type { PainelRoom } from '../sala.ts'
import { type EntradaDoPainel, type PedidoDaPagina, type PerguntaDoPainel, pedidoDe } from './perguntas.ts'
import type { Feita, Respondida } from './respondida.ts'

export type QuemPergunta = { request: FastifyRequest; reply: FastifyReply; logado: Logado }

type EventoDaApi = { nome: string; dados: unknown }

/** Asks the API in this process, by the pipeline of every call: limit, credits, usage and log are its own. */
export type Chamador = {
  ask: (pedido: PedidoDaPagina, quem: QuemPergunta, cabecalhos?: Cabecalhos) => Promise<Respondida>
  /** Asks for a stream; undefined where the answer is none, and then nothing was charged. */
  listen: (
    pedido: PedidoDaPagina,
    quem: QuemPergunta,
  ) => Promise<{ request_id: string; eventos: AsyncIterable<EventoDaApi> } | undefined>
}

/** Asks a question of the dashboard, whose answer is then kept or shown. */
export async function askPergunta(
  chamador: Chamador,
  quem: QuemPergunta,
  { pergunta, entrada }: { pergunta: PerguntaDoPainel; entrada: EntradaDoPainel },
): Promise<Feita> {
  const respondida = await chamador.ask(pedidoDe(pergunta, entrada), quem)
  return { pergunta: pergunta.id, entrada, respondida, refeitas: [] }
}

type Cabecalhos = Readonly<Record<string, string>>

export function openChamador(app: FastifyInstance, room: PainelRoom): Chamador {
  async function optionsOf(
    { metodo, endereco, cabecalhos, corpo }: PedidoDaPagina,
    { request, reply, logado }: QuemPergunta,
    more: Cabecalhos,
  ) {
    const { access_token } = await issueToken(room, logado.acesso, VIDA_MS)
    return {
      method: metodo,
      url: endereco,
      headers: { ...cabecalhos, ...more, authorization: `Bearer ${access_token}` },
      remoteAddress: request.ip,
      signal: signalOfLeaving(reply.raw),
      ...(corpo && { payload: corpo }),
    }
  }

  return {
    ask: async (pedido, quem, cabecalhos = {}) => {
      const started = performance.now()
      const answer = await app.inject(
        await optionsOf(pedido, quem, { accept: 'application/json', ...cabecalhos }),
      )
      const { headers } = answer
      return {
        http: answer.statusCode,
        corpo: parse(answer.payload),
        request_id: String(headers['x-request-id'] ?? ''),
        cobrados: numberOf(headers['x-credits-charged']),
        retryS: numberOf(headers['retry-after']),
        base: headers['x-base-cnpj'] === undefined ? undefined : String(headers['x-base-cnpj']),
        ms: Math.round(performance.now() - started),
      }
    },
    listen: async (pedido, quem) => {
      const { signal, ...options } = await optionsOf(pedido, quem, { accept: 'text/event-stream' })
      const answer = await app.inject({ ...options, payload: untilLeaving(signal), payloadAsStream: true })
      const stream = answer.stream()
      // Nobody reads it yet: an error that nobody hears would end the process.
      stream.on('error', () => {})
      if (!/^text\/event-stream/.test(String(answer.headers['content-type']))) {
        stream.resume()
        return undefined
      }
      return { request_id: String(answer.headers['x-request-id'] ?? ''), eventos: readEvents(stream) }
    },
  }
}

/** Fails when the visitor leaves. A signal destroys an answer that nobody listens to yet, and the process. */
function untilLeaving(signal: AbortSignal): Readable {
  signal.throwIfAborted()
  const body = new Readable({ read: () => {} })
  body.on('error', () => {})
  signal.addEventListener('abort', () => body.destroy(signal.reason), { once: true })
  return body
}

/** A token of a page serves one call, which begins at once. */
const VIDA_MS = 60_000

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function numberOf(header: unknown): number | undefined {
  const number = Number(header)
  return header === undefined || !Number.isFinite(number) ? undefined : number
}

/** The events of our own stream (`event-stream.ts`): each has one line of data. */
async function* readEvents(stream: AsyncIterable<Buffer>): AsyncGenerator<EventoDaApi> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const nome = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (nome !== undefined && data !== undefined) yield { nome, dados: parse(data) }
    }
  }
}
