import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Make } from 'node-sped-nfe'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { CATALOGO, NA_EMISSAO } from '../kit/rejeicoes.ts'

/** What differs between the notes. Documents are invented. */
type Venda = {
  ide: Record<string, string>
  emit?: Record<string, string>
  dest?: Record<string, string>
  enderDest?: Record<string, string>
  cfop: string
  /** Writes the taxes of item `at`, whose product is worth 100.00. */
  imposto: (nota: Make, at: number) => void
  /** What the package sums otherwise: it adds the bases of PIS and COFINS to the ICMS base, and no ICMS. */
  totais?: Record<string, string>
}

const enderEmit = {
  xLgr: 'Rua das Acácias',
  nro: '120',
  xBairro: 'Brás',
  cMun: '3550308',
  xMun: 'São Paulo',
  UF: 'SP',
  CEP: '01001000',
  cPais: '1058',
  xPais: 'Brasil',
}

const produto = (cfop: string, numero: number): Record<string, string> => ({
  cProd: `P-${numero}`,
  cEAN: 'SEM GTIN',
  xProd: `Camiseta de algodão ${numero}`,
  NCM: '61091000',
  CFOP: cfop,
  uCom: 'UN',
  qCom: '4',
  vUnCom: '25',
  vProd: '100',
  cEANTrib: 'SEM GTIN',
  uTrib: 'UN',
  qTrib: '4',
  vUnTrib: '25',
  indTot: '1',
})

/** A note of two items that `node-sped-nfe` (MIT) writes, with its own totals, key and order of fields. */
async function fazerNota({ ide, emit, dest, enderDest, cfop, imposto, totais }: Venda): Promise<string> {
  const nota = new Make()
  nota.tagInfNFe({ versao: '4.00' })
  nota.tagIde({
    cUF: '35',
    cNF: '48210357',
    natOp: 'Venda de mercadoria',
    mod: '55',
    serie: '1',
    nNF: '1201',
    dhEmi: '2026-11-10T10:15:00-03:00',
    tpNF: '1',
    idDest: '1',
    cMunFG: '3550308',
    tpImp: '1',
    tpEmis: '1',
    cDV: '0',
    tpAmb: '1',
    finNFe: '1',
    indFinal: '0',
    indPres: '1',
    ...(ide.indIntermed && { indIntermed: ide.indIntermed }),
    procEmi: '0',
    verProc: 'Exemplo 1.0',
    ...ide,
  })
  nota.tagEmit({
    CNPJ: '11222333000181',
    xNome: 'Confecções Serra Verde Ltda',
    xFant: 'Serra Verde',
    IE: '123456702007',
    CRT: '3',
    ...emit,
  })
  nota.tagEnderEmit(enderEmit)
  if (dest) nota.tagDest(dest)
  if (enderDest) nota.tagEnderDest(enderDest)
  await nota.tagProd([produto(cfop, 1), produto(cfop, 2)])
  imposto(nota, 0)
  imposto(nota, 1)
  nota.tagTotal({ ICMSTot: totais })
  nota.tagTransp({ modFrete: '9' })
  nota.tagDetPag([{ indPag: '0', tPag: '01', vPag: '200.00' }])
  return nota.xml()
}

const catalogo = CATALOGO
const agora = NA_EMISSAO

const contribuintePaulista = {
  dest: { CNPJ: '22333444000181', xNome: 'Loja do Centro Ltda', indIEDest: '1', IE: '234567803001' },
  enderDest: {
    xLgr: 'Avenida Central',
    nro: '45',
    xBairro: 'Centro',
    cMun: '3509502',
    xMun: 'Campinas',
    UF: 'SP',
    CEP: '13010000',
    cPais: '1058',
    xPais: 'Brasil',
  },
}

const baiana = {
  dest: { CPF: '12312312387', xNome: 'Joana Exemplo da Silva', indIEDest: '9' },
  enderDest: {
    xLgr: 'Ladeira das Flores',
    nro: '31',
    xBairro: 'Barra',
    cMun: '2927408',
    xMun: 'Salvador',
    UF: 'BA',
    CEP: '40020000',
    cPais: '1058',
    xPais: 'Brasil',
  },
}

const contribuicoes = (nota: Make, at: number): void => {
  nota.tagProdPIS(at, { CST: '01', vBC: '100.00', pPIS: '1.65', vPIS: '1.65' })
  nota.tagProdCOFINS(at, { CST: '01', vBC: '100.00', pCOFINS: '7.60', vCOFINS: '7.60' })
}

const comIcms =
  (pICMS: string, vICMS: string) =>
  (nota: Make, at: number): void => {
    nota.tagProdICMS(at, { orig: '0', CST: '00', modBC: '3', vBC: '100.00', pICMS, vICMS })
    contribuicoes(nota, at)
  }

const semImposto = (nota: Make, at: number): void => {
  nota.tagProdPIS(at, { CST: '07' })
  nota.tagProdCOFINS(at, { CST: '07' })
}

const simples = (csosn: string) => (nota: Make, at: number) => {
  nota.tagProdICMSSN(at, { orig: '0', CSOSN: csosn })
  semImposto(nota, at)
}

const comDiferenca = (nota: Make, at: number): void => {
  comIcms('7.00', '7.00')(nota, at)
  nota.tagProdICMSUFDest(at, {
    vBCUFDest: '100.00',
    vBCFCPUFDest: '100.00',
    pFCPUFDest: '2.00',
    pICMSUFDest: '20.50',
    pICMSInter: '7.00',
    pICMSInterPart: '100.00',
    vFCPUFDest: '2.00',
    vICMSUFDest: '13.50',
    vICMSUFRemet: '0.00',
  })
}

const aDezoito = { vBC: '200.00', vICMS: '36.00' }

const nfce = {
  mod: '65',
  tpImp: '4',
  indFinal: '1',
  indPres: '1',
  nNF: '5310',
}

const vendas: readonly [string, Venda][] = [
  [
    'within the state',
    { ide: {}, ...contribuintePaulista, cfop: '5102', imposto: comIcms('18.00', '18.00'), totais: aDezoito },
  ],
  [
    'to another state, to who is no taxpayer',
    {
      ide: { idDest: '2', indFinal: '1', indPres: '2', indIntermed: '0' },
      ...baiana,
      cfop: '6108',
      imposto: comDiferenca,
      totais: { vBC: '200.00', vICMS: '14.00' },
    },
  ],
  [
    'of Simples Nacional, within the state',
    { ide: {}, emit: { CRT: '1' }, ...contribuintePaulista, cfop: '5102', imposto: simples('102') },
  ],
  [
    'of a MEI, within the state',
    { ide: {}, emit: { CRT: '4' }, ...contribuintePaulista, cfop: '5102', imposto: simples('102') },
  ],
  [
    'in the test environment',
    {
      ide: { tpAmb: '2' },
      ...contribuintePaulista,
      cfop: '5101',
      imposto: comIcms('18.00', '18.00'),
      totais: aDezoito,
    },
  ],
]

describe('the diagnosis of notes that an independent package makes', () => {
  for (const [nome, venda] of vendas)
    it(`refuses nothing in a sale ${nome}`, async () => {
      const laudo = makeLaudo({ xml: await fazerNota(venda), agora, catalogo })
      assert.deepEqual(laudo.esquema.erros, [])
      assert.deepEqual(laudo.suspeitas, [])
      assert.deepEqual([laudo.assinatura.situacao, laudo.emendas], ['ausente', []])
      assert.ok(laudo.resumo.ok > 60)
    })

  for (const [nome, venda] of [
    [
      'of the normal regime',
      { ide: nfce, cfop: '5102', imposto: comIcms('18.00', '18.00'), totais: aDezoito },
    ],
    ['of Simples Nacional', { ide: nfce, emit: { CRT: '1' }, cfop: '5102', imposto: simples('102') }],
  ] satisfies [string, Venda][])
    it(`finds in an NFC-e ${nome} only the QR code that the package leaves to its other half`, async () => {
      const xml = await fazerNota(venda)
      const laudo = makeLaudo({ xml, agora, catalogo })
      assert.deepEqual(
        laudo.esquema.erros.map(({ caminho }) => caminho),
        ['infNFeSupl/qrCode'],
      )
      assert.deepEqual(
        laudo.verificacoes.filter(({ resultado }) => resultado === 'falha').map(({ id }) => id),
        [],
      )
      const chave = /Id="NFe(\d{44})"/.exec(xml)?.[1]
      const qr = `https://www.nfce.fazenda.sp.gov.br/qrcode?p=${chave}|3|1`
      const completa = makeLaudo({ xml: xml.replace(/(?<=<qrCode>)[^<]*/, qr), agora, catalogo })
      assert.deepEqual([completa.esquema.erros, completa.suspeitas], [[], []])
    })
})
