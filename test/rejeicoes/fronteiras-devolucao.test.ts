import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import type { ResultadoDaVerificacao } from '../../src/rejeicoes/rules-laudo.ts'
import { type Fronteira, testFronteiras } from '../kit/rejeicoes.ts'

const NOTA = '35261011222333000181550010000011611647382911'
const NFCE = '35261011222333000181650010000011611647382914'
const OUTRO = '35261033444555000181550010000011781318472659'
const ANTERIOR = '35261022333444000181550010000006441294758099'

const campo = (onde: string, valor: string | null): Mudanca => ({ campo: onde, valor })

const depoisDe = (onde: string, xml: string): Mudanca => ({ campo: onde, xml, onde: 'depois' })

const naNota = (dentro: string): Mudanca => depoisDe('ide/verProc', `<NFref>${dentro}</NFref>`)

const noItem = (chave: string): Mudanca =>
  depoisDe(
    'det[1]/imposto',
    `<DFeReferenciado><chaveAcesso>${chave}</chaveAcesso><nItem>1</nItem></DFeReferenciado>`,
  )

const modelo1 =
  '<refNF><cUF>35</cUF><AAMM>1503</AAMM><CNPJ>11222333000181</CNPJ><mod>01</mod><serie>1</serie><nNF>10</nNF></refNF>'
const modelo1Errado = modelo1.replace('1503', '2712').replace('000181', '000182')
const produtor =
  '<refNFP><cUF>35</cUF><AAMM>2503</AAMM><CPF>52998224725</CPF><IE>234567803001</IE><mod>04</mod><serie>1</serie><nNF>10</nNF></refNFP>'
const produtorErrado = produtor.replace('2503', '2712').replace('725<', '726<').replace('3001<', '3002<')
const cupom = '<refECF><mod>2D</mod><nECF>001</nECF><nCOO>000123</nCOO></refECF>'

const linha = (
  verificacao: string,
  nota: string,
  mudancas: readonly Mudanca[],
  dias: Fronteira['dias'],
  ambiente?: '2',
): Fronteira => ({ verificacao, nota, mudancas, dias, ...(ambiente && { ambiente }) })

/** A rule that begins: nothing on the day before, then the result. */
const comeca = (
  vespera: string,
  dia: string,
  resultado: ResultadoDaVerificacao = 'falha',
): Fronteira['dias'] => [
  [vespera, 'nao_aplicavel'],
  [dia, resultado],
]

const emAgosto = comeca('2026-08-02', '2026-08-03')
const emJulhoDaHomologacao = comeca('2026-06-30', '2026-07-01')
const terminaEmOutubro: Fronteira['dias'] = [
  ['2026-10-04', 'falha'],
  ['2026-10-05', 'nao_aplicavel'],
]

const semItem = [campo('det[1]/DFeReferenciado', null)]
const soNaNota = [...semItem, naNota(`<refNFe>${NOTA}</refNFe>`)]
const icms = depoisDe('det[1]/imposto/IBSCBS', '<ICMS><ICMS40><orig>0</orig><CST>41</CST></ICMS40></ICMS>')
const retorno = [campo('ide/tpNFCredito', '03')]

/** Returns, references and adjustment notes. */
const devolucao: readonly Fronteira[] = [
  linha('321-devolucao-sem-referencia', 'devolucao', semItem, [
    ['2026-11-02', 'falha'],
    ['2026-11-03', 'indeterminado'],
    ['2026-11-15', 'indeterminado'],
    ['2026-11-16', 'nao_aplicavel'],
  ]),
  linha('321-devolucao-sem-referencia', 'devolucao', soNaNota, [
    ['2026-11-02', 'ok'],
    ['2026-11-16', 'nao_aplicavel'],
  ]),
  linha(
    '321-devolucao-sem-referencia',
    'devolucao',
    semItem,
    [
      ['2026-06-30', 'falha'],
      ['2026-07-01', 'nao_aplicavel'],
    ],
    '2',
  ),
  linha('321-devolucao-referencia-por-item', 'devolucao', soNaNota, [
    ['2026-11-02', 'nao_aplicavel'],
    ['2026-11-03', 'indeterminado'],
    ['2026-11-15', 'indeterminado'],
    ['2026-11-16', 'falha'],
  ]),
  linha('321-devolucao-referencia-por-item', 'devolucao', soNaNota, emJulhoDaHomologacao, '2'),
  linha(
    '321-devolucao-sem-referencia',
    'devolucao',
    [...semItem, campo('det[1]/prod/CFOP', '1202'), campo('ide/tpNF', '0')],
    [['2026-11-02', 'nao_aplicavel']],
  ),
  linha(
    '321-devolucao-referencia-por-item',
    'devolucao',
    [...semItem, campo('det[1]/prod/CFOP', '1202'), campo('ide/tpNF', '0')],
    comeca('2026-11-02', '2026-11-16'),
  ),
  linha('679-referencia-a-nfce', 'ajuste', [noItem(NFCE)], comeca('2026-12-13', '2026-12-14')),
  linha('679-referencia-a-nfce', 'ajuste', [noItem(NFCE)], comeca('2026-08-31', '2026-09-01'), '2'),
  linha(
    '679-referencia-a-nfce',
    'devolucao',
    [campo('det[1]/DFeReferenciado/chaveAcesso', NFCE)],
    comeca('2026-10-05', '2026-12-14', 'nao_aplicavel'),
  ),
  linha(
    '679-referencia-a-nfce',
    'nota-de-debito',
    [campo('det[1]/DFeReferenciado/chaveAcesso', NFCE)],
    comeca('2026-10-05', '2026-12-14', 'nao_aplicavel'),
  ),
  linha(
    '679-referencia-a-nfce-na-nota',
    'venda-interna',
    [naNota(`<refNFe>${NFCE}</refNFe>`)],
    comeca('2026-12-13', '2026-12-14'),
  ),
  linha(
    '679-referencia-a-nfce-na-nota',
    'venda-interna',
    [naNota(`<refNFe>${NFCE}</refNFe>`), campo('ide/tpImp', '6')],
    comeca('2026-12-13', '2026-12-14'),
  ),
  linha(
    '679-referencia-a-nfce-na-nota',
    'complementar',
    [campo('ide/NFref/refNFe', NFCE)],
    comeca('2026-12-13', '2026-12-14', 'nao_aplicavel'),
  ),
  linha('681-modelo-1-vedada', 'venda-interna', [naNota(modelo1)], comeca('2026-10-04', '2026-10-05')),
  linha('681-modelo-1-vedada', 'venda-interna', [naNota(modelo1)], comeca('2026-08-31', '2026-09-01'), '2'),
  linha('682-produtor-vedada', 'venda-interna', [naNota(produtor)], comeca('2026-10-04', '2026-10-05')),
  linha('924-cupom-vedado', 'venda-interna', [naNota(cupom)], comeca('2026-10-04', '2026-10-05')),
  linha('317-modelo-1-data', 'venda-interna', [naNota(modelo1Errado)], terminaEmOutubro),
  linha('548-modelo-1-cnpj', 'venda-interna', [naNota(modelo1Errado)], terminaEmOutubro),
  linha('322-produtor-data', 'venda-interna', [naNota(produtorErrado)], terminaEmOutubro),
  linha('550-produtor-cpf', 'venda-interna', [naNota(produtorErrado)], terminaEmOutubro),
  linha('551-produtor-ie', 'venda-interna', [naNota(produtorErrado)], terminaEmOutubro),
  linha('923-cupom-interestadual', 'substituicao-tributaria', [naNota(modelo1)], terminaEmOutubro),
  linha('1001-tributo-em-multa-e-juros', 'nota-de-debito', [icms], comeca('2025-11-16', '2025-11-17')),
  linha('1001-tributo-em-nota-de-ajuste', 'transferencia-de-credito', [icms], emAgosto),
  linha('1001-tributo-em-nota-de-ajuste', 'transferencia-de-credito', [icms], emJulhoDaHomologacao, '2'),
  ...['07'].map((tipo) =>
    linha(
      '1001-tributo-em-nota-de-ajuste',
      'transferencia-de-credito',
      [icms, campo('ide/tpNFDebito', tipo)],
      comeca('2026-08-02', '2026-08-03', 'nao_aplicavel'),
    ),
  ),
  ...['03', '04', '06'].map((tipo) =>
    linha(
      '1001-tributo-em-nota-de-ajuste',
      'nota-de-credito',
      [icms, campo('ide/tpNFCredito', tipo)],
      comeca('2026-08-02', '2026-08-03', 'nao_aplicavel'),
    ),
  ),
  linha(
    '1001-tributo-em-nota-de-ajuste',
    'transferencia-de-credito',
    [
      campo('ide/tpNFDebito', '06'),
      depoisDe('det[1]/imposto/IBSCBS', '<PIS><PISNT><CST>07</CST></PISNT></PIS>'),
    ],
    comeca('2026-08-02', '2026-08-03', 'ok'),
  ),
  linha(
    '1002-item-sem-icms-nem-issqn',
    'ajuste',
    [campo('det[1]/imposto/ICMS', null)],
    comeca('2025-11-16', '2025-11-17'),
  ),
  linha(
    '1002-item-sem-icms-nem-issqn',
    'ajuste',
    [campo('det[1]/imposto/ICMS', null), campo('emit/IE', null)],
    [['2026-11-16', 'nao_aplicavel']],
  ),
  linha(
    '1003-credito-modelo',
    'nota-de-credito',
    [campo('ide/NFref/refNFe', NFCE)],
    [
      ['2025-11-16', 'nao_aplicavel'],
      ['2025-11-17', 'falha'],
    ],
  ),
  linha(
    '1003-credito-modelo',
    'nota-de-credito',
    [campo('ide/NFref/refNFe', NFCE), ...retorno],
    comeca('2025-11-16', '2025-11-17', 'ok'),
  ),
  linha(
    '254-credito-sem-referencia',
    'nota-de-credito',
    [campo('ide/NFref', null)],
    comeca('2025-11-09', '2025-11-10'),
  ),
  linha(
    '1010-referencia-no-item-e-na-nota',
    'nota-de-debito',
    [naNota(`<refNFe>${NOTA}</refNFe>`)],
    [
      ['2025-11-09', 'nao_aplicavel'],
      ['2025-11-10', 'falha'],
    ],
  ),
  linha('1038-nota-de-ajuste-sem-referencia', 'nota-de-debito', semItem, emAgosto),
  linha('1038-nota-de-ajuste-sem-referencia', 'nota-de-debito', semItem, emJulhoDaHomologacao, '2'),
  linha(
    '1039-item-da-referencia-indevido',
    'nota-de-debito',
    [campo('ide/tpNFDebito', '03')],
    [
      ['2025-11-09', 'nao_aplicavel'],
      ['2025-11-10', 'indeterminado'],
      ['2026-08-02', 'indeterminado'],
      ['2026-08-03', 'falha'],
    ],
  ),
  linha(
    '1048-item-da-referencia-nao-informado',
    'devolucao',
    [campo('det[1]/DFeReferenciado/nItem', null)],
    emAgosto,
  ),
  linha('1042-credito-com-referencia-no-item', 'nota-de-credito', [noItem(NOTA)], emAgosto),
  linha(
    '1042-credito-com-referencia-no-item',
    'nota-de-credito',
    [noItem(NOTA), campo('ide/tpNFCredito', '06')],
    comeca('2026-08-02', '2026-08-03', 'nao_aplicavel'),
  ),
  linha('1194-devolucao-a-outro', 'devolucao', [], comeca('2026-08-02', '2026-08-03', 'ok')),
  linha(
    '1194-devolucao-a-outro',
    'devolucao',
    [campo('det[1]/DFeReferenciado/chaveAcesso', OUTRO)],
    [['2026-08-02', 'nao_aplicavel']],
  ),
  linha('1200-classificacao-do-debito', 'nota-de-debito', [campo('ide/tpNFDebito', '08')], emAgosto),
  linha('1201-classificacao-do-credito', 'nota-de-credito', [campo('ide/tpNFCredito', '05')], emAgosto),
  linha(
    '1202-classificacao-de-nota-de-ajuste',
    'ajuste',
    [campo('det[1]/imposto/IBSCBS/cClassTrib', '410030')],
    emAgosto,
  ),
  linha(
    '1168-transferencia-em-outro-debito',
    'transferencia-de-credito',
    [campo('ide/tpNFDebito', '06')],
    emAgosto,
  ),
  linha('1173-perda-sem-estorno', 'nota-de-debito', [campo('ide/tpNFDebito', '07')], emAgosto),
  linha(
    '1195-fornecimento-com-referencia',
    'compra-governamental',
    [depoisDe('ide/gCompraGov/tpOperGov', `<refDFeAnt>${ANTERIOR}</refDFeAnt>`)],
    emAgosto,
  ),
  linha(
    '1198-fornecimento-pago-sem-referencia',
    'compra-governamental',
    [campo('ide/gCompraGov/tpOperGov', '3')],
    emJulhoDaHomologacao,
    '2',
  ),
  linha(
    '1215-anterior-outro-emitente',
    'compra-governamental',
    [depoisDe('ide/gCompraGov/tpOperGov', `<refDFeAnt>${NOTA}</refDFeAnt>`)],
    emAgosto,
  ),
  linha(
    '327-outra-entrada-em-devolucao',
    'devolucao',
    [campo('ide/tpNF', '0'), campo('det[1]/prod/CFOP', '1949')],
    [
      ['2026-09-16', 'falha'],
      ['2026-09-17', 'nao_aplicavel'],
    ],
  ),
  linha(
    '327-outra-entrada-em-devolucao',
    'devolucao',
    [campo('ide/tpNF', '0'), campo('det[1]/prod/CFOP', '1949'), campo('dest/indIEDest', '9')],
    [['2026-09-16', 'ok']],
  ),
  linha(
    '327-cfop-de-devolucao',
    'devolucao',
    [campo('ide/tpNF', '0'), campo('det[1]/prod/CFOP', '1949')],
    comeca('2026-09-30', '2026-10-01', 'ok'),
  ),
  linha(
    '327-cfop-de-devolucao',
    'devolucao',
    [campo('det[1]/prod/CFOP', '5949')],
    comeca('2026-09-30', '2026-10-01'),
  ),
  linha(
    '327-cfop-de-devolucao',
    'devolucao',
    [campo('det[1]/prod/CFOP', '5949'), campo('det[1]/prod/NCM', '27112100')],
    comeca('2026-09-30', '2026-10-01', 'nao_aplicavel'),
  ),
  linha(
    '327-cfop-de-devolucao',
    'nota-de-credito',
    [...retorno, campo('det[1]/prod/CFOP', '1102')],
    comeca('2026-09-30', '2026-10-01'),
  ),
  linha(
    '328-cfop-de-devolucao-fora-de-devolucao',
    'ajuste',
    [campo('det[1]/prod/CFOP', '5411')],
    comeca('2026-09-30', '2026-10-01'),
  ),
  linha(
    '328-cfop-de-devolucao-fora-de-devolucao',
    'nota-de-credito',
    [...retorno, campo('det[1]/prod/CFOP', '1202')],
    comeca('2026-09-30', '2026-10-01', 'nao_aplicavel'),
  ),
  linha(
    '529-isento-com-suspensao-ou-diferimento',
    'venda-interna',
    [
      campo('dest/CNPJ', null),
      depoisDe('dest/xNome', '<CPF>52998224725</CPF>'),
      campo('dest/indIEDest', '2'),
      campo('det[1]/imposto/ICMS/*', null),
      { campo: 'det[1]/imposto/ICMS', xml: '<ICMS51><orig>0</orig><CST>51</CST></ICMS51>', onde: 'dentro' },
      campo('det[2]', null),
    ],
    [['2026-11-20', 'nao_aplicavel']],
  ),
]

testFronteiras(devolucao)
