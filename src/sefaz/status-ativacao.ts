import type { Uf } from '../documento/uf.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import type { Ativacao } from './conselho.ts'
import { svcDe } from './contingencia.ts'
import { autorizadorPorId } from './rules.ts'
import { consultarStatus, type MeiosDoStatus, sourceOf } from './source.ts'

/** What an SVC says of a state (MOC 7.0, Anexo I: 113 being deactivated, 114 deactivated by the state). */
const estados: ReadonlyMap<number, Ativacao['estado']> = new Map([
  [107, 'ativada'],
  [113, 'encerrando'],
  [114, 'desativada'],
])

/**
 * Asks the SVC of a state whether the state has activated it; `em` is the instant that the answer is kept
 * under. Throws SourceError where the SVC says nothing about it.
 */
export async function perguntarAtivacao(
  doc: 'nfe' | 'cte',
  uf: Uf,
  em: number,
  meios: MeiosDoStatus,
): Promise<Ativacao> {
  const svc = svcDe(doc, uf)
  const at = svc && autorizadorPorId(svc.autorizador)
  if (!at) throw new Error(`${uf} has no SVC for ${doc}`)
  const asked = { ...at, nome: svc.nome }
  const { cStat, xMotivo, tempos } = await consultarStatus(asked, uf, meios)
  const estado = estados.get(cStat)
  if (estado) return { estado, em }
  const { id: source, nome } = sourceOf(asked)
  throw new SourceError('http', `${nome} respondeu "${xMotivo}" (cStat ${cStat}).`, {
    source,
    elapsedMs: tempos?.respostaMs ?? 0,
    codigo: `cStat ${cStat}`,
    unavailable: false,
  })
}
