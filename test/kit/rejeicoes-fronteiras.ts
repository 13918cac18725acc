import { deAntes } from './rejeicoes-de-antes.ts'
import { devolucao } from './rejeicoes-devolucao.ts'
import type { Fronteira } from './rejeicoes-fronteira.ts'
import { identificacao } from './rejeicoes-identificacao.ts'
import { nfce } from './rejeicoes-nfce.ts'
import { rtc } from './rejeicoes-rtc.ts'
import { tabelas } from './rejeicoes-tabelas.ts'

/** The notes at the borders of rules, from 2025-06 to 2026-12. */
export const fronteiras: readonly Fronteira[] = [
  ...deAntes,
  ...devolucao,
  ...identificacao,
  ...nfce,
  ...rtc,
  ...tabelas,
]
