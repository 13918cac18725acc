import type { Autoridade } from './autoridade.ts'
import type { Icp } from './icp/icp.ts'
import type { Pagina } from './mensagem.ts'

/** The surroundings of the simulator's own pages. */
export type Ambiente = {
  /** Where the reader reached this page: where the service has to dial, too. */
  gateway: { host: string; porta: number }
  icp: Icp
  autoridades: readonly Autoridade[]
}

/** Answers a path of the simulator's own site; undefined where it has no such page. */
export type ResponderPagina = (
  caminho: string,
  ambiente: Ambiente,
) => Pagina | undefined | Promise<Pagina | undefined>
