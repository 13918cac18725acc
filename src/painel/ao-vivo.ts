import { createEventStream } from '../platform/http/stream.ts'
import type { Chamador, QuemPergunta } from './chamada.ts'
import type { AmostraDeCodigo } from './experimentar/codigo.ts'
import { membro } from './experimentar/consulta.ts'
import type { PedidoDaPagina } from './experimentar/pedido.ts'
import { lerEstado, seloDoEstado } from './experimentar/por-estado.ts'
import { cortarJson, custoDe, desfechoDe } from './experimentar/resposta.ts'
import type { Papeis } from './papeis.ts'

/** What is asked, and how others would ask it. */
type Asked = { pedido: PedidoDaPagina; codigo: AmostraDeCodigo }

/**
 * Asks for all states, and tells the page each as it answers: `pedido`, an `uf` each, then `fim` or `falha`.
 * False, with nothing charged, where the API gave no stream: the page then sends its form as any other.
 */
export async function contarAoVivo(
  quem: QuemPergunta,
  { pedido, codigo }: Asked,
  { chamador, papeis }: { chamador: Chamador; papeis: Papeis },
): Promise<boolean> {
  const heard = await chamador.ouvir(pedido, quem)
  if (!heard) return false
  const { request_id, eventos } = heard
  const dono = quem.logado.acesso.id
  const events = createEventStream(quem.reply)
  const tell = (nome: string, dados: object): Promise<boolean> => events.send(nome, JSON.stringify(dados))
  let custo = ''
  try {
    await tell('pedido', { request_id, codigo })
    for await (const { nome, dados } of eventos) {
      if (nome === 'uf') {
        const estado = lerEstado(dados)
        await tell('uf', { ...estado, selo: seloDoEstado(estado), papel: papeis.lacrarUm(dados, dono) })
      }
      if (nome === 'creditos') custo = custoDe(creditosDe(dados))
      if (nome === 'resultado') await tell('fim', { custo, json: cortarJson(dados) })
      if (nome === 'erro') {
        const { palavra, texto } = desfechoDe({ http: 500, corpo: dados })
        await tell('falha', { palavra, texto })
      }
    }
  } catch (error) {
    // Whoever left is told nothing; the call was aborted with him.
    if (!quem.reply.raw.destroyed) throw error
  } finally {
    events.end()
  }
  return true
}

const creditosDe = (dados: unknown): { cobrados: number; restantes: number } => ({
  cobrados: Number(membro(dados, 'cobrados')),
  restantes: Number(membro(dados, 'restantes')),
})
