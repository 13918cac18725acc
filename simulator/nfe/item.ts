import { mix } from '../documento/aleatorio.ts'
import type { Campo } from '../platform/nfe-xml.ts'

/** One item of a note; money in cents, quantities in thousandths. */
export type Item = {
  codigo: string
  descricao: string
  ncm: string
  cest: string | undefined
  unidade: string
  quantidade: number
  unitario: number
  valor: number
}

/**
 * What the issuer sells: a description that XML has to escape, one with what people type into such fields.
 */
const PRODUTOS = [
  ['PÃO DE QUEIJO CONGELADO 1KG', '19012090', '1705000', 'PCT', 1890],
  ['BISCOITO "MAIZENA" 400G', '19053100', '1705300', 'UN', 549],
  ['CAFÉ TORRADO & MOÍDO 500G', '09012100', '1709700', 'PCT', 2399],
  ['GELEIA DE MOCOTÓ < 100 KCAL', '20079990', undefined, 'UN', 879],
  ["CHÁ D'ÁGUA-DE-COLÔNIA 10 SACHÊS", '09024000', undefined, 'CX', 1275],
  ['AÇÚCAR CRISTAL 5KG', '17019900', '1710100', 'PCT', 2150],
  ['FARINHA DE TRIGO ESPECIAL 25KG', '11010010', '1704400', 'SC', 9790],
] as const

/** Two or three items, worked out of a number: equal numbers buy the same. */
export function sortearItens(semente: number): Item[] {
  const quantos = 2 + (semente % 2)
  return Array.from({ length: quantos }, (_, i) => {
    const [descricao, ncm, cest, unidade, unitario] =
      PRODUTOS[(semente + 3 * i) % PRODUTOS.length] ?? PRODUTOS[0]
    const quantidade = 1000 * (1 + (mix(semente, i) % 24))
    const codigo = String(1000 + (mix(semente, i + 10) % 9000))
    return {
      codigo,
      descricao,
      ncm,
      cest,
      unidade,
      quantidade,
      unitario,
      valor: (quantidade / 1000) * unitario,
    }
  })
}

/** Rates in hundredths of a per cent: ICMS inside São Paulo, PIS and COFINS of who pays them on turnover. */
const ALIQUOTA = { icms: 1800, pis: 165, cofins: 760 } as const

/** A tax on a value, in cents. */
export function imposto(valor: number, tributo: keyof typeof ALIQUOTA): number {
  return Math.round((valor * ALIQUOTA[tributo]) / 10_000)
}

/** Cents as `0.00`. */
export function reais(centavos: number): string {
  return (centavos / 100).toFixed(2)
}

/** The element `det` of an item (MOC 7.0, Anexo I, groups H to S). */
export function detalhar(item: Item, numero: number): Campo {
  const { codigo, descricao, ncm, cest, unidade, quantidade, unitario, valor } = item
  const quanto = (quantidade / 1000).toFixed(4)
  return [
    `det nItem="${numero}"`,
    [
      [
        'prod',
        [
          ['cProd', codigo],
          ['cEAN', 'SEM GTIN'],
          ['xProd', descricao],
          ['NCM', ncm],
          ['CEST', cest],
          ['CFOP', '5101'],
          ['uCom', unidade],
          ['qCom', quanto],
          ['vUnCom', `${reais(unitario)}00`],
          ['vProd', reais(valor)],
          ['cEANTrib', 'SEM GTIN'],
          ['uTrib', unidade],
          ['qTrib', quanto],
          ['vUnTrib', `${reais(unitario)}00`],
          ['indTot', '1'],
          ['xPed', String(mix(quantidade, unitario) % 100_000)],
          ['nItemPed', String(numero)],
        ],
      ],
      ['imposto', impostos(valor)],
    ],
  ]
}

function impostos(valor: number): Campo[] {
  const base: Campo = ['vBC', reais(valor)]
  const aliquota = (tributo: keyof typeof ALIQUOTA): string => (ALIQUOTA[tributo] / 100).toFixed(4)
  const icms: Campo[] = [
    ['orig', '0'],
    ['CST', '00'],
    ['modBC', '3'],
    base,
    ['pICMS', aliquota('icms')],
    ['vICMS', reais(imposto(valor, 'icms'))],
  ]
  const pis: Campo[] = [
    ['CST', '01'],
    base,
    ['pPIS', aliquota('pis')],
    ['vPIS', reais(imposto(valor, 'pis'))],
  ]
  const cofins: Campo[] = [
    ['CST', '01'],
    base,
    ['pCOFINS', aliquota('cofins')],
    ['vCOFINS', reais(imposto(valor, 'cofins'))],
  ]
  return [
    ['ICMS', [['ICMS00', icms]]],
    [
      'IPI',
      [
        ['cEnq', '999'],
        ['IPINT', [['CST', '53']]],
      ],
    ],
    ['PIS', [['PISAliq', pis]]],
    ['COFINS', [['COFINSAliq', cofins]]],
  ]
}
