import { deAntes } from './de-antes.ts'
import { devolucao } from './devolucao.ts'
import type { Fronteira } from './fronteira.ts'
import { identificacao } from './identificacao.ts'
import { nfce } from './nfce.ts'
import { rtc } from './rtc.ts'
import { tabelas } from './tabelas.ts'

/** The notes at the borders of rules, from 2025-06 to 2026-12. */
export const fronteiras: readonly Fronteira[] = [
  ...deAntes,
  ...devolucao,
  ...identificacao,
  ...nfce,
  ...rtc,
  ...tabelas,
]
