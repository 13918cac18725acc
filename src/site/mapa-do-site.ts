import type { FastifyInstance } from 'fastify'
import { ufs } from '../documento/uf.ts'
import { READY } from '../platform/http/ready.ts'
import { html } from '../platform/pages/html.ts'
import { baseDe, molduraDe, openProntas } from '../platform/pages/moldura.ts'
import type { Catalogo } from '../rejeicoes/catalogo.ts'
import { assuntos, DIAGNOSTICO, enderecoDoAssunto, INDICE } from '../rejeicoes/page-busca.ts'
import { porCategoria } from '../rejeicoes/page-indice.ts'
import type { RejeicoesRoom } from '../rejeicoes/rejeicoes.ts'
import { addressOfQuadro } from '../sefaz/page-quadro.ts'
import { docs } from '../sefaz/rules.ts'
import { readCapitulos } from './guia-capitulos.ts'

const CABECALHOS = { 'cache-control': 'public, max-age=3600' }

/** Serves `/sitemap.xml` (sitemaps.org, 0.9), with every page once, and `/robots.txt`, which names it. */
export function mapaDoSite(app: FastifyInstance, { rejeicoes, ...room }: RejeicoesRoom): void {
  const moldura = molduraDe(room)
  const prontas = openProntas({ most: 2 })
  const base = (): string => baseDe(app, moldura)

  app.get('/sitemap.xml', READY, async (request, reply) => {
    const catalogo = rejeicoes.read()
    return prontas.send(request, reply, {
      nome: 'mapa',
      versao: catalogo?.versao ?? '',
      type: 'application/xml',
      headers: CABECALHOS,
      make: () => writeMapa(base(), catalogo),
    })
  })
  app.get('/robots.txt', READY, async (request, reply) =>
    prontas.send(request, reply, {
      nome: 'robots',
      versao: '',
      type: 'text/plain',
      headers: CABECALHOS,
      make: () => `User-agent: *\nDisallow: /api/\n\nSitemap: ${base()}/sitemap.xml\n`,
    }),
  )
}

const writeMapa = (base: string, catalogo: Catalogo | undefined): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${caminhos(catalogo).map((caminho) => html`<url><loc>${base + caminho}</loc></url>\n`)}</urlset>
`}`

const caminhos = (catalogo: Catalogo | undefined): readonly string[] => [
  '/',
  ...docs.map((doc) => addressOfQuadro(doc, '')),
  ...ufs.map((uf) => `/sefaz/${uf.toLowerCase()}/`),
  ...readCapitulos().map(({ caminho }) => caminho),
  '/documentacao',
  '/erros',
  ...(catalogo ? doCatalogo(catalogo) : []),
]

function doCatalogo(catalogo: Catalogo): string[] {
  const groups = porCategoria(catalogo)
  return [
    INDICE,
    DIAGNOSTICO,
    ...assuntos.filter(({ categoria }) => groups.has(categoria)).map((one) => enderecoDoAssunto(one)),
    ...catalogo.rejeicoes.map(({ url_blog }) => url_blog),
  ]
}
