import type { ResumoDaConta } from '../contas/resumo.ts'
import type { DiaDeUso } from '../contas/uso.ts'
import type { Quadro } from '../sefaz/rules-rodada.ts'
import type { tabelaDeChamadas } from './componentes-chamadas.ts'

/** All that the overview is drawn from: one moment of an account. */
export type Visao = {
  agora: number
  resumo: ResumoDaConta
  /** What the notes of the month cost in BRL, as the books have it. */
  reais: string | null
  /** The last 30 days, or what the month has more: today is the last one. */
  dias: readonly DiaDeUso[]
  ultimas: Parameters<typeof tabelaDeChamadas>[0]
  /** Undefined while the monitor has none to show. */
  quadro: Quadro | undefined
  /** The address of this service, for an example. */
  origem: string
  prefixo: string
}

/** How many days the chart and the mean look at. */
export const DIAS_DA_VISAO = 30
