import type { Laudo } from '../rules-laudo.ts'
import type { MotivoDaRecusa } from './recusa.ts'

/** What is to be diagnosed. */
export type PedidoDoDiagnostico = {
  /** The text of the file: NFe, nfeProc or enviNFe of one note. */
  xml: string
  /** The code that the authority answered. */
  cstat?: number | undefined
  /** The sentence that the authority answered. */
  motivo?: string | undefined
  /** Leaves the corrected XML out. */
  semCorrigido?: boolean | undefined
  agora: Date
  /** The path of the catalogue's file. The thread keeps it until the file changes. */
  catalogo: string
  /** The folder of the packages of schemas that the operator installed, if there is one. */
  esquemas?: string | undefined
  /** The folder of the tables that the operator installed, if there is one. */
  tabelas?: string | undefined
}

/** The thread's reply. `falha` is the name and the frames of an error, without its message. */
export type RespostaDoDiagnostico = { laudo: Laudo } | { recusa: MotivoDaRecusa } | { falha: string }
