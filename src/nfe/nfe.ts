import type { EstadosRoom } from '../estados/estados.ts'
import {
  type Consumo,
  type NfeCache,
  openConsumo,
  openNfeCache,
  openReconhecidos,
  type Reconhecidos,
} from './store.ts'

export type NfeRoom = EstadosRoom & { xmls: NfeCache; reconhecidos: Reconhecidos; consumo: Consumo }

export const openNfe = (estados: EstadosRoom): NfeRoom => {
  const { cache, secret, db, now, ambiente } = estados
  return {
    ...estados,
    xmls: openNfeCache(cache, secret),
    reconhecidos: openReconhecidos(cache),
    consumo: openConsumo(db, { now, ambiente, secret }),
  }
}
