import type { Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'

/** Milliseconds on a scale that never goes back. Only differences have a meaning. */
export type Clock = () => number

/** How long the parts of an exchange took, in milliseconds. */
export type Tempos = {
  /** Null where a connection was reused. */
  conexaoMs: number | null
  tlsMs: number | null
  /** From the request on a ready connection to the whole answer. */
  respostaMs: number
}

type TemposDaConexao = Omit<Tempos, 'respostaMs'>

const reusada: TemposDaConexao = { conexaoMs: null, tlsMs: null }

/** Measures the connections and the exchanges of one door. */
export type Cronometro = {
  clock: Clock
  /** Measures a connection that begins now. Gives the callback to call when it is ready, or failed. */
  conexao: (socket: Socket, callback: buildConnector.Callback) => buildConnector.Callback
  troca: () => Medida
}

/** Measures one exchange. */
export type Medida = {
  /** Through it each attempt is sent. Only the last one counts. */
  interceptor: Dispatcher.DispatcherComposeInterceptor
  tempos: () => Tempos
}

export function openCronometro(clock: Clock): Cronometro {
  // undici (8.12) sends the waiting request while it takes the connection, and tells nobody which is whose.
  let taken: TemposDaConexao | undefined
  return {
    clock,
    conexao: (socket, callback) => {
      const began = clock()
      let connected = began
      socket.once('connect', () => {
        connected = clock()
      })
      return (...[error, opened]) => {
        if (error) return callback(error, null)
        const tlsMs = 'encrypted' in opened ? Math.round(clock() - connected) : null
        taken = { conexaoMs: Math.round(connected - began), tlsMs }
        callback(null, opened)
        taken = undefined
      }
    },
    troca: () => {
      let sent = clock()
      let conexao = reusada
      return {
        interceptor: (dispatch) => (options, handler) => {
          const begin = handler.onRequestStart?.bind(handler)
          handler.onRequestStart = (controller, context) => {
            conexao = taken ?? reusada
            sent = clock()
            begin?.(controller, context)
          }
          return dispatch(options, handler)
        },
        tempos: () => ({ ...conexao, respostaMs: Math.round(clock() - sent) }),
      }
    },
  }
}
