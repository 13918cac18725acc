import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findUf, type Uf, unidades } from '../documento/uf.ts'
import type { Context } from '../platform/context.ts'
import { ApiError } from '../platform/errors.ts'
import { READY } from '../platform/http/ready.ts'
import { estaticos } from '../platform/pages/estaticos.ts'
import { html } from '../platform/pages/html.ts'
import { escreverPagina, type MolduraDoSite } from '../platform/pages/layout.ts'
import { openProntas } from '../platform/pages/moldura.ts'
import { openRetratos, type Retrato } from './page.ts'
import { paginaDoEstado } from './page-estado.ts'
import { enderecoDoPainel, painelDaSefaz } from './page-quadro.ts'
import { type Doc, docs, nomeDoDoc } from './rules.ts'
import { eventosDaSefaz } from './sefaz-eventos.ts'
import { incidentesDaPagina, resumoDaPagina } from './statuspage.ts'

/** A browser asks each time whether its copy is the newest; a cache that many share may keep it a little. */
const PAGINA = { type: 'text/html', headers: { 'cache-control': 'public, max-age=0, s-maxage=15' } }

/** Anyone's page may read it, from the browser too. */
const DADOS = {
  type: 'application/json',
  headers: {
    'cache-control': 'public, max-age=15',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  },
}

const CREDITOS = 'Mapa: Victor Cazanave e MapSVG (CC BY 4.0), com os contornos simplificados.'

/** The public pages of the monitor, under `/sefaz`: without a key, and each made at most once a round. */
export function paginasDaSefaz(app: FastifyInstance, ctx: Context, moldura: MolduraDoSite): void {
  const retratar = openRetratos(ctx)
  const prontas = openProntas({ most: 64 })
  const { prefixo } = moldura

  app.get('', READY, async (request, reply) =>
    reply.redirect(enderecoDoPainel(docOf(request) ?? 'nfe', prefixo), 301),
  )
  app.get('/', { ...READY, prefixTrailingSlash: 'slash' }, async (request, reply) => {
    const doc = docOf(request)
    if (doc === undefined) return reply.redirect(`${prefixo}/sefaz/`)
    const { vista, versao } = await retratar()
    const make = (): string => escreverPainel({ vista, versao }, doc, moldura)
    return prontas.send(request, reply, { nome: doc, versao, ...PAGINA, make })
  })

  const estado = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { uf: given } = Object(request.params)
    const uf = findUf(String(given))
    if (!uf) throw new ApiError('ROTA_NAO_ENCONTRADA', 'Não há um estado com esta sigla.')
    const path = `/sefaz/${uf.toLowerCase()}/`
    if (pathOf(request) !== path) return reply.redirect(prefixo + path, 301)
    const { vista, versao } = await retratar()
    const make = (): string => escreverEstado({ vista, versao }, uf, moldura)
    return prontas.send(request, reply, { nome: uf, versao, ...PAGINA, make })
  }
  app.get('/:uf', READY, estado)
  app.get('/:uf/', READY, estado)

  const origem = moldura.publico ?? ''
  for (const [nome, draw] of [
    ['summary.json', resumoDaPagina],
    ['incidents.json', incidentesDaPagina],
  ] as const)
    app.get(`/api/v2/${nome}`, READY, async (request, reply) => {
      const { vista, versao } = await retratar()
      const make = (): string => JSON.stringify(draw(vista, origem || prefixo))
      return prontas.send(request, reply, { nome, versao, ...DADOS, make })
    })

  eventosDaSefaz(app, ctx, retratar)
}

/** A request may name its host with its path (RFC 9112, 3.2.2). */
const pathOf = ({ url }: FastifyRequest): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')

/** The document that the page is asked for; undefined for what is none. */
function docOf({ query }: FastifyRequest): Doc | undefined {
  const { doc = 'nfe' } = Object(query)
  return docs.find((one) => one === doc)
}

const escreverPainel = ({ vista }: Retrato, doc: Doc, moldura: MolduraDoSite): string =>
  escreverPagina(
    {
      titulo: doc === 'nfe' ? 'SEFAZ agora' : `SEFAZ agora, ${nomeDoDoc[doc]}`,
      descricao: `A situação da ${nomeDoDoc[doc]} nos 27 estados, agora e nos últimos 90 dias: quem está fora, desde quando e o que fazer.`,
      atual: 'sefaz',
      canonico: enderecoDoPainel(doc, ''),
      modulos: [estaticos.sefaz.caminho],
      creditos: CREDITOS,
      conteudo: painelDaSefaz(vista, doc, moldura.prefixo),
    },
    moldura,
  )

const escreverEstado = ({ vista }: Retrato, uf: Uf, moldura: MolduraDoSite): string =>
  escreverPagina(
    {
      titulo: `SEFAZ ${uf} agora`,
      descricao: `NF-e, NFC-e e CT-e em ${unidades[uf].nome}: situação, tempo de resposta, contingência e incidentes dos últimos 90 dias.`,
      atual: 'sefaz',
      canonico: `/sefaz/${uf.toLowerCase()}/`,
      modulos: [estaticos.sefaz.caminho],
      conteudo: html`${paginaDoEstado(vista, uf, moldura.prefixo)}`,
    },
    moldura,
  )
