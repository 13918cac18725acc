import type { InscricaoRoom } from '../inscricao/inscricao.ts'
import { type CatalogoAberto, type Divergencias, openCatalogo, openDivergencias } from './catalogo-aberto.ts'

/** What the catalogue and the diagnosis stand on. */
export type RejeicoesRoom = InscricaoRoom & {
  /** The rejection catalogue. */
  rejeicoes: CatalogoAberto
  divergencias: Divergencias
}

export const openRejeicoes = (inscricao: InscricaoRoom): RejeicoesRoom => {
  const { config, now, log } = inscricao
  return {
    ...inscricao,
    rejeicoes: openCatalogo({ arquivo: config.REJEICOES_FILE, now, log }),
    divergencias: openDivergencias(log),
  }
}
