import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DIAS_GUARDADOS, diaDe, diaDepois, diasEntre, inicioDoDia } from '../documento/dia.ts'
import { findUf, type Uf, unidades } from '../documento/uf.ts'
import { ApiError } from '../platform/errors.ts'
import { READY } from '../platform/http/ready.ts'
import { eventText, openBroadcast } from '../platform/http/stream.ts'
import { networkOf } from '../platform/limits.ts'
import { html } from '../platform/pages/html.ts'
import { type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { estaticos, openProntas } from '../platform/pages/moldura.ts'
import { currentQuadro, findAmbienteNacional } from './lookup.ts'
import { summarize } from './page-incidentes.ts'
import { addressOfQuadro, drawEstado, drawQuadro } from './page-quadro.ts'
import { writeIncidents, writeSummary } from './page-statuspage.ts'
import type { AmbienteNacional, DiaVisto, Vista } from './page-vista.ts'
import { autorizadores, type Doc, docs, nomeDoDoc } from './rules.ts'
import { totalize } from './rules-historico.ts'
import type { DiaSefaz, Incidente, Quadro } from './rules-rodada.ts'
import type { SefazRoom } from './sefaz.ts'

/** How old the history may be before a visitor makes us read it again. */
const HISTORIA_MS = 60_000
/** How old the days that have ended may be: they hardly change. */
const TUDO_MS = 30 * 60_000

type Retrato = { vista: Vista; versao: string }

const nomes = { distribuicao: 'XML de notas pela chave', eventos: 'Manifestação e outros eventos' }

type Historia = {
  lida: number
  tudo: number
  ate: string
  dias: Dias
  incidentes: readonly Incidente[]
  nacional: readonly AmbienteNacional[]
}
type Dias = Map<string, Map<string, DiaVisto>>

/** The history is read at most once a minute; if the database fails, the last one read goes on. */
function openRetratos(room: SefazRoom): () => Promise<Retrato> {
  const { monitor, now, config, log } = room
  let historia: Historia | undefined
  // A database that fails is not asked again by each visitor.
  let tentada = Number.NEGATIVE_INFINITY
  let daRodada = -1
  let reading: Promise<void> | undefined

  async function readHistoria(agora: number): Promise<void> {
    const ate = diaDe(agora)
    const de = firstDia(ate)
    const known = historia?.ate === ate && agora - historia.tudo < TUDO_MS && hasPassado(historia)
    const dias = await monitor.dias({
      autorizadores: autorizadores.map(({ id }) => id),
      de: known ? ate : de,
      ate,
    })
    const incidentes = await monitor.incidentes({ de: inicioDoDia(de), ate: agora })
    const nacional = await findAmbienteNacional(room)
    historia = {
      lida: agora,
      tudo: known && historia ? historia.tudo : agora,
      ate,
      dias: mergeDias(known && historia ? historia.dias : new Map(), dias),
      incidentes,
      nacional: nacional.map(({ servico, situacao }) => ({ nome: nomes[servico], situacao })),
    }
  }

  function renewHistoria(agora: number, em: number): Promise<void> | undefined {
    const age = agora - tentada
    if (age >= 0 && (age < HISTORIA_MS || (em === daRodada && em !== 0))) return undefined
    tentada = agora
    reading ??= readHistoria(agora)
      .then(
        () => {
          daRodada = em
        },
        (error: unknown) => log.error({ err: error }, 'the history of the pages could not be read'),
      )
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  return async () => {
    const agora = now().getTime()
    const last = monitor.quadro()
    const quadro = currentQuadro(room)
    await renewHistoria(agora, quadro?.rodada.em ?? 0)
    const ate = diaDe(agora)
    const vista: Vista = {
      quadro,
      falta: missingOf(last, config.SEFAZ_MONITOR),
      ultima: last?.rodada.fim,
      intervaloS: config.SEFAZ_SECONDS,
      calendario: diasEntre(firstDia(ate), ate),
      dias: historia?.dias ?? new Map(),
      incidentes: historia?.incidentes ?? [],
      nacional: historia?.nacional ?? [],
    }
    const { rodada, valeAte } = last ?? { rodada: { em: 0 }, valeAte: 0 }
    return { vista, versao: [vista.falta, rodada.em, valeAte, historia?.lida, ate].join(' ') }
  }
}

const firstDia = (ate: string): string => diaDepois(ate, 1 - DIAS_GUARDADOS)

const missingOf = (last: Quadro | undefined, monitor: 'ligado' | 'desligado'): Vista['falta'] => {
  if (last) return last.parado ? 'parado' : undefined
  return monitor === 'ligado' ? 'sem-rodada' : 'desligado'
}

const hasPassado = ({ dias, ate }: Historia): boolean =>
  [...dias.values()].some((days) => [...days.keys()].some((dia) => dia !== ate))

function mergeDias(before: Dias, rows: readonly DiaSefaz[]): Dias {
  const dias = new Map([...before].map(([id, days]) => [id, new Map(days)]))
  for (const row of rows) {
    const days = dias.get(row.autorizador) ?? new Map<string, DiaVisto>()
    days.set(row.dia, viewDia(row))
    dias.set(row.autorizador, days)
  }
  return dias
}

function viewDia(day: DiaSefaz): DiaVisto {
  const { leituras, erros, timeouts, p50, p95 } = totalize([day])
  const { dia, confirmadas, desmentidas } = day
  const falhas = erros + timeouts
  return { dia, leituras, falhas, p50: seconds(p50), p95: seconds(p95), confirmadas, desmentidas }
}

const seconds = (ms: number | null): number | undefined => (ms === null ? undefined : ms / 1000)

/** How many may listen on this node, and of one address. */
const TODOS = 1_000
const DE_UM = 10

const TEMA = 'sefaz'

/** One event at the beginning, and one a board, made once for all. Who does not read is dropped. */
function serveEventos(
  app: FastifyInstance,
  { monitor, log }: SefazRoom,
  readRetrato: () => Promise<Retrato>,
): void {
  const todos = openBroadcast({ most: TODOS, mostEach: DE_UM })
  let last: { versao: string; text: string } | undefined

  async function writeEvento(): Promise<string> {
    const { vista, versao } = await readRetrato()
    if (last?.versao !== versao) {
      const agora = summarize(vista)
      last = { versao, text: eventText('agora', JSON.stringify(agora), String(agora.em)) }
    }
    return last.text
  }

  const stop = monitor.onQuadro(() => {
    if (todos.count() === 0) return
    writeEvento().then(
      (text) => todos.send(TEMA, text),
      (error: unknown) => log.error({ err: error }, 'an event of the pages could not be made'),
    )
  })
  app.addHook('preClose', async () => {
    stop()
    todos.close()
  })

  app.get('/eventos', { ...READY, exposeHeadRoute: false }, async (request, reply) => {
    const first = await writeEvento()
    if (!todos.listen(reply, { who: networkOf(request.ip), topic: TEMA, first }))
      throw new ApiError('RATE_LIMIT_EXCEEDED', 'Há páginas abertas demais: esta não se atualiza sozinha.', {
        retryS: 60,
      })
    return reply
  })
}

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
export function serveSefaz(app: FastifyInstance, room: SefazRoom, moldura: MolduraDoSite): void {
  const readRetrato = openRetratos(room)
  const prontas = openProntas({ most: 64 })
  const { prefixo } = moldura

  app.get('', READY, async (request, reply) =>
    reply.redirect(addressOfQuadro(docOf(request) ?? 'nfe', prefixo), 301),
  )
  app.get('/', { ...READY, prefixTrailingSlash: 'slash' }, async (request, reply) => {
    const doc = docOf(request)
    if (doc === undefined) return reply.redirect(`${prefixo}/sefaz/`)
    const { vista, versao } = await readRetrato()
    const make = (): string => writeQuadro({ vista, versao }, doc, moldura)
    return prontas.send(request, reply, { nome: doc, versao, ...PAGINA, make })
  })

  const estado = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { uf: given } = Object(request.params)
    const uf = findUf(String(given))
    if (!uf) throw new ApiError('ROTA_NAO_ENCONTRADA', 'Não há um estado com esta sigla.')
    const path = `/sefaz/${uf.toLowerCase()}/`
    if (pathOf(request) !== path) return reply.redirect(prefixo + path, 301)
    const { vista, versao } = await readRetrato()
    const make = (): string => writeEstado({ vista, versao }, uf, moldura)
    return prontas.send(request, reply, { nome: uf, versao, ...PAGINA, make })
  }
  app.get('/:uf', READY, estado)
  app.get('/:uf/', READY, estado)

  const origem = moldura.publico ?? ''
  for (const [nome, draw] of [
    ['summary.json', writeSummary],
    ['incidents.json', writeIncidents],
  ] as const)
    app.get(`/api/v2/${nome}`, READY, async (request, reply) => {
      const { vista, versao } = await readRetrato()
      const make = (): string => JSON.stringify(draw(vista, origem || prefixo))
      return prontas.send(request, reply, { nome, versao, ...DADOS, make })
    })

  serveEventos(app, room, readRetrato)
}

/** A request may name its host with its path (RFC 9112, 3.2.2). */
const pathOf = ({ url }: FastifyRequest): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')

function docOf({ query }: FastifyRequest): Doc | undefined {
  const { doc = 'nfe' } = Object(query)
  return docs.find((one) => one === doc)
}

const writeQuadro = ({ vista }: Retrato, doc: Doc, moldura: MolduraDoSite): string =>
  writePage(
    {
      titulo: doc === 'nfe' ? 'SEFAZ agora' : `SEFAZ agora, ${nomeDoDoc[doc]}`,
      descricao: `A situação da ${nomeDoDoc[doc]} nos 27 estados, agora e nos últimos 90 dias: quem está fora, desde quando e o que fazer.`,
      atual: 'sefaz',
      canonico: addressOfQuadro(doc, ''),
      modulos: [estaticos.sefaz.caminho],
      creditos: CREDITOS,
      conteudo: drawQuadro(vista, doc, moldura.prefixo),
    },
    moldura,
  )

const writeEstado = ({ vista }: Retrato, uf: Uf, moldura: MolduraDoSite): string =>
  writePage(
    {
      titulo: `SEFAZ ${uf} agora`,
      descricao: `NF-e, NFC-e e CT-e em ${unidades[uf].nome}: situação, tempo de resposta, contingência e incidentes dos últimos 90 dias.`,
      atual: 'sefaz',
      canonico: `/sefaz/${uf.toLowerCase()}/`,
      modulos: [estaticos.sefaz.caminho],
      conteudo: html`${drawEstado(vista, uf, moldura.prefixo)}`,
    },
    moldura,
  )
