import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors.ts'
import { prefersMarkdown, READY } from '../platform/http/ready.ts'
import { estaticos } from '../platform/pages/estaticos.ts'
import { escreverPagina, type MolduraDoSite } from '../platform/pages/layout.ts'
import { cabecalhosPublicos, openProntas } from '../platform/pages/moldura.ts'
import { abrirUmaVez } from '../platform/pages/por-palavra.ts'
import { lerBusca } from '../rejeicoes/page-busca.ts'
import type { Bloco } from './blocos.ts'
import { abrirBuscas, mandarPaginaDaBusca } from './buscas.ts'
import { abrirBusca, type Procurar, paginaDaBusca } from './guia-busca.ts'
import { type Capitulo, lerCapitulos, PRIMEIRO, textoAvulso } from './guia-capitulos.ts'
import { indice, paginaDoCapitulo } from './guia-pagina.ts'
import { type GuiaLido, lerGuia } from './ler.ts'
import { baseDe } from './mapa-do-site.ts'

/** A chapter is a page or Markdown, as the reader asks. */
const COMUM = { headers: cabecalhosPublicos, vary: 'accept, accept-encoding' }

/** The guide as it was read, with the address of this service in it. */
type Guia = { blocos: GuiaLido; procurar: Procurar }

/**
 * The pages of the guide, under `/docs`. What it gives reads the guide once the service listens; a request
 * that comes earlier does it, or waits for it.
 */
export function paginasDoGuia(app: FastifyInstance, moldura: MolduraDoSite): () => Promise<unknown> {
  const { prefixo } = moldura
  const prontas = openProntas({ most: 100 })
  const emSuaVez = abrirBuscas<Awaited<ReturnType<Procurar>>>()
  const base = (): string => baseDe(app, moldura)
  const fim = new AbortController()
  app.addHook('preClose', async () => fim.abort())
  const guia = abrirUmaVez(() => abrirGuia(base(), fim.signal))

  async function mandar(request: FastifyRequest, reply: FastifyReply, capitulo: Capitulo) {
    if (prefersMarkdown(request.headers.accept)) return mandarTexto(request, reply, capitulo)
    const blocos = (await guia()).blocos.get(capitulo) ?? []
    const make = (): string => escreverCapitulo(capitulo, blocos, moldura)
    return prontas.send(request, reply, {
      nome: capitulo.slug,
      versao: '',
      type: 'text/html',
      ...COMUM,
      make,
    })
  }
  function mandarTexto(request: FastifyRequest, reply: FastifyReply, capitulo: Capitulo) {
    const make = (): string => textoAvulso(capitulo, base())
    const what = { nome: `${capitulo.slug}.md`, versao: '', type: 'text/markdown', ...COMUM, make }
    return prontas.send(request, reply, what)
  }

  app.get('', READY, async (_request, reply) => reply.redirect(`${prefixo}/docs/`, 301))
  app.get('/', { ...READY, prefixTrailingSlash: 'slash' }, async (request, reply) =>
    mandar(request, reply, capituloPedido(PRIMEIRO)),
  )
  app.get('/busca/', READY, async (request, reply) => {
    const q = lerBusca(Object(request.query).q)
    const { procurar } = await guia()
    const achadas = await emSuaVez({ request, reply }, q, async () => (q === '' ? [] : procurar(q)))
    return mandarPaginaDaBusca(reply, escreverBusca(q, achadas, moldura))
  })
  app.get('/:nome', READY, async (request, reply) => {
    const [, slug, extensao] = /^(.*?)(\.md)?$/.exec(nomePedido(request)) ?? []
    const capitulo = capituloPedido(slug)
    return extensao ? mandarTexto(request, reply, capitulo) : reply.redirect(prefixo + capitulo.caminho, 301)
  })
  app.get('/:nome/', READY, async (request, reply) => {
    const capitulo = capituloPedido(nomePedido(request))
    if (capitulo.slug === PRIMEIRO) return reply.redirect(prefixo + capitulo.caminho, 301)
    return mandar(request, reply, capitulo)
  })
  return guia
}

const nomePedido = ({ params }: FastifyRequest): string => String(Object(params).nome)

function capituloPedido(slug: string | undefined): Capitulo {
  const found = lerCapitulos().find((one) => one.slug === slug)
  if (!found) throw new ApiError('ROTA_NAO_ENCONTRADA', 'Não há um capítulo do guia neste endereço.')
  return found
}

async function abrirGuia(base: string, signal: AbortSignal): Promise<Guia> {
  const blocos = await lerGuia(base, signal)
  return { blocos, procurar: await abrirBusca([...blocos]) }
}

const escreverCapitulo = (capitulo: Capitulo, blocos: readonly Bloco[], moldura: MolduraDoSite): string =>
  escreverPagina(
    {
      titulo: capitulo.titulo,
      descricao: capitulo.descricao,
      atual: 'documentacao',
      canonico: capitulo.caminho,
      modulos: [estaticos.guia.caminho],
      conteudo: paginaDoCapitulo({ capitulo, capitulos: lerCapitulos(), prefixo: moldura.prefixo }, blocos),
    },
    moldura,
  )

const escreverBusca = (q: string, achadas: Awaited<ReturnType<Procurar>>, moldura: MolduraDoSite): string =>
  escreverPagina(
    {
      titulo: q === '' ? 'Procurar no guia' : `“${q}” no guia`,
      descricao: 'O que o guia diz sobre o que você procura.',
      atual: 'documentacao',
      avulsa: true,
      conteudo: paginaDaBusca(
        { q, achadas },
        indice(lerCapitulos(), { prefixo: moldura.prefixo, q }),
        moldura.prefixo,
      ),
    },
    moldura,
  )
