import type { RotaOferecida } from './rota-federal.ts'
import type { SituacaoFederal } from './rules.ts'
import type { RegistroFederal } from './store.ts'

const HOUR_MS = 60 * 60_000

type Chamada = Pick<SituacaoFederal, 'emCurso' | 'emitirNova' | 'emiteNova' | 'agora'>

/** What is kept of a CNPJ, for the decision. A `positiva` stands for an hour: its debt may be paid. */
export function situacaoOf({ guardada, recusada }: RegistroFederal, chamada: Chamada): SituacaoFederal {
  const isOld =
    guardada?.certidao.status === 'positiva' &&
    chamada.agora.getTime() - guardada.conferidaEm.getTime() > HOUR_MS
  return {
    guardada: guardada && !isOld ? { ...guardada, validade: guardada.certidao.validade } : undefined,
    recusadaEm: recusada?.em,
    ...chamada,
  }
}

/** Whether one of these routes can issue a certificate while another is valid. */
export const emitemNova = (rotas: readonly RotaOferecida[]): boolean =>
  rotas.some(({ emiteNova, falta }) => emiteNova && falta === '')
