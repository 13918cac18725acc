import { classesDaApi } from '../gerado/erros.ts'
import type { Problema } from '../openapi.d.ts'
import { ErroDaApi, type RespostaDeErro } from './erros.ts'

/** The error of a problem, of the class of its code. A newer service may have a code that we do not know. */
export function erroDaApi(resposta: RespostaDeErro & { problema: Problema }): ErroDaApi {
  const classes: Readonly<Record<string, typeof ErroDaApi>> = classesDaApi
  const codigo = resposta.problema.error_code
  return new ((Object.hasOwn(classes, codigo) && classes[codigo]) || ErroDaApi)(resposta)
}

/** The problem (RFC 9457) that a body is, if it is one. */
export function problemaDe(texto: string): Problema | undefined {
  const corpo = jsonDe(texto)
  return isProblema(corpo) ? corpo : undefined
}

const isProblema = (corpo: unknown): corpo is Problema =>
  typeof corpo === 'object' &&
  corpo !== null &&
  'error_code' in corpo &&
  typeof corpo.error_code === 'string' &&
  'detail' in corpo &&
  typeof corpo.detail === 'string'

/** The value of a JSON text; undefined where it is none. */
export function jsonDe(texto: string): unknown {
  try {
    return JSON.parse(texto)
  } catch {
    return undefined
  }
}
