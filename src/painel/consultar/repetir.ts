import type { PainelRoom } from '../sala.ts'
import { askPergunta, type Chamador, type QuemPergunta } from './chamada.ts'
import { ateCreditos, findPergunta, type PerguntaDoPainel } from './perguntas.ts'
import { type Feita, findInteira, keepFeita, lista, membro, texto } from './respondida.ts'

/** The question to one state that asks what a question to all states asked. */
const DE_UM: Readonly<Record<string, string>> = { 'ie-todos': 'ie', 'cnd-todos': 'cnd' }

const perguntaDeUm = (todos: string): PerguntaDoPainel | undefined => findPergunta(DE_UM[todos])

/** The states of an answer that failed, and may answer if they are asked again. */
export function falhasDe({ pergunta, respondida: { corpo } }: Feita): readonly string[] {
  if (!perguntaDeUm(pergunta)) return []
  return lista(membro(corpo, 'results'))
    .filter((one) => {
      const status = membro(one, 'source_status')
      return membro(status, 'status') !== 'success' && membro(status, 'retryable') === true
    })
    .map((one) => texto(membro(one, 'uf')))
}

/** What asking so many states alone costs at most; empty where none may be asked. */
export const precoDosEstados = (quantos: number): string => (quantos === 0 ? '' : ateCreditos(quantos))

/** A state that answered when it was asked again, by the number of its call. */
export type Paga = { uf: string; request_id: string }

type AoRepetir = {
  chamador: Chamador
  room: PainelRoom
  /** What one who died meanwhile had asked and paid. */
  antes: readonly Paga[]
  note: (pagas: readonly Paga[]) => Promise<void>
}

/**
 * Asks each state that failed by itself: each is a call of its own, charged and kept as one. The answers take
 * the place of the failures in the answer of all states; so do those that came before the visitor left.
 */
export async function askFalhas(
  quem: QuemPergunta,
  feita: Feita,
  { chamador, room, antes, note }: AoRepetir,
): Promise<Feita> {
  const pergunta = perguntaDeUm(feita.pergunta)
  if (!pergunta) return feita
  const conta_id = quem.logado.conta.id
  const pagas = [...antes]
  const asked = await Promise.allSettled(
    falhasDe(feita).map(async (uf) => {
      const before = antes.find((one) => one.uf === uf)
      const known = before && (await findInteira(room, { conta_id, request_id: before.request_id }))
      if (known) return { uf, respondida: known.respondida }
      const one = await askPergunta(chamador, quem, { pergunta, entrada: { ...feita.entrada, uf } })
      const { request_id, cobrados = 0 } = one.respondida
      if (cobrados > 0) {
        pagas.push({ uf, request_id })
        await note([...pagas])
      }
      await keepFeita(room, conta_id, one)
      return { uf, respondida: one.respondida }
    }),
  )
  const novas = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = asked.find((one) => one.status === 'rejected')
  if (novas.length === 0 && failed) throw failed.reason
  const corpo = Object(feita.respondida.corpo)
  const results = lista(corpo.results).map((one) => {
    const nova = novas.find(({ uf }) => uf === membro(one, 'uf'))
    return nova ? entradaDe(nova.uf, nova.respondida, one) : one
  })
  return {
    ...feita,
    respondida: { ...feita.respondida, corpo: { ...corpo, results } },
    refeitas: [
      ...feita.refeitas,
      ...novas.map(({ uf, respondida: { request_id, cobrados = 0 } }) => ({ uf, request_id, cobrados })),
    ],
  }
}

/** The answer of one state as it stands among all; a failure keeps its place, with the words of now. */
function entradaDe(uf: string, { http, corpo }: Feita['respondida'], antes: unknown): object {
  const { results, result, fonte, consultado_em, avisos, source_status } = Object(corpo)
  if (http !== 200) {
    const { error_code, detail, retryable } = Object(corpo)
    const status = {
      status: 'error',
      error_code,
      error_message: String(detail ?? ''),
      retryable: retryable === true,
    }
    return { ...Object(antes), source_status: status }
  }
  const ok = { status: 'success', error_code: '', error_message: '', retryable: false }
  const own = results === undefined ? { result } : { results }
  return { uf, source_status: source_status ?? ok, ...own, fonte, consultado_em, avisos }
}
