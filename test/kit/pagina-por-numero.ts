import type { RotaIe } from '../../src/portal/estado.ts'

let routes = 0

/**
 * A page of MA that takes numbers alone, in the place of the state's own. Each is a source of its own, with a
 * circuit of its own.
 */
export const paginaPorNumero = (ask: RotaIe['ask']): readonly [RotaIe] => [
  {
    familia: 'teste',
    source: { id: `MA/por-numero-${++routes}`, nome: 'A página' },
    url: 'https://teste.example/',
    aceita: ['ie'],
    captcha: 'nenhum',
    certeza: 'verificado',
    origem: 'teste',
    em: '2026',
    espera: { marca: '', minimo: 0 },
    ask,
  },
]
