import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BuscaNoRegistro, FATIA, filtroDe, type RecursosDoRegistro } from './registro.ts'
import { buscarUsos, type Marco, type Uso } from './store-dias.ts'

/** The most calls of a file that are written at once. */
const LINHAS = { sqlite: 250, postgres: 1_000 } as const

/** All calls of a question, the newest first, in slices between which other requests run. */
export async function* percorrer(
  recursos: RecursosDoRegistro,
  conta_id: string,
  busca: BuscaNoRegistro,
): AsyncGenerator<Uso[], void> {
  const { db } = recursos.store
  await recursos.store.usos.flushOf(conta_id)
  const filtro = filtroDe(busca, recursos.now)
  let marco: Marco | undefined
  do {
    const { usos, segue } = await buscarUsos(db, conta_id, filtro, {
      sentido: 'antigas',
      marco,
      linhas: LINHAS[db.dialect],
      olhar: FATIA[db.dialect],
    })
    if (usos.length > 0) yield usos
    marco = segue
    await nextTurn()
  } while (marco !== undefined)
}
