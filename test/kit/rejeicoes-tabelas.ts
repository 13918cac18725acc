import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import type { Fronteira } from './rejeicoes-fronteira.ts'

const cfop = (valor: string): Mudanca[] => [{ campo: 'det[1]/prod/CFOP', valor }]

const classificacao = (valor: string): Mudanca[] => [
  { campo: 'det[1]/imposto/IBSCBS/cClassTrib', valor },
  { campo: 'det[1]/imposto/IBSCBS/CST', valor: valor.slice(0, 3) },
]

/** Codes on the days on which their row begins or ends, and on which what the table lacks becomes certain. */
export const tabelas: readonly Fronteira[] = [
  {
    verificacao: '770-cfop-inexistente',
    nota: 'exportacao',
    mudancas: cfop('7552'),
    dias: [
      ['2021-05-31', 'falha'],
      ['2021-06-01', 'ok'],
    ],
  },
  {
    verificacao: '770-cfop-inexistente',
    nota: 'venda-interna',
    mudancas: cfop('5107'),
    dias: [
      ['2026-11-20', 'falha'],
      ['2026-12-31', 'falha'],
      ['2027-01-01', 'indeterminado'],
    ],
  },
  {
    verificacao: '1023-classificacao-inexistente',
    nota: 'venda-interna',
    mudancas: classificacao('410032'),
    dias: [
      ['2025-12-31', 'falha'],
      ['2026-01-01', 'ok'],
    ],
  },
  {
    verificacao: '1023-classificacao-inexistente',
    nota: 'venda-interna',
    mudancas: classificacao('220001'),
    dias: [
      ['2026-01-01', 'ok'],
      ['2026-01-02', 'falha'],
    ],
  },
  {
    verificacao: '1023-classificacao-inexistente',
    nota: 'venda-interna',
    mudancas: classificacao('550026'),
    dias: [
      ['2026-10-15', 'indeterminado'],
      ['2026-10-16', 'ok'],
    ],
  },
  {
    verificacao: '1023-classificacao-inexistente',
    nota: 'venda-interna',
    mudancas: classificacao('000099'),
    dias: [
      ['2025-12-31', 'indeterminado'],
      ['2026-01-01', 'falha'],
      ['2026-12-31', 'falha'],
      ['2027-01-01', 'indeterminado'],
    ],
  },
  {
    verificacao: '1024-classificacao-de-outro-cst',
    nota: 'venda-interna',
    mudancas: [{ campo: 'det[1]/imposto/IBSCBS/cClassTrib', valor: '410032' }],
    dias: [
      ['2025-12-31', 'ok'],
      ['2026-01-01', 'falha'],
    ],
  },
  {
    verificacao: '1025-classificacao-fora-da-nfe',
    nota: 'venda-interna',
    mudancas: classificacao('000002'),
    dias: [
      ['2026-10-15', 'nao_aplicavel'],
      ['2026-10-16', 'falha'],
    ],
  },
  {
    verificacao: '1046-reducao-da-tabela',
    nota: 'ibs-cbs-com-reducao',
    mudancas: [{ campo: 'det[1]/imposto/IBSCBS/gIBSCBS/gIBSMun/gRed/pRedAliq', valor: '40.0000' }],
    dias: [
      ['2026-10-15', 'nao_aplicavel'],
      ['2026-10-16', 'falha'],
    ],
  },
  {
    verificacao: '377-pais-do-destinatario',
    nota: 'exportacao',
    mudancas: [{ campo: 'dest/enderDest/cPais', valor: '3964' }],
    dias: [
      ['2018-05-31', 'ok'],
      ['2018-06-01', 'falha'],
    ],
  },
  {
    verificacao: '377-pais-do-destinatario',
    nota: 'exportacao',
    mudancas: [{ campo: 'dest/enderDest/cPais', valor: '175' }],
    dias: [['2026-11-20', 'ok']],
  },
  {
    verificacao: '882-prefixo-do-gtin',
    nota: 'venda-interna',
    mudancas: [{ campo: 'det[1]/prod/cEAN', valor: '6300000000011' }],
    dias: [['2026-11-20', 'indeterminado']],
  },
  {
    verificacao: '907-biocombustivel-indevido',
    nota: 'combustivel',
    mudancas: [{ campo: 'det[1]/prod/comb/cProdANP', valor: '810102001' }],
    dias: [
      ['2026-05-31', 'indeterminado'],
      ['2026-06-01', 'falha'],
    ],
  },
]
