import { type Conexao, chamadorDe, type Opcoes, prazoTotalDe } from './configuracao.ts'
import { MAXIMO, pedacosDe } from './corpo.ts'
import { type ErroDaApi, ErroDeConexao, ErroFiscal } from './erros.ts'
import { type Evento, eventosDe } from './eventos.ts'
import type { Operacao } from './operacao.ts'
import { erroDaApi, jsonDe, problemaDe } from './problema.ts'
import type { Recibo } from './recibo.ts'
import { requisicaoDe } from './requisicao.ts'
import { type Tentativa, tentarAte } from './tentativas.ts'

/**
 * As partes de uma resposta, assim que cada uma chega; só se percorre uma vez. Sair do laço antes do fim
 * encerra a consulta, e paga-se pelo que já chegou.
 */
export type Fluxo<Parte, Resultado> = AsyncIterable<Parte> & {
  /** A resposta inteira, depois da última parte. */
  readonly resultado: Resultado | undefined
  /** O recibo; o que a consulta custou só depois da última parte. */
  readonly recibo: Recibo | undefined
}

/** Um evento de um fluxo que não acaba, pelo nome. */
export type EventoDoFluxo<E> = { [K in keyof E]: { evento: K; dados: E[K] } }[keyof E]

const TIPO = 'text/event-stream'

/** The service says every 15 s that it lives. */
const CALADO_MS = 60_000

/** What a stream was read to. */
type Lido = { resultado?: object; recibo?: Recibo }

/** The parts of an answer, or the events of a stream that has no end, where the operation names no part. */
export function fluxoDe(
  conexao: Conexao,
  operacao: Operacao,
  pedido: object,
  opcoes: Opcoes,
): Fluxo<unknown, object> {
  const lido: Lido = {}
  let comecou = false
  return {
    get resultado() {
      return lido.resultado
    },
    get recibo() {
      return lido.recibo
    },
    [Symbol.asyncIterator]() {
      if (comecou) throw new TypeError('Um fluxo só se percorre uma vez: outra consulta começa outro.')
      comecou = true
      return partesDe(conexao, operacao, pedido, opcoes, lido)
    },
  }
}

async function* partesDe(
  conexao: Conexao,
  operacao: Operacao,
  pedido: object,
  opcoes: Opcoes,
  lido: Lido,
): AsyncGenerator<unknown, void, undefined> {
  const fim = new AbortController()
  try {
    const { resposta, recibo } = await abrir(conexao, operacao, pedido, { opcoes, fim })
    lido.recibo = recibo
    const maximo = conexao.maximoDeOctetos ?? MAXIMO
    const prazoMs = operacao.parte === undefined ? Number.POSITIVE_INFINITY : prazoTotalDe(conexao, opcoes)
    const pedacos = vivos(pedacosDe(resposta), {
      fim,
      chamador: chamadorDe(conexao, opcoes),
      recibo,
      prazoMs,
    })
    for await (const evento of eventosDe(pedacos, maximo)) {
      if (operacao.parte === undefined) yield { evento: evento.evento, dados: dadosDe(evento, recibo) }
      else if (evento.evento === operacao.parte) yield dadosDe(evento, recibo)
      else if (evento.evento === 'creditos') lido.recibo = { ...recibo, ...creditosDe(evento) }
      else if (evento.evento === 'erro') throw erroDo(evento, recibo)
      else if (evento.evento === 'resultado') {
        lido.resultado = dadosDe(evento, recibo)
        return
      }
    }
    if (operacao.parte !== undefined) throw new ErroDeConexao('CONEXAO_INTERROMPIDA', { recibo })
  } finally {
    fim.abort()
  }
}

/** Asks, again where that helps: nothing was delivered yet. */
async function abrir(
  conexao: Conexao,
  operacao: Operacao,
  pedido: object,
  { opcoes, fim }: { opcoes: Opcoes; fim: AbortController },
): Promise<Tentativa> {
  const requisicao = await requisicaoDe(conexao, operacao, pedido, { ...opcoes, aceita: TIPO })
  return tentarAte(conexao, requisicao, opcoes, fim.signal, async (tentativa) => {
    const { resposta, recibo } = tentativa
    if (resposta.headers.get('Content-Type')?.startsWith(TIPO)) return tentativa
    await resposta.body?.cancel()
    throw new ErroDeConexao('RESPOSTA_ILEGIVEL', { recibo })
  })
}

type Vigia = { fim: AbortController; chamador: AbortSignal; recibo: Recibo; prazoMs: number }

/** The pieces, while they come. A service that is silent for a minute, or drips on past its time, is left. */
async function* vivos(
  pedacos: AsyncIterable<Uint8Array>,
  { fim, chamador, recibo, prazoMs }: Vigia,
): AsyncGenerator<Uint8Array> {
  const ate = performance.now() + prazoMs
  let isTarde = false
  const vigiar = () =>
    setTimeout(() => {
      isTarde = true
      fim.abort()
    }, CALADO_MS)
  let relogio = vigiar()
  try {
    for await (const pedaco of pedacos) {
      clearTimeout(relogio)
      if (performance.now() > ate) throw new ErroDeConexao('PRAZO', { recibo })
      yield pedaco
      relogio = vigiar()
    }
  } catch (erro) {
    if (erro instanceof ErroFiscal) throw erro
    chamador.throwIfAborted()
    throw new ErroDeConexao(isTarde ? 'PRAZO' : 'CONEXAO_INTERROMPIDA', { recibo })
  } finally {
    clearTimeout(relogio)
  }
}

function dadosDe({ dados }: Evento, recibo: Recibo): object {
  const valor = jsonDe(dados)
  if (typeof valor === 'object' && valor !== null) return valor
  throw new ErroDeConexao('RESPOSTA_ILEGIVEL', { recibo })
}

/** What the event in the place of the X-Credits headers says. */
function creditosDe({ dados }: Evento): Pick<Recibo, 'creditosCobrados' | 'creditosRestantes'> {
  const { cobrados, restantes } = Object(jsonDe(dados))
  return {
    ...(Number.isInteger(cobrados) && { creditosCobrados: cobrados }),
    ...(Number.isInteger(restantes) && { creditosRestantes: restantes }),
  }
}

function erroDo({ dados }: Evento, recibo: Recibo): ErroDaApi | ErroDeConexao {
  const problema = problemaDe(dados)
  return problema
    ? erroDaApi({ status: problema.status, recibo, problema })
    : new ErroDeConexao('RESPOSTA_ILEGIVEL', { recibo })
}
