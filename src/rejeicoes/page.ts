import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors.ts'
import { READY } from '../platform/http/ready.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'
import { cabecalhosPublicos, openProntas } from '../platform/pages/moldura.ts'
import { openBuscas, sendPaginaDaBusca } from '../platform/pages/por-palavra.ts'
import type { Catalogo } from './catalogo.ts'
import { catalogoVigente } from './lookup.ts'
import { type Assunto, assuntos, enderecoDoAssunto, INDICE, readBusca, searchCatalogo } from './page-busca.ts'
import { diagnosticos } from './page-diagnostico.ts'
import {
  type Achadas,
  MAIS_ACHADAS,
  type ParteDaLista,
  parteDe,
  porCategoria,
  textoDasAchadas,
} from './page-indice.ts'
import { writeAssunto, writeBusca, writeIndice, writeRejeicao } from './page-paginas.ts'
import type { RejeicoesRoom } from './rejeicoes.ts'
import type { Rejeicao } from './rules.ts'
import { resultadoDe } from './textos.ts'

const PAGINA = { type: 'text/html', headers: cabecalhosPublicos }

/** The pages that are kept as they go out: some 40 kB each, of a thousand that there are. */
const GUARDADAS = 200

const INSTANTANEAS = 20

export function paginasDasRejeicoes(app: FastifyInstance, room: RejeicoesRoom, moldura: MolduraDoSite): void {
  const prontas = openProntas({ most: GUARDADAS })
  const emSuaVez = openBuscas<Omit<Achadas, 'q'>>()
  const { prefixo } = moldura
  const send = (
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    nome: string,
    { versao }: Catalogo,
    make: () => string,
  ): Promise<FastifyReply> => prontas.send(request, reply, { nome, versao, ...PAGINA, make })

  app.get('', READY, async (_request, reply) => reply.redirect(prefixo + INDICE, 301))
  app.get('/', { ...READY, prefixTrailingSlash: 'slash' }, async (request, reply) => {
    const catalogo = catalogoVigente(room)
    const { q, pagina } = Object(request.query)
    const busca = readBusca(q)
    if (busca !== '') return sendBusca({ request, reply }, catalogo, busca)
    const parte = parteOrRefuse(catalogo.rejeicoes, pagina)
    return send({ request, reply }, `indice ${parte.pagina}`, catalogo, () =>
      writeIndice(catalogo, parte, moldura),
    )
  })

  async function sendBusca(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    catalogo: Catalogo,
    q: string,
  ): Promise<FastifyReply> {
    const achadas = await find({ request, reply }, catalogo, q)
    return sendPaginaDaBusca(reply, writeBusca(catalogo, achadas, moldura))
  }

  /** The first of what is found, and how many there are. */
  async function find(
    from: { request: FastifyRequest; reply: FastifyReply },
    catalogo: Catalogo,
    q: string,
  ): Promise<Achadas> {
    const achadas = await emSuaVez(from, `${catalogo.versao} ${q}`, async () => {
      const todas = await searchCatalogo(catalogo, q)
      return { total: todas.length, rejeicoes: todas.slice(0, MAIS_ACHADAS) }
    })
    return { q, ...achadas }
  }

  app.get('/busca.json', { schema: { hide: true }, exposeHeadRoute: true }, async (request, reply) => {
    const q = readBusca(Object(request.query).q)
    const todas = await find({ request, reply }, catalogoVigente(room), q)
    const achadas = { ...todas, rejeicoes: todas.rejeicoes.slice(0, INSTANTANEAS) }
    return reply
      .header('cache-control', 'public, max-age=60')
      .send({ texto: textoDasAchadas(achadas), itens: achadas.rejeicoes.map((one) => itemDe(one, prefixo)) })
  })

  app.get('/categoria/:slug', READY, async (request, reply) =>
    reply.redirect(prefixo + enderecoDoAssunto(assuntoPedido(request)), 301),
  )
  app.get('/categoria/:slug/', READY, async (request, reply) => {
    const assunto = assuntoPedido(request)
    const catalogo = catalogoVigente(room)
    const todas = porCategoria(catalogo).get(assunto.categoria) ?? []
    if (todas.length === 0) throw notFound('Não há rejeições nesta categoria.')
    const parte = parteOrRefuse(todas, Object(request.query).pagina)
    return send({ request, reply }, `${assunto.slug} ${parte.pagina}`, catalogo, () =>
      writeAssunto({ assunto, total: todas.length, parte }, moldura),
    )
  })

  diagnosticos(app, room, moldura)

  const rejeicao = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const catalogo = catalogoVigente(room)
    const asked = String(Object(request.params).slug)
    const code = codigoEm(asked) ?? 0
    // By its slug, by its code, or by a slug that it once had: the code in it is the same.
    const found = catalogo.porSlug.get(asked) ?? catalogo.porCodigo.get(code)
    // A status that refuses nothing has no page, and its address says what it means.
    if (!found) throw notFound(resultadoDe(code) ?? 'Não há uma rejeição neste endereço.')
    const isItsAddress = found.slug === asked && /^[^?#]*\/(?:[?#]|$)/.test(request.url)
    if (!isItsAddress) return reply.redirect(prefixo + found.url_blog, 301)
    return send({ request, reply }, found.slug, catalogo, () => writeRejeicao(catalogo, found, moldura))
  }
  app.get('/:slug', READY, rejeicao)
  app.get('/:slug/', READY, rejeicao)
}

const notFound = (detail: string): ApiError => new ApiError('ROTA_NAO_ENCONTRADA', detail)

const itemDe = ({ codigo, titulo, categoria, url_blog }: Rejeicao, prefixo: string) => ({
  codigo,
  titulo,
  categoria,
  endereco: prefixo + url_blog,
})

function parteOrRefuse(rejeicoes: readonly Rejeicao[], pagina: unknown): ParteDaLista {
  const parte = parteDe(rejeicoes, pagina)
  if (!parte) throw notFound('A lista não tem esta página.')
  return parte
}

function assuntoPedido({ params }: FastifyRequest): Assunto {
  const { slug } = Object(params)
  const found = assuntos.find((one) => one.slug === slug)
  if (!found) throw notFound('Não há uma categoria neste endereço.')
  return found
}

function codigoEm(asked: string): number | undefined {
  const code = /^(?:(?:rejeicao|status)-)?0{0,3}(\d{1,4})(?:-|$)/i.exec(asked)?.[1]
  return code === undefined ? undefined : Number(code)
}
