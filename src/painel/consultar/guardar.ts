import { trusted } from '../../platform/trusted.ts'
import type { PainelRoom } from '../sala.ts'
import { splitPapeis } from './papeis.ts'
import type { Feita } from './respondida.ts'

/**
 * Its PDFs apart, until `ate` at most. False where the account keeps no answers, this one is too large, or
 * it could not be written: it is paid by then, and is shown all the same.
 */
export async function keepFeita(
  { guardadas, log }: Pick<PainelRoom, 'guardadas' | 'log'>,
  conta_id: string,
  feita: Feita,
  ate?: Date,
): Promise<boolean> {
  const { corpo, papeis } = splitPapeis(feita.respondida.corpo)
  const texto = JSON.stringify({ ...feita, respondida: { ...feita.respondida, corpo } })
  const { request_id } = feita.respondida
  const partes = [
    { parte: '', conteudo: Buffer.from(texto) },
    ...[...papeis].map(([parte, conteudo]) => ({ parte, conteudo })),
  ]
  try {
    return await guardadas.keep({ conta_id, request_id }, partes, ate)
  } catch (err) {
    log.error({ err, request_id }, 'an answer was not kept')
    return false
  }
}

export async function findFeita(
  { guardadas }: Pick<PainelRoom, 'guardadas'>,
  dona: { conta_id: string; request_id: string },
): Promise<{ feita: Feita; ate: Date } | undefined> {
  const found = await guardadas.find(dona, '')
  // Proven by the seal: `keepFeita` alone makes one of this purpose.
  return found && { feita: trusted<Feita>(JSON.parse(found.conteudo.toString())), ate: found.ate }
}

/** The answers of an account that were asked for last. */
export async function lastFeitas(
  { guardadas }: Pick<PainelRoom, 'guardadas'>,
  conta_id: string,
  most: number,
): Promise<readonly Feita[]> {
  const rows = await guardadas.last(conta_id, most)
  // Proven by the seal, as above.
  return rows.map(({ conteudo }) => trusted<Feita>(JSON.parse(conteudo.toString())))
}
