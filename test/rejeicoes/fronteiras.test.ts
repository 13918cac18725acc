import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import { type Fronteira, testFronteiras, verificacoes } from '../kit/rejeicoes.ts'

/** The wrong note of a check itself, on those days. */
function daFicha(verificacao: string, dias: Fronteira['dias']): Fronteira {
  const exemplo = verificacoes.find(({ id }) => id === verificacao)?.exemplo
  if (!exemplo) throw new Error(`no check ${verificacao}`)
  return { verificacao, nota: exemplo.nota, mudancas: [...(exemplo.certo ?? []), ...exemplo.errado], dias }
}

const noBalcao = ['337-mei-cfop-no-balcao', '743-importacao-no-balcao', '782-mei-csosn-no-balcao']

/** Rules of before 2025, and those of a sale at a counter that the list of the NFC-e does not have. */
const deAntes: readonly Fronteira[] = [
  ...noBalcao.map((verificacao) =>
    daFicha(verificacao, [
      ['2026-08-02', 'nao_aplicavel'],
      ['2026-08-03', 'falha'],
    ]),
  ),
  daFicha('549-produtor-cnpj', [
    ['2026-10-04', 'falha'],
    ['2026-10-05', 'nao_aplicavel'],
  ]),
  daFicha('1032-reducao-em-compra-governamental', [
    ['2026-10-04', 'nao_aplicavel'],
    ['2026-10-05', 'falha'],
  ]),
  daFicha('806-st-exige-cest', [
    ['2018-03-31', 'nao_aplicavel'],
    ['2018-04-01', 'indeterminado'],
    ['2020-11-25', 'indeterminado'],
    ['2020-11-26', 'falha'],
  ]),
  daFicha('845-sem-frete-com-transportador', [
    ['2022-09-11', 'nao_aplicavel'],
    ['2022-09-12', 'falha'],
  ]),
  daFicha('847-frete-remetente', [
    ['2022-09-12', 'nao_aplicavel'],
    ['2026-11-10', 'nao_aplicavel'],
  ]),
  daFicha('852-numero-da-parcela', [
    ['2018-09-02', 'nao_aplicavel'],
    ['2018-09-03', 'falha'],
  ]),
  ...['883-gtin-em-branco', '888-gtin-em-branco'].map((verificacao) =>
    daFicha(verificacao, [
      ['2018-11-30', 'nao_aplicavel'],
      ['2018-12-01', 'indeterminado'],
      ['2022-09-11', 'indeterminado'],
      ['2022-09-12', 'falha'],
    ]),
  ),
  daFicha('600-csosn-com-nao-contribuinte', [
    ['2026-05-30', 'indeterminado'],
    ['2026-05-31', 'falha'],
  ]),
]

const identificacao: readonly Fronteira[] = [
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

const cfop = (valor: string): Mudanca[] => [{ campo: 'det[1]/prod/CFOP', valor }]

const classificacao = (valor: string): Mudanca[] => [
  { campo: 'det[1]/imposto/IBSCBS/cClassTrib', valor },
  { campo: 'det[1]/imposto/IBSCBS/CST', valor: valor.slice(0, 3) },
]

/** Codes on the days on which their row begins or ends, and on which what the table lacks becomes certain. */
const tabelas: readonly Fronteira[] = [
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

testFronteiras(deAntes)
testFronteiras(identificacao)
testFronteiras(tabelas)
