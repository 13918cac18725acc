import type { EstadosRoom } from '../estados/estados.ts'
import {
  type Consumo,
  type NfeCache,
  openConsumo,
  openNfeCache,
  openReconhecidos,
  type Reconhecidos,
} from './store.ts'

/** What the search for a note stands on. */
export type NfeRoom = EstadosRoom & {
  /** The XML of notes that were delivered. */
  xmls: NfeCache
  /** The certificates that an authority has taken for genuine. */
  reconhecidos: Reconhecidos
  /** The queries by key that the national environment allows each holder. */
  consumo: Consumo
}

export const openNfe = (estados: EstadosRoom): NfeRoom => {
  const { cache, secret, db, now, ambiente } = estados
  return {
    ...estados,
    xmls: openNfeCache(cache, secret),
    reconhecidos: openReconhecidos(cache),
    consumo: openConsumo(db, { now, ambiente, secret }),
  }
}
