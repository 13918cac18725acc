import { operacoes } from '../gerado/operacoes.ts'
import type { components } from '../openapi.d.ts'
import { type Configuracao, conexaoDe, type Opcoes } from './configuracao.ts'
import { type EventoDoFluxo, type Fluxo, fluxoDe } from './fluxo.ts'
import { chamar } from './metodo.ts'
import type { NomeDeMetodo, Operacao, Operacoes, Pedido, Resposta } from './operacao.ts'
import type { Recibo } from './recibo.ts'

/** What a method takes: the request, left out only where nothing in it is required, and the options. */
type Argumentos<N extends NomeDeMetodo> =
  Record<never, never> extends Pedido<N>
    ? [pedido?: Pedido<N>, opcoes?: Opcoes]
    : [pedido: Pedido<N>, opcoes?: Opcoes]

/** What each event of a stream has as its `data`. */
type Eventos<N extends NomeDeMetodo> = Operacoes[N] extends {
  eventos: infer E extends keyof components['schemas']
}
  ? components['schemas'][E]
  : never

type ComFluxo<N extends NomeDeMetodo> = Operacoes[N] extends { eventos: string }
  ? {
      /** As partes da resposta, assim que cada uma chega (`Accept: text/event-stream`). */
      stream(
        ...args: Argumentos<N>
      ): Operacoes[N] extends { parte: infer P extends keyof Eventos<N> }
        ? Fluxo<Eventos<N>[P], Resposta<N>>
        : Fluxo<EventoDoFluxo<Eventos<N>>, never>
    }
  : unknown

/** Uma consulta. Lança as classes de `ErroFiscal`. */
export type Metodo<N extends NomeDeMetodo> = ComFluxo<N> & {
  (...args: Argumentos<N>): Promise<Resposta<N>>
  /** O mesmo, e o que os cabeçalhos dizem: créditos, limite de requisições, identificação. */
  comRecibo(...args: Argumentos<N>): Promise<{ dados: Resposta<N>; recibo: Recibo }>
}

/** Um método por consulta, com o nome do caminho dela: `/api/consultar-cnd` é `consultarCnd`. */
export type Cliente = { readonly [N in NomeDeMetodo]: Metodo<N> }

/** O documento OpenAPI que o serviço publica: o que esta versão dele sabe responder. */
export async function documentoDoServico(configuracao: Configuracao): Promise<object> {
  const operacao = { id: 'openapi', verbo: 'GET', caminho: '/openapi.json', publica: true } as const
  return (await chamar(conexaoDe(configuracao), operacao, {}, {})).dados
}

/**
 * Um cliente do serviço, que nada envia até a primeira chamada. Lança um `TypeError` quando o endereço ou a
 * chave não servem, sem repetir a chave.
 */
export function criarCliente(configuracao: Configuracao): Cliente {
  const conexao = conexaoDe(configuracao)
  const metodoDe = (operacao: Operacao): unknown =>
    Object.assign(
      async (pedido: object = {}, opcoes: Opcoes = {}) =>
        (await chamar(conexao, operacao, pedido, opcoes)).dados,
      { comRecibo: (pedido: object = {}, opcoes: Opcoes = {}) => chamar(conexao, operacao, pedido, opcoes) },
      operacao.eventos !== undefined && {
        stream: (pedido: object = {}, opcoes: Opcoes = {}) => fluxoDe(conexao, operacao, pedido, opcoes),
      },
    )
  const metodos = Object.entries<Operacao>(operacoes).map(([nome, operacao]) => [nome, metodoDe(operacao)])
  // The generated table and the types of the same document name the same methods.
  return Object.freeze(Object.fromEntries(metodos)) as Cliente
}
