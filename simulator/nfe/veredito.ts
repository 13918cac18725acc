import type { EfeitoNfe } from './cenario.ts'
import type { Nota } from './nota.ts'

/** What the rules made of a query: the code, the document that comes with 138, and what goes wrong. */
export type Veredito = {
  cStat: number
  /** In the place of the words of the code. */
  detalhe?: string
  /** Answers by NSU hold the interested party's last NSU and the last of all. */
  nsu?: { ultNSU: string; maxNSU: string }
  documento?: { tipo: 'resumo' | 'proc'; nota: Nota }
  efeito?: EfeitoNfe | undefined
}
