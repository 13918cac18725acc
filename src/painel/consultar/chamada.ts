import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logado } from '../../contas/acesso.ts'
import { issueToken } from '../../contas/token.ts'
import { ufs } from '../../documento/uf.ts'
import { signalOfLeaving } from '../../platform/http/outcome.ts'
import { createEventStream } from '../../platform/http/stream.ts'
import { textOf } from '../../platform/pages/apresentacao.ts'
import type { PainelRoom } from '../sala.ts'
import { classeDe } from './estados.ts'
import { type EntradaDoPainel, type PedidoDaPagina, type PerguntaDoPainel, pedidoDe } from './perguntas.ts'
import { doEstado, type Feita, membro, type Respondida, texto } from './respondida.ts'

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

type Asked = {
  pergunta: PerguntaDoPainel
  entrada: EntradaDoPainel
  enderecoDa: (request_id: string) => string
}

type Tools = { chamador: Chamador; room: PainelRoom; keep: (feita: Feita) => Promise<boolean> }

/** Nothing came, and nothing was charged: the same may be asked again. */
export class SemEventos extends Error {}

/**
 * Tells the states as they answer, and keeps what came until a visitor leaves, for he pays for it.
 * Throws `SemEventos` where the API gave no stream: the page then sends its form as any other.
 */
export async function tellLive(
  quem: QuemPergunta,
  { pergunta, entrada, enderecoDa }: Asked,
  { chamador, room, keep }: Tools,
): Promise<{ feita: Feita; kept: boolean }> {
  const started = performance.now()
  const desde = room.now()
  const heard = await chamador.listen(pedidoDe(pergunta, entrada), quem)
  if (!heard) throw new SemEventos('the answer is no stream')
  const { request_id, eventos } = heard
  const events = createEventStream(quem.reply)
  const tell = (nome: string, dados: object): Promise<boolean> => events.send(nome, JSON.stringify(dados))
  const present = doEstado[pergunta.endpoint]
  const vieram: unknown[] = []
  let cobrados: number | undefined
  let feito: { feita: Feita; kept: boolean } | undefined
  const finish = async (http: number, corpo: unknown): Promise<void> => {
    const ms = Math.round(performance.now() - started)
    const respondida = { http, corpo, request_id, cobrados, retryS: undefined, ms }
    const feita = { pergunta: pergunta.id, entrada, respondida, refeitas: [] }
    const kept = await keep(feita)
    feito = { feita, kept }
    await tell('fim', kept ? { endereco: enderecoDa(request_id) } : {})
  }
  try {
    void tell('pedido', { request_id, assunto: pergunta.nome })
    // What the API gave out is charged: none of it waits for a visitor who may be gone.
    for await (const { nome, dados } of eventos) {
      if (nome === 'uf' && present) {
        vieram.push(dados)
        const { uf, desfecho, palavra, fichas, motivo } = present(dados, room.now())
        const titulos = fichas.map(({ titulo }) => textOf(titulo))
        void tell('uf', { uf, desfecho, palavra, titulos, motivo, classe: classeDe({ desfecho }) })
      }
      if (nome === 'creditos') cobrados = Number(membro(dados, 'cobrados'))
      if (nome === 'resultado') await finish(200, dados)
      if (nome === 'erro') await finish(Number(membro(dados, 'status')) || 500, dados)
    }
  } catch (error) {
    // Whoever left is told nothing; the call was aborted with him.
    if (!quem.reply.raw.destroyed) throw error
  } finally {
    events.end()
  }
  if (!feito && vieram.length > 0) await finish(200, bodyOf(vieram, { request_id, entrada, desde }))
  if (!feito) throw new SemEventos('the visitor left before the first state')
  return feito
}

/**
 * The answer of all states as far as it came: the others failed, and may be asked alone. What an authority
 * told before this call was kept.
 */
function bodyOf(
  vieram: readonly unknown[],
  { request_id, entrada, desde }: { request_id: string; entrada: EntradaDoPainel; desde: Date },
): object {
  const isDeInscricoes = 'results' in Object(vieram[0])
  const vazio = isDeInscricoes ? { results: [] } : { result: null }
  const rest = { source_status: interrompida, ...vazio, fonte: '', consultado_em: '', avisos: [] }
  const results = ufs.map((uf) => vieram.find((one) => membro(one, 'uf') === uf) ?? { uf, ...rest })
  const { documento: document, tipo: document_type } = entrada
  // Of a failure it is empty, which is before nothing.
  const isKept = (one: unknown): boolean => new Date(texto(membro(one, 'consultado_em'))) < desde
  const cached_ufs = results.filter(isKept).map((one) => texto(membro(one, 'uf')))
  return { request_id, document, document_type, results, ...(isDeInscricoes && { cached_ufs }) }
}

const interrompida = {
  status: 'error',
  error_code: 'SITE_INDISPONIVEL',
  error_message: 'A conexão caiu antes da resposta.',
  retryable: true,
}
