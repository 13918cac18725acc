import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import { type Fronteira, testFronteiras } from '../kit/rejeicoes.ts'

/** Days around the third of August of 2026, when NFC-e rules began to bind model 55 with `tpImp` 6. */
const emAgosto: Fronteira['dias'] = [
  ['2026-08-02', 'nao_aplicavel'],
  ['2026-08-03', 'falha'],
]

/** The same turn in homologation, where it came a month before. */
const emJulho: Fronteira['dias'] = [
  ['2026-06-30', 'nao_aplicavel'],
  ['2026-07-01', 'falha'],
]

/** What a sale at a counter must not hold, by the check that finds it. */
const noBalcao: Readonly<Record<string, readonly Mudanca[]>> = {
  '705-saida-no-balcao': [
    { campo: 'ide/dhEmi', xml: '<dhSaiEnt>2026-11-10T10:15:00-03:00</dhSaiEnt>', onde: 'depois' },
  ],
  '715-finalidade-no-balcao': [{ campo: 'ide/finNFe', valor: '3' }],
  '717-presenca-no-balcao': [{ campo: 'ide/indPres', valor: '2' }],
  '753-frete-no-balcao': [{ campo: 'transp/modFrete', valor: '0' }],
  '394-sem-qrcode-no-balcao': [{ campo: 'infNFeSupl', valor: null }],
  '760-cobranca-no-balcao': [
    { campo: 'transp', xml: '<cobr><fat><nFat>1</nFat></fat></cobr>', onde: 'depois' },
  ],
  '718-iest-no-balcao': [{ campo: 'emit/IE', xml: '<IEST>110042490114</IEST>', onde: 'depois' }],
  '742-ipi-no-balcao': [
    {
      campo: 'det[1]/imposto/ICMS',
      xml: '<IPI><cEnq>999</cEnq><IPINT><CST>53</CST></IPINT></IPI>',
      onde: 'depois',
    },
  ],
  '774-item-fora-do-total-no-balcao': [{ campo: 'det[2]/prod/indTot', valor: '0' }],
  '725-cfop-no-balcao': [{ campo: 'det[2]/prod/CFOP', valor: '5403' }],
  '382-cfop-do-cst-no-balcao': [{ campo: 'det[1]/prod/CFOP', valor: '5405' }],
  '708-referencia-no-balcao': [
    {
      campo: 'ide/verProc',
      xml: '<NFref><refNFe>35261022333444000181550010000011501529183745</refNFe></NFref>',
      onde: 'depois',
    },
  ],
  '672-qrcode-versao-no-balcao': [
    {
      campo: 'infNFeSupl/qrCode',
      valor:
        'https://www.nfce.fazenda.sp.gov.br/qrcode?p=35261122333444000181550010000053111263940277|2|1|1|0123456789',
    },
  ],
}

const qrCode =
  '<infNFeSupl><qrCode>https://www.nfce.fazenda.sp.gov.br/qrcode?p=35261111222333000181550010000012011482103575|3|1</qrCode><urlChave>https://www.nfce.fazenda.sp.gov.br/consulta</urlChave></infNFeSupl>'

const deDezMil: readonly Mudanca[] = [
  { campo: 'dest', valor: null },
  { campo: 'total/ICMSTot/vNF', valor: '10000.01' },
]

const cupom: readonly Mudanca[] = [
  { campo: 'det[1]/prod/CFOP', valor: '5929' },
  { campo: 'ide/NFref/refNFe', valor: '35261011222333000181650010000011501529183740' },
]

const comNFref: readonly Mudanca[] = noBalcao['708-referencia-no-balcao'] ?? []

const foraDoEstabelecimento: readonly Mudanca[] = [{ campo: 'ide/indPres', valor: '5' }]

const nfce: readonly Fronteira[] = [
  ...Object.entries(noBalcao).map(([verificacao, mudancas]) => ({
    verificacao,
    nota: 'venda-balcao',
    mudancas,
    dias: emAgosto,
  })),
  ...['705-saida-no-balcao', '717-presenca-no-balcao', '742-ipi-no-balcao'].map((verificacao) => ({
    verificacao,
    nota: 'venda-balcao',
    mudancas: noBalcao[verificacao] ?? [],
    ambiente: '2' as const,
    dias: emJulho,
  })),
  {
    verificacao: '373-item-no-balcao',
    nota: 'venda-balcao',
    mudancas: [],
    ambiente: '2',
    dias: emJulho,
  },
  {
    verificacao: '706-nfce-entrada',
    nota: 'venda-balcao',
    mudancas: [{ campo: 'ide/tpNF', valor: '0' }],
    dias: emAgosto,
  },
  {
    verificacao: '707-nfce-interna',
    nota: 'venda-balcao',
    mudancas: [{ campo: 'ide/idDest', valor: '2' }],
    dias: emAgosto,
  },
  {
    verificacao: '393-nfe-com-qrcode',
    nota: 'venda-interna',
    mudancas: [{ campo: 'infNFe', xml: qrCode, onde: 'depois' }],
    dias: [
      ['2026-08-02', 'falha'],
      ['2026-08-03', 'nao_aplicavel'],
    ],
  },
  {
    verificacao: '393-nfe-com-qrcode',
    nota: 'venda-interna',
    mudancas: [{ campo: 'infNFe', xml: qrCode, onde: 'depois' }],
    ambiente: '2',
    dias: [
      ['2026-06-30', 'falha'],
      ['2026-07-01', 'nao_aplicavel'],
    ],
  },
  {
    verificacao: '393-nfe-com-qrcode',
    nota: 'venda-balcao',
    mudancas: [],
    dias: [['2026-08-03', 'nao_aplicavel']],
  },
  {
    verificacao: '708-nfce-referencia',
    nota: 'nfce',
    mudancas: comNFref,
    dias: [
      ['2026-08-02', 'falha'],
      ['2026-08-03', 'falha'],
    ],
  },
  {
    verificacao: '717-nfce-presenca',
    nota: 'nfce',
    mudancas: [{ campo: 'ide/indPres', valor: '4' }],
    dias: [
      ['2026-08-02', 'ok'],
      ['2026-08-03', 'ok'],
    ],
  },
  {
    verificacao: '705-nfce-saida',
    nota: 'nfce',
    mudancas: noBalcao['705-saida-no-balcao'] ?? [],
    dias: [
      ['2025-06-30', 'falha'],
      ['2026-08-03', 'falha'],
    ],
  },
  {
    verificacao: '750-nfce-sem-destinatario-ate-junho',
    nota: 'nfce',
    mudancas: deDezMil,
    dias: [
      ['2026-06-14', 'falha'],
      ['2026-06-15', 'nao_aplicavel'],
    ],
  },
  {
    verificacao: '750-nfce-sem-destinatario',
    nota: 'nfce',
    mudancas: deDezMil,
    dias: [
      ['2026-06-14', 'nao_aplicavel'],
      ['2026-06-15', 'falha'],
    ],
  },
  {
    verificacao: '750-nfce-sem-destinatario',
    nota: 'nfce',
    mudancas: deDezMil,
    ambiente: '2',
    dias: [
      ['2026-05-31', 'nao_aplicavel'],
      ['2026-06-01', 'falha'],
    ],
  },
  {
    verificacao: '375-cupom-ate-dezembro',
    nota: 'complementar',
    mudancas: cupom,
    dias: [
      ['2026-12-13', 'falha'],
      ['2026-12-14', 'nao_aplicavel'],
    ],
  },
  {
    verificacao: '375-cupom-com-nfce',
    nota: 'complementar',
    mudancas: cupom,
    dias: [
      ['2026-12-13', 'nao_aplicavel'],
      ['2026-12-14', 'falha'],
    ],
  },
  {
    verificacao: '375-cupom-com-nfce',
    nota: 'complementar',
    mudancas: cupom,
    ambiente: '2',
    dias: [
      ['2026-08-31', 'nao_aplicavel'],
      ['2026-09-01', 'falha'],
    ],
  },
  {
    verificacao: '1005-nfce-municipio-ibs',
    nota: 'nfce',
    mudancas: foraDoEstabelecimento,
    dias: emAgosto,
  },
  {
    verificacao: '1005-nfce-municipio-ibs',
    nota: 'nfce',
    mudancas: foraDoEstabelecimento,
    ambiente: '2',
    dias: emJulho,
  },
  {
    verificacao: '1099-nfce-local-da-operacao',
    nota: 'nfce',
    mudancas: [{ campo: 'ide/indIntermed', xml: '<cIndOp>010101</cIndOp>', onde: 'depois' }],
    dias: emAgosto,
  },
  {
    verificacao: '1110-retirada-do-local-da-operacao',
    nota: 'venda-interna',
    mudancas: [{ campo: 'ide/indIntermed', xml: '<cIndOp>010104</cIndOp>', onde: 'depois' }],
    dias: emAgosto,
  },
]

testFronteiras(nfce)
