import type { Feito, Manifestacao, StatusNfe } from '../../src/nfe/rules.ts'
import type { Andamento, Motivo } from '../../src/nfe/rules-manifestacao.ts'
import { evento, type Respostas } from './nfe-walk.ts'

/** A whole call: who asks, what the authorities answer, the steps of the call, and its end. */
export type Row = {
  /** Age of the note in days. */
  dias: number
  start?: Partial<Andamento>
  respostas: Respostas
  passos: string
  fim: [StatusNfe, Manifestacao | null, Motivo, cstat: string, 'again'?]
}

export const EC = { assina: false }
export const NAO = { manifestar: false }
export const DELE = { emitente: true }

/** A Ciência that was answered. */
export const ciencia = (cStat: string): Feito => ({ passo: 'ciencia', desfecho: evento(cStat) })

/** The start of a call with the same Idempotency-Key as a call that was interrupted after these events. */
export const interrompida = (...feitos: Feito[]): Partial<Andamento> => ({ feitos })
