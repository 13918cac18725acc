import type { Uf } from '../../src/documento/uf.ts'
import { createGuard, type Guard } from '../../src/platform/wire/guard.ts'
import type { Http, Reply } from '../../src/platform/wire/http.ts'
import type { Meios, PerguntaCnd, RotaCnd, RotaIe } from '../../src/portal/estado.ts'
import type { RespostaDoEstado } from '../../src/portal/rotas.ts'
import { askRotas } from '../../src/portal/rotas.ts'
import { rotasCnd, rotasIe } from './rotas.ts'

/** A route of either service, in the form in which the service asks it. */
export type Alvo = {
  nome: string
  uf: Uf
  servico: 'ie' | 'cnd'
  consultar: Consultar
  rota: RotaIe | RotaCnd
}

type Consultar = (
  pergunta: PerguntaCnd,
  meios: Meios,
  guard: Guard,
) => Promise<{ resposta: RespostaDoEstado; avisos: readonly string[] }>

/** An answer with its avisos. */
export type Respondida = {
  answer: RespostaDoEstado
  avisos: readonly string[]
  vazia: boolean
  rotulos: readonly string[]
}

/** The end of a question: its answer or its failure, and the unknown labels. */
export type Fim = Respondida | { error: unknown; rotulos: readonly string[] }

/** One answer of the simulator through a route, with the replies on the wire. */
export type Captura = {
  alvo: Alvo
  pergunta: PerguntaCnd
  replies: readonly Reply[]
  answer: RespostaDoEstado
}

const alvoOf = <R extends RotaIe | RotaCnd>(
  [nome, uf, rota]: readonly [string, Uf, R],
  servico: Alvo['servico'],
  consultar: (rota: R) => Consultar,
): Alvo => ({ nome, uf, servico, rota, consultar: consultar(rota) })

const consultaOf = (uf: Uf, meios: Meios, guard: Guard) => ({
  uf,
  meios,
  guard,
  request_id: '',
})

/** Every route of every state, of both services. */
export const alvos: readonly Alvo[] = [
  ...rotasIe.map((one) =>
    alvoOf(
      one,
      'ie',
      (rota) =>
        ({ tipo, documento }, meios, guard) =>
          askRotas([rota], { tipo, documento }, consultaOf(one[1], meios, guard)),
    ),
  ),
  ...rotasCnd.map((one) =>
    alvoOf(
      one,
      'cnd',
      (rota) => (pergunta, meios, guard) => askRotas([rota], pergunta, consultaOf(one[1], meios, guard)),
    ),
  ),
]

const limits = { simultaneous: 50, waiting: 1_000, failures: 1_000_000, pauseMs: 1 }

/** Asks a route under a guard of its own, and hears what the guard counts of it. */
export async function perguntar(alvo: Alvo, pergunta: PerguntaCnd, meios: Meios): Promise<Fim> {
  const heard = { vazia: false, rotulos: [] as readonly string[] }
  const onCall = ({ vazia, rotulos }: { vazia: boolean; rotulos: readonly string[] }): void => {
    heard.vazia = vazia
    heard.rotulos = rotulos
  }
  const guard = createGuard({ info: () => {} }, { pace: 0, limits, onCall })
  try {
    const { resposta, avisos } = await alvo.consultar(pergunta, meios, guard)
    return { answer: resposta, avisos, ...heard }
  } catch (error) {
    return { error, rotulos: heard.rotulos }
  }
}

/** Asks the simulator and keeps the replies on the wire. Throws the route's failure. */
export async function capturar(alvo: Alvo, pergunta: PerguntaCnd, meios: Meios): Promise<Captura> {
  const replies: Reply[] = []
  const send: Http['send'] = async (ask) => {
    const reply = await meios.http.send(ask)
    replies.push(reply)
    return reply
  }
  const fim = await perguntar(alvo, pergunta, { ...meios, http: { ...meios.http, send } })
  if ('error' in fim) throw fim.error
  return { alvo, pergunta, replies, answer: fim.answer }
}

/** Asks again with the same bytes on the wire, except that the last answer is changed. */
export function repetir({ alvo, pergunta, replies }: Captura, meios: Meios, last: Reply): Promise<Fim> {
  const said = [...replies.slice(0, -1), last]
  let at = 0
  const send: Http['send'] = async () => said[Math.min(at++, said.length - 1)] ?? last
  const captcha: Meios['captcha'] = { takes: () => true, solve: async () => 'ABCDE' }
  return perguntar(alvo, pergunta, { ...meios, captcha, http: { ...meios.http, send } })
}

/** A reply with another text, in UTF-8. */
export const dizer = (
  reply: Reply,
  texto: string,
  media = String(reply.headers['content-type'] ?? ''),
): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'content-type': media },
  body: Buffer.from(texto),
  text: () => texto,
})
