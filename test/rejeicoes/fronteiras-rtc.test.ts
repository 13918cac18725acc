import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import { type Fronteira, testFronteiras } from '../kit/rejeicoes.ts'

type Dia = Fronteira['dias'][number]

const item = 'det[1]/imposto/IBSCBS'
const grupo = `${item}/gIBSCBS`

/** The days around November 2026, on which the notes of October and the notice of the portal disagree. */
const novembro: readonly Dia[] = [
  ['2026-11-02', 'nao_aplicavel'],
  ['2026-11-03', 'indeterminado'],
  ['2026-11-15', 'indeterminado'],
  ['2026-11-16', 'falha'],
]

/** In homologation, NT 2026.007 began with its first version. */
const setembroEmHomologacao: readonly Dia[] = [
  ['2026-08-31', 'nao_aplicavel'],
  ['2026-09-01', 'falha'],
]

/** In homologation, what the notes and the notice disagree about. */
const outubroEmHomologacao: readonly Dia[] = [
  ['2026-10-04', 'nao_aplicavel'],
  ['2026-10-05', 'indeterminado'],
  ['2026-10-25', 'indeterminado'],
  ['2026-10-26', 'falha'],
]

/** A rule that begins on `dia`. */
const comeca = (vespera: string, dia: string): readonly Dia[] => [
  [vespera, 'nao_aplicavel'],
  [dia, 'falha'],
]

const agosto = comeca('2026-08-02', '2026-08-03')
const julhoEmHomologacao = comeca('2026-06-30', '2026-07-01')

const muda = (campo: string, valor: string | null): Mudanca => ({ campo, valor })

const poe = (campo: string, xml: string, onde: 'antes' | 'depois' | 'dentro'): Mudanca => ({
  campo,
  xml,
  onde,
})

const semIe = muda('emit/IE', null)
const suframa = poe('emit/CRT', '<ISUFEmit>123456789</ISUFEmit>', 'depois')

const area = (conteudo = '<tpALCZFMCBS>1</tpALCZFMCBS>', valor = '10.80'): Mudanca =>
  poe(
    `${grupo}/gCBS/vCBS`,
    `<gALCZFMCBS>${conteudo}<pAliqEfetRegCBS>0.9000</pAliqEfetRegCBS><vTribRegCBS>${valor}</vTribRegCBS></gALCZFMCBS>`,
    'antes',
  )

const devolve = (conteudo: string): Mudanca =>
  poe(`${grupo}/gCBS/pCBS`, `<gDevTrib>${conteudo}</gDevTrib>`, 'depois')

const liquido = poe('det[1]/prod/vProd', '<vUnComLiq>1.0000</vUnComLiq><vProdLiq>0.50</vProdLiq>', 'depois')

/** One row for production and, where the days differ, one for homologation. */
function linhas(
  verificacao: string,
  nota: string,
  mudancas: readonly Mudanca[],
  producao: readonly Dia[],
  homologacao?: readonly Dia[],
): Fronteira[] {
  const linha = { verificacao, nota, mudancas }
  return [
    { ...linha, dias: producao },
    ...(homologacao ? [{ ...linha, ambiente: '2' as const, dias: homologacao }] : []),
  ]
}

/** NT 2025.002: the groups of IBS and CBS, the rates by year. */
const ibsCbs: readonly Fronteira[] = [
  ...linhas(
    '1076-soma-da-base',
    'venda-interna',
    [muda('total/IBSCBSTot/vBCIBSCBS', '1.00')],
    comeca('2025-11-09', '2025-11-10'),
    [
      ['2025-07-06', 'nao_aplicavel'],
      ['2025-07-07', 'indeterminado'],
      ['2025-10-28', 'indeterminado'],
      ['2025-10-29', 'falha'],
    ],
  ),
  ...linhas(
    '1024-classificacao-de-outro-cst',
    'venda-interna',
    [muda(`${item}/cClassTrib`, '200034')],
    comeca('2025-11-09', '2025-11-10'),
  ),
  ...linhas(
    '1033-reducao-nao-informada',
    'ibs-cbs-com-reducao',
    [muda(`${grupo}/gIBSUF/gRed`, null)],
    comeca('2025-12-14', '2025-12-15'),
    comeca('2025-12-09', '2025-12-10'),
  ),
  ...linhas(
    '1026-aliquota-do-ano',
    'venda-interna',
    [muda(`${grupo}/gIBSUF/pIBSUF`, '0.0500')],
    [
      ['2025-11-09', 'nao_aplicavel'],
      ['2025-11-10', 'falha'],
      ['2026-12-31', 'falha'],
    ],
  ),
  ...linhas(
    '1026-aliquota-do-ano',
    'veiculo-novo',
    [],
    [
      ['2026-12-31', 'ok'],
      ['2027-01-01', 'falha'],
    ],
  ),
  ...linhas(
    '1036-aliquota-do-ano',
    'veiculo-novo',
    [],
    [
      ['2026-12-31', 'ok'],
      ['2027-01-01', 'falha'],
    ],
  ),
  ...linhas(
    '1036-aliquota-do-ano',
    'venda-interna',
    [muda('det/imposto/IBSCBS/gIBSCBS/gIBSMun/pIBSMun', '0.0500')],
    [
      ['2026-12-31', 'falha'],
      ['2027-01-01', 'ok'],
    ],
  ),
  ...linhas(
    '1037-aliquota-do-ano',
    'venda-interna',
    [muda(`${grupo}/gCBS/pCBS`, '0.8000')],
    [
      ['2025-11-16', 'nao_aplicavel'],
      ['2025-11-17', 'falha'],
      ['2026-12-31', 'falha'],
      ['2027-01-01', 'nao_aplicavel'],
    ],
    comeca('2025-11-13', '2025-11-14'),
  ),
  ...linhas(
    '1037-aliquota-do-ano-na-devolucao',
    'nota-de-credito',
    [muda('ide/tpNFCredito', '03'), muda(`${grupo}/gCBS/pCBS`, '0.8000')],
    [
      ['2026-10-04', 'nao_aplicavel'],
      ['2026-10-05', 'falha'],
      ['2026-12-31', 'falha'],
      ['2027-01-01', 'nao_aplicavel'],
    ],
    comeca('2026-08-31', '2026-09-01'),
  ),
  ...linhas(
    '1037-aliquota-zero-fora-da-area',
    'venda-interna',
    [muda(`${grupo}/gCBS/pCBS`, '0.0000')],
    [
      ['2025-12-14', 'nao_aplicavel'],
      ['2025-12-15', 'falha'],
      ['2026-12-31', 'falha'],
      ['2027-01-01', 'nao_aplicavel'],
    ],
    comeca('2025-12-09', '2025-12-10'),
  ),
  ...linhas(
    '1037-zero-em-area-incentivada',
    'venda-da-zona-franca',
    [suframa, area()],
    comeca('2026-12-31', '2027-01-01'),
  ),
  ...linhas(
    '1007-reducao-em-compra-governamental',
    'compra-governamental',
    [muda(`${grupo}/gIBSMun/gRed/pRedAliq`, '10.0000')],
    comeca('2026-10-04', '2026-10-05'),
    comeca('2026-08-31', '2026-09-01'),
  ),
  ...linhas(
    '1028-reducao-em-compra-governamental',
    'compra-governamental',
    [muda(`${grupo}/gCBS/gRed/pRedAliq`, '10.0000')],
    comeca('2026-10-04', '2026-10-05'),
  ),
  ...linhas(
    '1161-credito-de-entrada',
    'nota-de-credito',
    [muda('ide/tpNF', '1')],
    comeca('2026-02-01', '2026-02-02'),
    comeca('2025-11-23', '2025-11-24'),
  ),
  ...linhas(
    '1162-debito-de-saida',
    'nota-de-debito',
    [muda('ide/tpNF', '0')],
    comeca('2026-02-01', '2026-02-02'),
  ),
  ...linhas(
    '1165-zfm-na-nfce',
    'nfce',
    [poe('det[1]/prod/CFOP', '<tpCredPresIBSZFM>1</tpCredPresIBSZFM>', 'antes')],
    comeca('2026-02-01', '2026-02-02'),
  ),
  ...linhas(
    '1187-devolucao-da-cbs-na-nfce',
    'nfce',
    [devolve('<vDevTrib>0.00</vDevTrib>')],
    agosto,
    julhoEmHomologacao,
  ),
  ...linhas(
    '1111-devolucao-do-ibs',
    'venda-interna',
    [poe(`${grupo}/gIBSUF/pIBSUF`, '<gDevTrib><vDevTrib>0.00</vDevTrib></gDevTrib>', 'depois')],
    agosto,
    julhoEmHomologacao,
  ),
  ...linhas(
    '1188-percentual-da-devolucao-da-cbs',
    'venda-interna',
    [devolve('<vDevTrib>0.00</vDevTrib>')],
    agosto,
    julhoEmHomologacao,
  ),
  ...linhas(
    '1189-valor-da-devolucao-da-cbs',
    'venda-interna',
    [devolve('<pDevTrib>50.0000</pDevTrib><vDevTrib>1.00</vDevTrib>')],
    agosto,
  ),
  ...linhas('1190-area-incentivada-sem-suframa', 'venda-da-zona-franca', [area()], agosto),
  ...linhas('1191-area-incentivada-indevida', 'venda-interna', [area()], agosto, julhoEmHomologacao),
  ...linhas(
    '1192-area-incentivada-sem-processo',
    'venda-da-zona-franca',
    [area('<tpALCZFMCBS>2</tpALCZFMCBS>')],
    agosto,
  ),
  ...linhas('1218-cbs-fora-da-area', 'venda-da-zona-franca', [area(undefined, '9.80')], agosto),
  ...linhas('1185-suframa-do-emitente-fora-da-area', 'venda-interna', [suframa], agosto, julhoEmHomologacao),
  ...linhas(
    '1186-suframa-do-emitente',
    'venda-da-zona-franca',
    [poe('emit/CRT', '<ISUFEmit>123456788</ISUFEmit>', 'depois')],
    agosto,
  ),
]

/** NT 2026.007: the issuer without a registration in the state. */
const semInscricao: readonly Fronteira[] = [
  ...linhas(
    '229-emitente-ie-zeros',
    'venda-interna',
    [muda('emit/IE', '00000000000')],
    [['2026-11-02', 'falha']],
    [
      ['2026-08-31', 'falha'],
      ['2026-09-01', 'nao_aplicavel'],
    ],
  ),
  ...linhas(
    '209-emitente-ie-zeros',
    'venda-interna',
    [muda('emit/IE', '00000000000')],
    novembro,
    setembroEmHomologacao,
  ),
  ...linhas('156-nfce-sem-ie', 'nfce', [semIe], novembro, setembroEmHomologacao),
  ...linhas(
    '157-sem-ie-sem-cnpj',
    'nota-de-debito',
    [semIe, poe('emit/CNPJ', '<CPF>52998224725</CPF>', 'antes'), muda('emit/CNPJ', null)],
    novembro,
  ),
  ...linhas(
    '158-sem-ie-com-iest',
    'nota-de-debito',
    [semIe, poe('emit/CRT', '<IEST>110042490114</IEST>', 'antes')],
    novembro,
  ),
  ...linhas('159-sem-ie-cfop', 'venda-interna', [semIe], novembro, setembroEmHomologacao),
  ...linhas('161-sem-ie-com-icms', 'venda-interna', [semIe], novembro, setembroEmHomologacao),
  ...linhas('162-sem-ie-sem-ibs-cbs', 'venda-interna', [semIe, muda(item, null)], novembro),
]

/** NT 2026.008: the net value of the product and the ICMS that is foreseen. */
const valorLiquido: readonly Fronteira[] = [
  ...linhas('1279-valor-liquido-do-item', 'venda-interna', [liquido], novembro, outubroEmHomologacao),
  ...linhas(
    '1280-icms-previsto-indevido',
    'venda-interna',
    [poe('det[1]/imposto/ICMS', '<ICMSPrevistoPagtoAntecip/>', 'dentro')],
    novembro,
    outubroEmHomologacao,
  ),
  ...linhas(
    '1281-icms-previsto-nao-informado',
    'nota-de-debito',
    [muda('ide/tpNFDebito', '06')],
    comeca('2027-02-28', '2027-03-01'),
    comeca('2027-01-31', '2027-02-01'),
  ),
  ...linhas('1282-total-liquido-nao-informado', 'venda-interna', [liquido], novembro),
  ...linhas(
    '1283-soma-do-valor-liquido',
    'venda-interna',
    [poe('total/ICMSTot', '<vProdLiqTot>1.00</vProdLiqTot>', 'antes')],
    novembro,
  ),
]

const rtc: readonly Fronteira[] = [...ibsCbs, ...semInscricao, ...valorLiquido]

testFronteiras(rtc)
