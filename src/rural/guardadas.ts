import type { Documento } from '../documento/documento.ts'
import type { SealedCache } from '../platform/cache/sealed.ts'
import type { ParcelaDoSigef, ParcelaLida } from './parcela.ts'

/** Specification, "Configuration": SIGEF's answers are kept for 168 hours. So is each of their parts. */
const TTL_MS = 168 * 60 * 60_000

/** An answer for which the open map failed is kept so long; the next search asks only what is missing. */
const INCOMPLETA_MS = 60 * 60_000

/** A parcel with the day of its certification (AAAA-MM-DD); empty where it is not known. */
type ParcelaDatada = ParcelaDoSigef & { data_certificacao: string }

/** The parcels of a holder. `consultado_em` is of the oldest page among them, ISO 8601 UTC. */
export type ParcelasAchadas = { parcelas: ParcelaDatada[]; consultado_em: string; avisos: string[] }

/** What is kept of SIGEF: a holder's parcels, and each parcel and its day, by which a search goes on. */
export type Guardadas = ReturnType<typeof openGuardadas>

const keyOf = ({ tipo, documento }: Documento): string => `sigef/1:${tipo}:${documento}`

/** Opens what is kept. */
export const openGuardadas = (sealed: SealedCache, now: () => Date) => {
  /** What is made of older parts ends with the oldest of them. */
  const leftMs = (since: string): number => TTL_MS - (now().getTime() - Date.parse(since))
  return {
    find: async (of: Documento): Promise<ParcelasAchadas | undefined> =>
      (await sealed.find<ParcelasAchadas>(keyOf(of)))?.value,
    /** Keeps the parcels of a holder; a notice says that days of certification are missing. */
    keep: (of: Documento, achadas: ParcelasAchadas): Promise<void> => {
      const left = leftMs(achadas.consultado_em)
      const ttlMs = achadas.avisos.length > 0 ? Math.min(left, INCOMPLETA_MS) : left
      return sealed.put({ key: keyOf(of), ttlMs }, achadas)
    },
    /** A parcel, and when its page was read. */
    findParcela: (uuid: string) => sealed.find<ParcelaLida>(`sigef-parcela/1:${uuid}`),
    keepParcela: (lida: ParcelaLida): Promise<void> =>
      sealed.put({ key: `sigef-parcela/1:${lida.parcela.codigo_parcela}`, ttlMs: TTL_MS }, lida),
    findDia: async (uuid: string): Promise<string | undefined> =>
      (await sealed.find<string>(`sigef-dia/1:${uuid}`))?.value,
    keepDia: (uuid: string, dia: string): Promise<void> =>
      sealed.put({ key: `sigef-dia/1:${uuid}`, ttlMs: TTL_MS }, dia),
  }
}
