import { createEventStream } from '../../platform/http/stream.ts'
import type { PainelRoom } from '../sala.ts'
import { doEstado } from './apresentadores.ts'
import type { Chamador, QuemPergunta } from './chamada.ts'
import { classeDe } from './estados.ts'
import { keepFeita } from './guardar.ts'
import { membro, texto } from './json.ts'
import { type EntradaDoPainel, type PerguntaDoPainel, pedidoDe } from './perguntas.ts'

type Asked = {
  pergunta: PerguntaDoPainel
  entrada: EntradaDoPainel
  enderecoDa: (request_id: string) => string
}

/** False, with nothing charged, where the API gave no stream: the page then sends its form as any other. */
export async function tellLive(
  quem: QuemPergunta,
  { pergunta, entrada, enderecoDa }: Asked,
  { chamador, room }: { chamador: Chamador; room: PainelRoom },
): Promise<boolean> {
  const started = performance.now()
  const heard = await chamador.listen(pedidoDe(pergunta, entrada), quem)
  if (!heard) return false
  const { request_id, eventos } = heard
  const events = createEventStream(quem.reply)
  const tell = (nome: string, dados: object): Promise<boolean> => events.send(nome, JSON.stringify(dados))
  const present = doEstado[pergunta.endpoint]
  let cobrados: number | undefined
  const finish = async (http: number, corpo: unknown): Promise<void> => {
    const ms = Math.round(performance.now() - started)
    const respondida = { http, corpo, request_id, cobrados, retryS: undefined, ms }
    const feita = { pergunta: pergunta.id, entrada, respondida, refeitas: [] }
    const kept = await keepFeita(room, quem.logado.conta.id, feita)
    await tell('fim', kept ? { endereco: enderecoDa(request_id) } : {})
  }
  try {
    await tell('pedido', { request_id, assunto: pergunta.nome })
    for await (const { nome, dados } of eventos) {
      if (nome === 'uf' && present) {
        const { uf, desfecho, palavra, fichas, motivo } = present(dados, room.now())
        const titulos = fichas.map(({ titulo }) => textoDe(titulo))
        await tell('uf', { uf, desfecho, palavra, titulos, motivo, classe: classeDe({ desfecho }) })
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
  return true
}

/** The module writes text alone: of a title that is drawn, its words. */
const textoDe = (conteudo: unknown): string =>
  typeof conteudo === 'string' ? conteudo : texto(String(conteudo ?? '').replace(/<[^>]*>/g, ''))
