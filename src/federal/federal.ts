import type { EstadosRoom } from '../estados/estados.ts'
import { type ChavesDoContrato, type Contrato, openContrato } from './source-serpro.ts'
import { type Certidoes, type Confianca, openCertidoes, openConfianca } from './store.ts'

/** What the federal certificate stands on. */
export type FederalRoom = EstadosRoom & {
  /** The contract for the Receita Federal's APIs. Undefined live without SERPRO_KEY and SERPRO_SECRET. */
  contrato: Contrato | undefined
  /** The federal certificates, and how far their issuances are. */
  certidoes: Certidoes
  /** Which routes to the federal certificate are believed. */
  confianca: Confianca
}

/** Opens the room, with the keys of the contract where there is one. */
export function openFederal(estados: EstadosRoom, chaves: ChavesDoContrato | undefined): FederalRoom {
  const { http, db, now, ambiente, secret, config } = estados
  return {
    ...estados,
    contrato: chaves && openContrato(http, { chaves, etiqueta: config.SERPRO_TAG, now }),
    certidoes: openCertidoes(db, { now, ambiente, secret }),
    confianca: openConfianca(db, { now, ambiente, secret }),
  }
}
