/** One kind of manifestation of the recipient, as NT 2020.001 v1.50 describes it. */
export type TipoDeEvento = {
  descEvento: string
  /** Days since the authorization in which it is taken. */
  prazoDias: number
  /** Greatest nSeqEvento. */
  vezes: number
  /** Final: after one of these there is no Ciência. */
  conclusivo: boolean
  justificativa: 'nenhuma' | 'possivel' | 'obrigatoria'
}

/**
 * By tpEvento (leiauteConfRecebto_v1.00.xsd). Windows of Ajuste SINIEF 14/26, since 2026-06-01 (180 days for
 * the conclusive ones before); twice each for the conclusive ones since 2024-08-01 (Ajuste SINIEF 43/23).
 */
const tipos = new Map<string, TipoDeEvento>([
  ['210200', conclusivo('Confirmacao da Operacao', 'nenhuma')],
  [
    '210210',
    {
      descEvento: 'Ciencia da Operacao',
      prazoDias: 10,
      vezes: 1,
      conclusivo: false,
      justificativa: 'nenhuma',
    },
  ],
  ['210220', conclusivo('Desconhecimento da Operacao', 'possivel')],
  ['210240', conclusivo('Operacao nao Realizada', 'obrigatoria')],
])

function conclusivo(descEvento: string, justificativa: TipoDeEvento['justificativa']): TipoDeEvento {
  return { descEvento, prazoDias: 90, vezes: 2, conclusivo: true, justificativa }
}

/** The kind of a tpEvento; undefined for those that the recipient does not register. */
export function findTipo(tpEvento: string): TipoDeEvento | undefined {
  return tipos.get(tpEvento)
}
