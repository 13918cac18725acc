import type { FastifyInstance } from 'fastify'
import { findPedido, isFimDePedido, OLHAR, readFolha, walkUsos } from '../contas/lookup-usos.ts'
import type { TextoDeUsos } from '../contas/store-dias.ts'
import { dataBrasileira, diaDe, diaDepois, diaProblem } from '../documento/dia.ts'
import { maskDocumento } from '../documento/documento.ts'
import { findUf, ufs, unidades } from '../documento/uf.ts'
import { ApiError } from '../platform/errors.ts'
import { DIAS_DO_REGISTRO, signalOfLeaving } from '../platform/http/outcome.ts'
import { type Celula, openDownloads, sendCsv } from '../platform/pages/csv.ts'
import { formatNumero, formatQuando } from '../platform/pages/formatos.ts'
import {
  avisoDeProblemas,
  campoDeDia,
  escolhida,
  formularioDeFiltros,
  type OpcaoDeFiltro,
  opcoesDeDesfecho,
  selecao,
  textoDe,
} from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { fold } from '../platform/texto.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'
import {
  codigosChamados,
  faltaEm,
  isFalha,
  nomeDoEndpoint,
  opcoesDeEndpoint,
  semNada,
  tabelaDeChamadas,
} from './chamadas.ts'
import { openPedido, readPedido } from './pedido.ts'
import type { Sala } from './sala.ts'

/** What a visitor asked the log for. Undefined says nothing of it. */
type PerguntaAoRegistro = {
  endpoint: string | undefined
  desfecho: string | undefined
  uf: string | undefined
  /** AAAA-MM-DD in Brasília. */
  dia: string | undefined
  /** What was typed: anything that a line of the table shows. */
  q: string | undefined
  /** From which call on, and to which side. */
  marco: { criado_em: number; request_id: string } | undefined
  sentido: 'antigas' | 'novas'
  problemas: readonly string[]
}

/** What a call may have come to, with what the sums of the days cannot be asked for. */
const desfechos: readonly OpcaoDeFiltro[] = [
  ...opcoesDeDesfecho.slice(0, 1),
  ['cache', 'Reaproveitadas'],
  ['fonte', 'Em parte'],
  ...opcoesDeDesfecho.slice(1),
]

/** The states, and BR for what is asked of the Union. */
const opcoesDeUf: readonly OpcaoDeFiltro[] = [
  ...ufs.map((uf): OpcaoDeFiltro => [uf, `${uf} · ${unidades[uf].nome}`]),
  ['BR', 'BR · fontes nacionais'],
]

/** Reads a query of the log. What is wrong in it is left out and told. */
function readPergunta(query: unknown, hoje: string): PerguntaAoRegistro {
  const problemas: string[] = []
  const um = (nome: string, opcoes: readonly OpcaoDeFiltro[], what: string): string | undefined => {
    const valor = escolhida(query, nome, opcoes)
    if (valor === undefined && textoDe(query, nome) !== '')
      problemas.push(`Não há ${what} assim: o filtro ficou de fora.`)
    return valor
  }
  const antes = readMarco(textoDe(query, 'antes'))
  const depois = readMarco(textoDe(query, 'depois'))
  return {
    endpoint: um('endpoint', opcoesDeEndpoint, 'consulta'),
    desfecho: um('desfecho', desfechos, 'resultado'),
    uf: um('uf', opcoesDeUf, 'UF'),
    dia: readDia(textoDe(query, 'dia'), hoje, problemas),
    // Links from before say `pedido`.
    q: (textoDe(query, 'q') || textoDe(query, 'pedido')).slice(0, 100) || undefined,
    marco: antes ?? depois,
    sentido: antes === undefined && depois !== undefined ? 'novas' : 'antigas',
    problemas,
  }
}

function readDia(text: string, hoje: string, problemas: string[]): string | undefined {
  if (text === '') return undefined
  const problem = diaProblem(text)
  if (problem !== undefined) problemas.push(`Dia: ${problem}.`)
  else if (text > hoje || text < primeiroDia(hoje))
    problemas.push(
      `O registro guarda ${DIAS_DO_REGISTRO} dias: escolha um dia de ${dataBrasileira(primeiroDia(hoje))} a hoje.`,
    )
  else return text
  return undefined
}

const primeiroDia = (hoje: string): string => diaDepois(hoje, 1 - DIAS_DO_REGISTRO)

function readMarco(text: string): PerguntaAoRegistro['marco'] {
  const [, instant, id] = /^(\d{12,14})_([\w-]{1,64})$/.exec(text) ?? []
  return instant === undefined || id === undefined
    ? undefined
    : { criado_em: Number(instant), request_id: id }
}

function queryDe(
  { endpoint, desfecho, uf, dia, q }: Partial<PerguntaAoRegistro>,
  de?: { lado: 'antes' | 'depois'; marco: NonNullable<PerguntaAoRegistro['marco']> },
): string {
  const params = new URLSearchParams()
  for (const [nome, valor] of Object.entries({ endpoint, desfecho, uf, dia, q }))
    if (valor !== undefined) params.set(nome, valor)
  if (de) params.set(de.lado, `${de.marco.criado_em}_${de.marco.request_id}`)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

type Marco = NonNullable<PerguntaAoRegistro['marco']>

type FolhaDoRegistro = {
  pergunta: PerguntaAoRegistro
  hoje: string
  usos: Parameters<typeof tabelaDeChamadas>[0]
  /** The calls whose answer is still kept. */
  guardadas: ReadonlySet<string>
  next: Marco | undefined
  stoppedAt: Marco | undefined
  scan: number
  prefixo: string
  agora: number
}

const enderecoDoRegistro = (prefixo: string): string => `${prefixo}/painel/registro/`

const paginaDoRegistro = (folha: FolhaDoRegistro): Html =>
  html`<div class="topo"><div><h1>Chamadas</h1><p class="suave">Cada chamada da conta nos últimos ${DIAS_DO_REGISTRO} dias, a mais nova primeiro. Horários de Brasília.</p></div><a class="discreto" href="${url(`${enderecoDoRegistro(folha.prefixo)}registro.csv${queryDe(folha.pergunta)}`)}">Baixar CSV</a></div>
${avisoDeProblemas(folha.pergunta.problemas)}
${filtros(folha)}
<section class="cartao" aria-label="Chamadas">${folha.usos.length > 0 ? tabelaDeChamadas(folha.usos, folha) : vazio(folha)}${ateOnde(folha)}${passagem(folha)}</section>`

const filtros = ({ pergunta, hoje, prefixo }: FolhaDoRegistro): Html =>
  formularioDeFiltros(
    enderecoDoRegistro(prefixo),
    html`<div class="largo"><label for="q">Procurar</label><input id="q" name="q" type="search" value="${pergunta.q ?? ''}" maxlength="100" autocomplete="off" spellcheck="false" placeholder="documento ou pedido"/></div>${selecao({ nome: 'endpoint', rotulo: 'Consulta', todas: 'Todas' }, opcoesDeEndpoint, pergunta.endpoint)}${selecao({ nome: 'desfecho', rotulo: 'Resultado', todas: 'Todos' }, desfechos, pergunta.desfecho)}${selecao({ nome: 'uf', rotulo: 'UF', todas: 'Todas' }, opcoesDeUf, pergunta.uf)}${campoDeDia({ nome: 'dia', rotulo: 'Dia', min: primeiroDia(hoje), max: hoje }, pergunta.dia)}`,
    isFiltered(pergunta),
  )

const isFiltered = ({ endpoint, desfecho, uf, dia, q }: PerguntaAoRegistro): boolean =>
  [endpoint, desfecho, uf, dia, q].some((one) => one !== undefined)

function vazio({ pergunta, stoppedAt, prefixo }: FolhaDoRegistro): Content {
  if (stoppedAt) return undefined
  if (pergunta.q !== undefined)
    return html`<p class="vazio">Nenhuma ${pergunta.marco ? 'outra ' : ''}chamada desta conta com <code>${pergunta.q}</code> nos últimos ${DIAS_DO_REGISTRO} dias. Procure pelo número do pedido ou pelo fim dele, pelo documento como a lista o mostra, pelo nome da consulta, pela UF, pelo resultado, pelo dia ou pela hora.</p>`
  if (isFiltered(pergunta) || pergunta.marco)
    return html`<p class="vazio">Nenhuma ${pergunta.marco ? 'outra ' : ''}chamada com estes filtros.</p>`
  return html`<p class="vazio">Nenhuma chamada ainda. <a href="${url(`${prefixo}/painel/consultar/`)}">Faça uma consulta</a>: ela aparece aqui em seguida.</p>`
}

const ateOnde = ({ usos, stoppedAt, scan, pergunta }: FolhaDoRegistro): Content =>
  stoppedAt &&
  html`<p class="suave">Foram olhadas ${formatNumero(scan)} chamadas, até ${formatQuando(stoppedAt.criado_em)}${usos.length === 0 && ', e nenhuma é assim'}. A busca segue em <em>${pergunta.sentido === 'antigas' ? 'Mais antigas' : 'Mais novas'}</em>.</p>`

function passagem({ pergunta, usos, next, prefixo }: FolhaDoRegistro): Content {
  const isBack = pergunta.sentido === 'antigas'
  const { marco } = pergunta
  const [first, last] = [usos[0] ?? marco, usos.at(-1) ?? marco]
  const novas = isBack ? marco && first : next
  const antigas = isBack ? next : last
  const link = (lado: 'antes' | 'depois', to: Marco | undefined, texto: string, rel: string): Content =>
    to &&
    html`<a class="discreto" rel="${rel}" href="${url(`${enderecoDoRegistro(prefixo)}${queryDe(pergunta, { lado, marco: to })}`)}">${texto}</a>`
  if (!novas && !antigas) return undefined
  return html`<nav class="passagem" aria-label="Páginas das chamadas">${marco && html`<a class="discreto" href="${url(`${enderecoDoRegistro(prefixo)}${queryDe(pergunta)}`)}">As mais novas de todas</a>`}${link('depois', novas, '← Mais novas', 'prev')}${link('antes', antigas, 'Mais antigas →', 'next')}</nav>`
}

const cabecalhoDoRegistro = [
  'Quando (Brasília)',
  'Caminho',
  'Consulta',
  'Documento',
  'UF',
  'Resultado',
  'Código',
  'Fontes que falharam',
  'HTTP',
  'Tempo (ms)',
  'Créditos',
  'Pedido',
] as const

const BRASILIA_MS = 3 * 3_600_000

/** `2026-11-14 12:00:00`, which spreadsheets read as an instant. */
const quando = (ms: number): string => new Date(ms - BRASILIA_MS).toISOString().slice(0, 19).replace('T', ' ')

function resultado(uso: FolhaDoRegistro['usos'][number]): string {
  const { http, cached, fontes_falhas } = uso
  if (http === 499) return 'interrompida'
  if (isFalha(uso)) return 'falha'
  if (fontes_falhas > 0) return 'em parte'
  return faltaEm(uso)?.toLowerCase() ?? (cached > 0 ? 'reaproveitada' : 'entregue')
}

const linhaDoRegistro = (uso: FolhaDoRegistro['usos'][number]): Celula[] => [
  quando(uso.criado_em),
  uso.endpoint,
  nomeDoEndpoint(uso.endpoint),
  uso.documento,
  uso.uf,
  resultado(uso),
  uso.error_code || uso.fonte_code,
  uso.fontes_falhas,
  uso.http,
  uso.ms,
  uso.creditos,
  uso.request_id,
]

const LINHAS = 50

/** Searches of the log are made one at a time, and turns go round the accounts. */
const FILA = { places: 1, waiting: 64, perOwner: 8 }

export function openRegistro(scope: FastifyInstance, sala: Sala): void {
  const { room, moldura, logadoDe, draw } = sala
  const { prefixo } = moldura
  const download = openDownloads()
  const inTurn = createQueue(FILA)
  const hojeEm = (): string => diaDe(room.now().getTime())

  scope.get('/', async (request, reply) => {
    const hoje = hojeEm()
    const pergunta = readPergunta(request.query, hoje)
    const { id } = logadoDe(request).conta
    const pedido = readPedido(pergunta.q ?? '')
    if (pedido !== undefined && (await findPedido(room, id, pedido)))
      return reply.redirect(`${enderecoDoRegistro(prefixo)}${pedido}/`, 303)
    const { marco, sentido } = pergunta
    const achados = await inTurn({ owner: id, signal: signalOfLeaving(reply.raw) }, () =>
      readFolha(room, id, buscaDe(pergunta, hoje), { marco, sentido, linhas: LINHAS }),
    ).catch(refuseFull)
    const agora = room.now().getTime()
    const guardadas = await room.guardadas.listOf(
      id,
      achados.usos.map(({ request_id }) => request_id),
    )
    return draw(request, reply, {
      titulo: 'Chamadas',
      descricao: 'Cada chamada da conta: documento mascarado, resultado, tempo e créditos.',
      atual: 'registro',
      conteudo: paginaDoRegistro({ pergunta, hoje, ...achados, guardadas, scan: OLHAR, prefixo, agora }),
    })
  })

  scope.get('/registro.csv', (request, reply) => {
    const { id } = logadoDe(request).conta
    const hoje = hojeEm()
    const pergunta = readPergunta(request.query, hoje)
    return sendCsv(reply, {
      arquivo: `registro-${pergunta.dia ?? hoje}.csv`,
      cabecalho: cabecalhoDoRegistro,
      lotes: download(id, linhasDe(walkUsos(room, id, buscaDe(pergunta, hoje)))),
    })
  })

  openPedido(scope, sala)
}

function refuseFull(error: unknown): never {
  if (!(error instanceof QueueFull)) throw error
  const detail = 'Há buscas demais no registro agora. Espere a resposta das suas e procure de novo.'
  throw new ApiError('RATE_LIMIT_EXCEEDED', detail, { retryS: 5 })
}

/** A day that was typed as the table shows it, 29/11, is that day of the log. */
function buscaDe({ endpoint, desfecho, uf, dia, q }: PerguntaAoRegistro, hoje: string) {
  const dito = diaDito(q ?? '', hoje)
  const isDia = dito !== undefined && (dia ?? dito) === dito
  const texto = q === undefined || isDia ? undefined : readTexto(q)
  return { endpoint, desfecho, uf, dia: isDia ? dito : dia, texto }
}

/** Of a day without its year the last one that was: the log goes back some months. */
function diaDito(q: string, hoje: string): string | undefined {
  const [, dia, mes, ano] = /^(\d\d)\/(\d\d)(?:\/(\d{4}))?$/.exec(q) ?? []
  return (ano ? [ano] : [hoje.slice(0, 4), Number(hoje.slice(0, 4)) - 1])
    .map((one) => `${one}-${mes}-${dia}`)
    .find((one) => diaProblem(one) === undefined && one >= primeiroDia(hoje) && one <= hoje)
}

/** What the text may be of a line. Too short a text would be a part of nearly all. */
function readTexto(q: string): TextoDeUsos {
  const junto = q.toUpperCase().replace(/[^\dA-Z*]/g, '')
  const isLongo = junto.length >= 3
  const dito = fold(q).toLowerCase()
  const isDito = (nome: string): boolean => fold(nome).toLowerCase().includes(dito)
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(q) ?? []
  return {
    fimDoPedido: isFimDePedido(q) ? q.toLowerCase() : undefined,
    documentos:
      isLongo && /[\d*]/.test(junto) ? [documentoNoRegistro(junto), q.toUpperCase()].filter(isDocumento) : [],
    codigo: isLongo && /[A-Z]/.test(junto) ? q.toUpperCase().replace(/[^\dA-Z]+/g, '_') : undefined,
    codigos: isLongo ? codigosChamados(isDito) : [],
    desfechos: isLongo ? ditosCom(dito) : [],
    vazias: isLongo ? Object.keys(semNada).filter((path) => isDito(semNada[path] ?? '')) : [],
    http: /^[1-5]\d\d$/.test(q) ? Number(q) : undefined,
    minuto: hour === undefined ? undefined : Number(hour) * 60 + Number(minute),
    creditos: /^(?:0|[1-9]\d{0,3})(?: cr[eé]d\S*)?$/i.test(q) ? Number.parseInt(q, 10) : undefined,
    uf: /^BR$/i.test(q)
      ? 'BR'
      : (findUf(q) ?? ufs.find((uf) => fold(unidades[uf].nome).toLowerCase() === dito)),
    endpoints: opcoesDeEndpoint
      .filter(([path, nome]) => isLongo && (path.includes(dito) || isDito(nome)))
      .map(([path]) => path),
  }
}

/** What the table says of calls that have no code. */
const ditos = [
  ['entregues', 'Entregue'],
  ['cache', 'Reaproveitada'],
  ['fonte', 'Em parte: sem resposta'],
  ['interrompidas', 'Interrompida'],
] as const

const ditosCom = (dito: string): string[] =>
  ditos.flatMap(([desfecho, nome]) =>
    fold(nome).toLowerCase().includes(dito.replace(/\d+ /, '')) ? [desfecho] : [],
  )

/** What may be a part of one, and is no pattern of the database. */
const isDocumento = (text: string): boolean => /^[\dA-Z*./-]+$/.test(text)

/** A whole document is looked for as the log has it: masked. */
const documentoNoRegistro = (text: string): string =>
  /^(?:\d{11}|[\dA-Z]{14})$/.test(text) ? maskDocumento(text) : text

async function* linhasDe(fatias: ReturnType<typeof walkUsos>) {
  for await (const usos of fatias) yield usos.map(linhaDoRegistro)
}
