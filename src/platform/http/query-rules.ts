import { inscricaoProblem } from '../../documento/inscricao-estadual.ts'
import { findUf } from '../../documento/uf.ts'
import { enumerar } from '../enumerar.ts'
import type { ErrorCode, ParameterError } from '../errors.ts'

/**
 * One parameter at fault, with its code. `detail` is the sentence for a fault of several parameters together.
 */
export type Fault = ParameterError & { code: ErrorCode; detail?: string }

type Query = Readonly<Record<string, unknown>>

/**
 * Keywords of a whole query's schema, for rules between parameters. Each returns the faults of `query` by the
 * keyword's `value`.
 */
export const queryRules: Readonly<Record<string, (query: Query, value: unknown) => Fault[]>> = {
  'x-exatamente-um': exactlyOne,
  'x-pelo-menos-um': atLeastOne,
  'x-sem-ie': noIe,
  'x-ie-da-uf': ieOfUf,
}

/** `x-exatamente-um: [names]`: of these parameters one is sent, and only one. */
function exactlyOne(query: Query, value: unknown): Fault[] {
  const names = Array.isArray(value) ? value.map(String) : []
  const sent = names.filter((name) => Object.hasOwn(query, name))
  if (sent.length === 1) return []
  if (sent.length === 0) {
    const code = 'PARAMETRO_AUSENTE'
    const reason = `envie exatamente um: ${enumerar(names, 'ou')}`
    const detail = `Envie exatamente um destes parâmetros: ${enumerar(names, 'ou')}.`
    return names.map((parameter) => ({ code, parameter, reason, detail }))
  }
  const code = 'PARAMETRO_CONFLITANTE'
  const reason = `envie só um: ${enumerar(sent, 'ou')}`
  const detail = `Os parâmetros ${enumerar(sent)} foram enviados juntos; envie só um deles.`
  return sent.map((parameter) => ({ code, parameter, reason, detail }))
}

/** `x-pelo-menos-um: [names]`: of these parameters one is sent, or more. */
function atLeastOne(query: Query, value: unknown): Fault[] {
  const names = Array.isArray(value) ? value.map(String) : []
  if (names.some((name) => Object.hasOwn(query, name))) return []
  const reason = `envie ${enumerar(names, 'ou')}`
  const detail = `Envie ao menos um destes parâmetros: ${enumerar(names, 'ou')}.`
  return names.map((parameter) => ({ code: 'PARAMETRO_AUSENTE', parameter, reason, detail }))
}

/** `x-sem-ie: true`: a route that asks every state takes no registration, which is of one. */
function noIe(query: Query): Fault[] {
  if (!Object.hasOwn(query, 'ie')) return []
  const reason = 'uma inscrição é de um estado só; consulte-a em /api/consultar, com a uf'
  return [{ code: 'IE_NAO_SUPORTADO', parameter: 'ie', reason }]
}

/**
 * `x-ie-da-uf: true`: the `ie` is a registration of the `uf`. If the UF itself is at fault, only that is
 * told.
 */
function ieOfUf({ uf, ie }: Query): Fault[] {
  const known = typeof uf === 'string' ? findUf(uf) : undefined
  const reason = known && typeof ie === 'string' ? inscricaoProblem(known, ie) : undefined
  return reason ? [{ code: 'DOCUMENTO_INVALIDO', parameter: 'ie', reason }] : []
}
