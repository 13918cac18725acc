import { setImmediate as nextTurn } from 'node:timers/promises'
import { buscarUsos, type Marco, type Uso } from '../../store/usos/busca.ts'
import { type BuscaNoRegistro, filtroDe, type RecursosDoRegistro } from './registro.ts'

/** The calls read at once for a file, and the most of them that are written at once. */
const FATIA = { linhas: 1_000, olhar: 4_000 } as const

/** All calls of a question, the newest first, in slices between which other requests run. */
export async function* percorrer(
  recursos: RecursosDoRegistro,
  conta_id: string,
  busca: BuscaNoRegistro,
): AsyncGenerator<Uso[], void> {
  await recursos.store.usos.flushOf(conta_id)
  const filtro = filtroDe(busca, recursos.now)
  let marco: Marco | undefined
  do {
    const { usos, segue } = await buscarUsos(recursos.store.db, conta_id, filtro, {
      sentido: 'antigas',
      marco,
      ...FATIA,
    })
    if (usos.length > 0) yield usos
    marco = segue
    await nextTurn()
  } while (marco !== undefined)
}
