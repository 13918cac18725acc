import type { Fronteira } from './rejeicoes-fronteira.ts'

export const identificacao: readonly Fronteira[] = [
  {
    verificacao: '229-emitente-ie-zeros',
    nota: 'venda-interna',
    mudancas: [{ campo: 'emit/IE', valor: '00000000000' }],
    dias: [
      ['2026-11-02', 'falha'],
      ['2026-11-03', 'indeterminado'],
      ['2026-11-15', 'indeterminado'],
      ['2026-11-16', 'nao_aplicavel'],
    ],
  },
]
