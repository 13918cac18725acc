import type { PainelRoom } from '../sala.ts'
import { askPergunta, type Chamador, type QuemPergunta } from './chamada.ts'
import { ateCreditos, findPergunta } from './perguntas.ts'
import { type Feita, findInteira, keepFeita, lista, membro, texto } from './respondida.ts'

/** Where an answer holds the states, and the question to one of them that asks what was asked there. */
const DE_UM: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ie-todos': { '': 'ie' },
  'cnd-todos': { '': 'cnd' },
  perfil: { inscricoes_estaduais: 'ie', cnd_estaduais: 'cnd' },
}

type NoEstado = { secao: string; uf: string }

const secaoDe = (corpo: unknown, secao: string): unknown => (secao === '' ? corpo : membro(corpo, secao))

/** The states of an answer that failed, and may answer if they are asked again. */
export const falhasDe = ({ pergunta, respondida: { corpo } }: Feita): readonly NoEstado[] =>
  Object.keys(DE_UM[pergunta] ?? {}).flatMap((secao) =>
    lista(membro(secaoDe(corpo, secao), 'results')).flatMap((one) => {
      const status = membro(one, 'source_status')
      const isDeNovo = membro(status, 'status') !== 'success' && membro(status, 'retryable') === true
      return isDeNovo ? { secao, uf: texto(membro(one, 'uf')) } : []
    }),
  )

/** What asking so many states alone costs at most; empty where none may be asked. */
export const precoDosEstados = (quantos: number): string => (quantos === 0 ? '' : ateCreditos(quantos))

/** A state that answered when it was asked again, by the number of its call. */
export type Paga = NoEstado & { request_id: string }

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
  const conta_id = quem.logado.conta.id
  const pagas = [...antes]
  const asked = await Promise.allSettled(
    falhasDe(feita).map(async ({ secao, uf }) => {
      const pergunta = findPergunta(DE_UM[feita.pergunta]?.[secao])
      if (!pergunta) throw new Error(`no question asks one state what ${feita.pergunta} asks`)
      const before = antes.find((one) => one.uf === uf && one.secao === secao)
      const known = before && (await findInteira(room, { conta_id, request_id: before.request_id }))
      if (known) return { secao, uf, respondida: known.respondida }
      const one = await askPergunta(chamador, quem, { pergunta, entrada: { ...feita.entrada, uf } })
      const { request_id, cobrados = 0 } = one.respondida
      if (cobrados > 0) {
        pagas.push({ secao, uf, request_id })
        await note([...pagas])
      }
      await keepFeita(room, conta_id, one)
      return { secao, uf, respondida: one.respondida }
    }),
  )
  const novas = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = asked.find((one) => one.status === 'rejected')
  if (novas.length === 0 && failed) throw failed.reason
  const corpo = { ...Object(feita.respondida.corpo) }
  for (const secao of Object.keys(DE_UM[feita.pergunta] ?? {})) {
    const parte = Object(secaoDe(corpo, secao))
    if (!parte.results) continue
    const results = lista(parte.results).map((one) => {
      const nova = novas.find((each) => each.secao === secao && each.uf === membro(one, 'uf'))
      return nova ? entradaDe(nova.uf, nova.respondida, one) : one
    })
    Object.assign(corpo, secao === '' ? { results } : { [secao]: { ...parte, results } })
  }
  return {
    ...feita,
    respondida: { ...feita.respondida, corpo },
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
    const error_message = String(detail ?? '')
    const status = { status: 'error', error_code, error_message, retryable: retryable === true }
    return { ...Object(antes), source_status: status }
  }
  const ok = { status: 'success', error_code: '', error_message: '', retryable: false }
  const own = results === undefined ? { result } : { results }
  return { uf, source_status: source_status ?? ok, ...own, fonte, consultado_em, avisos }
}
