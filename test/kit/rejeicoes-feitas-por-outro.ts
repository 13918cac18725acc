import { Make } from 'node-sped-nfe'

/** What differs between the notes. Documents are invented. */
export type Venda = {
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
export async function fazerNota({
  ide,
  emit,
  dest,
  enderDest,
  cfop,
  imposto,
  totais,
}: Venda): Promise<string> {
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
