import { ufs } from '../../documento/uf.ts'
import { createEventStream } from '../../platform/http/stream.ts'
import type { PainelRoom } from '../sala.ts'
import { doEstado } from './apresentadores.ts'
import type { Chamador, QuemPergunta } from './chamada.ts'
import { classeDe } from './estados.ts'
import { type EntradaDoPainel, type PerguntaDoPainel, pedidoDe } from './perguntas.ts'
import { type Feita, keepFeita, membro, texto } from './respondida.ts'

type Asked = {
  pergunta: PerguntaDoPainel
  entrada: EntradaDoPainel
  enderecoDa: (request_id: string) => string
}

/** Nothing came, and nothing was charged: the same may be asked again. */
export class SemEventos extends Error {}

/**
 * Tells the states as they answer, and keeps what came until a visitor leaves, for he pays for it.
 * Throws `SemEventos` where the API gave no stream: the page then sends its form as any other.
 */
export async function tellLive(
  quem: QuemPergunta,
  { pergunta, entrada, enderecoDa }: Asked,
  { chamador, room }: { chamador: Chamador; room: PainelRoom },
): Promise<{ feita: Feita; kept: boolean }> {
  const started = performance.now()
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
    const kept = await keepFeita(room, quem.logado.conta.id, feita)
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
        const titulos = fichas.map(({ titulo }) => textoDe(titulo))
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
  if (!feito && vieram.length > 0) await finish(200, bodyOf(vieram, { request_id, entrada }))
  if (!feito) throw new SemEventos('the visitor left before the first state')
  return feito
}

/** The answer of all states as far as it came: the others failed, and may be asked alone. */
function bodyOf(
  vieram: readonly unknown[],
  { request_id, entrada }: { request_id: string; entrada: EntradaDoPainel },
): object {
  const vazio = 'results' in Object(vieram[0]) ? { results: [] } : { result: null }
  const rest = { source_status: interrompida, ...vazio, fonte: '', consultado_em: '', avisos: [] }
  const results = ufs.map((uf) => vieram.find((one) => membro(one, 'uf') === uf) ?? { uf, ...rest })
  const { documento: document, tipo: document_type } = entrada
  return { request_id, document, document_type, results }
}

const interrompida = {
  status: 'error',
  error_code: 'SITE_INDISPONIVEL',
  error_message: 'A conexão caiu antes da resposta.',
  retryable: true,
}

/** The module writes text alone: of a title that is drawn, its words. */
const textoDe = (conteudo: unknown): string =>
  typeof conteudo === 'string' ? conteudo : texto(String(conteudo ?? '').replace(/<[^>]*>/g, ''))
