import { after, before, describe } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { keepRules, noBrowser } from '../kit/browser.ts'
import { startCatalogo } from '../kit/catalogo.ts'
import type { House } from '../kit/house.ts'
import { fillMonitor } from '../kit/sefaz.ts'

/** Each page of ours, with what there is to show. */
const PAGES: readonly [name: string, path: string][] = [
  ['inicio', '/'],
  ['erros', '/erros'],
  ['guia', '/docs/'],
  ['guia-erros', '/docs/erros/'],
  ['guia-nfe', '/docs/consultar-nfe-xml/'],
  ['guia-operador', '/docs/operar-falhas/'],
  ['guia-busca', '/docs/busca/?q=certificado'],
  ['busca', '/busca?q=certidao'],
  ['sefaz', '/sefaz/'],
  ['sefaz-cte', '/sefaz/?doc=cte'],
  ['sefaz-pe', '/sefaz/pe/'],
  ['rejeicoes', '/blog/rejeicoes/'],
  ['rejeicoes-busca', '/blog/rejeicoes/?q=duplissidade'],
  ['rejeicoes-categoria', '/blog/rejeicoes/categoria/pagamento/'],
  ['rejeicao-610', '/blog/rejeicoes/610/'],
  ['rejeicao-777', '/blog/rejeicoes/777/'],
  ['diagnostico', '/blog/rejeicoes/diagnostico/'],
]

describe('the pages that everybody sees', { skip: noBrowser }, () => {
  let house: House
  before(async () => {
    house = await startCatalogo()
    await fillMonitor(house, NOW.getTime())
  })
  after(() => house.close())

  for (const [name, path] of PAGES)
    describe(`the page ${path}`, () => keepRules(name, () => house.address + path))

  // Every call, each with its samples in eight languages, is on one page.
  describe('the page /documentacao', () =>
    keepRules(
      'referencia',
      () => `${house.address}/documentacao`,
      () => ({}),
      100_000,
    ))
})
