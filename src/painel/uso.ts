import type { FastifyInstance } from 'fastify'
import { precoXmlOf } from '../contas/lookup.ts'
import { addUp, type DiaDeUso, endpointsDe, usoPorDia } from '../contas/lookup-usos.ts'
import { sumDesfechos } from '../contas/store-dias.ts'
import { dataBrasileira, diaDe, diaDepois, diaProblem } from '../documento/dia.ts'
import { type Celula, sendCsv } from '../platform/pages/csv.ts'
import { countOf, formatNumero, formatParte, formatReais, formatTempo } from '../platform/pages/formatos.ts'
import {
  avisoDeProblemas,
  campoDeDia,
  escolhida,
  formularioDeFiltros,
  opcoesDeDesfecho,
  selecao,
  textoDe,
} from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { consultasPorDia, NOTA, nomeDaFalha, nomeDoEndpoint, opcoesDeEndpoint } from './chamadas.ts'
import type { Sala } from './sala.ts'

/** What a note costs: credits, and BRL, empty where it has no price in BRL. */
type Preco = { creditos: number; reais: string }

/** What the notes of these days come to in BRL at today's price; 0 where there is none. */
function reaisDe(dias: readonly DiaDeUso[], { creditos, reais }: Preco): number {
  if (reais === '') return 0
  const spent = dias.reduce((sum, { endpoints }) => sum + (endpoints.get(NOTA)?.creditos ?? 0), 0)
  return (spent / creditos) * Number(reais)
}

/** What cost most comes first. */
function porConsulta(dias: readonly DiaDeUso[], preco: Preco): Html {
  const reais = reaisDe(dias, preco)
  const linhas = endpointsDe(dias)
    .map((endpoint) => ({ endpoint, soma: somaDe(dias, endpoint) }))
    .sort((a, b) => b.soma.creditos - a.soma.creditos)
  return html`<div class="rolavel" tabindex="0" role="group" aria-label="Uso de cada consulta"><table class="numeros justa linhas"><thead><tr><th scope="col" class="folgada">Consulta</th><th scope="col" class="num">Créditos</th>${reais > 0 && html`<th scope="col" class="num">Em reais</th>`}<th scope="col" class="num">Chamadas</th><th scope="col" class="num">Falhas</th><th scope="col" class="num">Reaproveitadas</th><th scope="col" class="num">Tempo médio</th></tr></thead><tbody>${linhas.map(
    ({ endpoint, soma: { chamadas, falhas, do_cache, ms, creditos } }) =>
      html`<tr><th scope="row" class="folgada" title="${endpoint}">${nomeDoEndpoint(endpoint)}</th><td class="num creditos">${formatNumero(creditos)}</td>${reais > 0 && html`<td class="num">${endpoint === NOTA && formatReais(reais)}</td>`}${quantas(chamadas, 'chamada', 'chamadas')}${quantas(falhas, 'falha', 'falhas')}${quantas(do_cache, 'reaproveitada', 'reaproveitadas')}<td class="num">${formatTempo(Math.round(ms / chamadas))}</td></tr>`,
  )}</tbody></table></div>`
}

/** On a phone, where the columns have no headings, the number is followed by what it counts. */
const quantas = (count: number, uma: string, varias: string): Html =>
  html`<td class="num" data-conta="${count === 1 ? uma : varias}">${formatNumero(count)}</td>`

const somaDe = (dias: readonly DiaDeUso[], endpoint: string) =>
  addUp(dias.flatMap(({ endpoints }) => endpoints.get(endpoint) ?? []))

/** How often each code was answered, each with a way to its calls in the log. */
function porResultado(
  desfechos: readonly (DiaDeUso['soma'] & { error_code: string })[],
  prefixo: string,
): Html {
  const counts = new Map<string, number>()
  for (const { error_code, falhas } of desfechos)
    if (falhas > 0) counts.set(error_code, (counts.get(error_code) ?? 0) + falhas)
  const entregues = desfechos.reduce((sum, one) => sum + one.entregues, 0)
  const parciais = desfechos.reduce((sum, one) => sum + one.com_falha, 0)
  const left = desfechos.reduce((sum, one) => sum + one.chamadas - one.entregues - one.falhas, 0)
  const linha = (desfecho: string, nome: Content, count: number, code = ''): Html =>
    html`<tr><th scope="row"><a href="${url(`${prefixo}/painel/registro/?desfecho=${desfecho}`)}" title="${code}">${nome}</a></th><td class="num">${formatNumero(count)}</td></tr>`
  return html`<table class="numeros"><thead><tr><th scope="col">Resultado</th><th scope="col" class="num">Chamadas</th></tr></thead><tbody>${entregues > 0 && linha('entregues', 'Respondidas', entregues)}${parciais > 0 && linha('fonte', html`<span class="das-quais">das quais, em parte</span>`, parciais)}${left > 0 && linha('interrompidas', 'Interrompidas pelo cliente', left)}${[
    ...counts,
  ]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => linha(code, nomeDaFalha(code), count, code))}</tbody></table>`
}

const cabecalhoDoUso = [
  'Dia',
  'Caminho',
  'Consulta',
  'Chamadas',
  'Respondidas',
  'Delas, em parte',
  'Falhas',
  'Interrompidas',
  'Reaproveitadas',
  'Tempo médio (ms)',
  'Créditos',
] as const

const linhasDoUso = ({ dia, endpoints }: DiaDeUso): Celula[][] =>
  [...endpoints].map(([endpoint, { chamadas, entregues, com_falha, falhas, do_cache, ms, creditos }]) => [
    dia,
    endpoint,
    nomeDoEndpoint(endpoint),
    chamadas,
    entregues,
    com_falha,
    falhas,
    chamadas - entregues - falhas,
    do_cache,
    Math.round(ms / chamadas),
    creditos,
  ])

/** How many days the sums go back: thirteen months. */
const DIAS_DO_USO = 395

/** What a visitor asked of the use. Days are AAAA-MM-DD in Brasília, both included. */
type PerguntaDoUso = {
  de: string
  ate: string
  /** The ready period that this is; undefined for two days of the visitor's own. */
  pronto: string | undefined
  endpoint: string | undefined
  desfecho: string | undefined
  /** What could not be read, in words. */
  problemas: readonly string[]
}

type Pronto = { nome: string; texto: string; dias: (hoje: string) => { de: string; ate: string } }

const mesAntes = (hoje: string): string => diaDepois(`${hoje.slice(0, 7)}-01`, -1)

const prontos: readonly Pronto[] = [
  { nome: '7', texto: '7 dias', dias: (hoje) => ({ de: diaDepois(hoje, -6), ate: hoje }) },
  { nome: '30', texto: '30 dias', dias: (hoje) => ({ de: diaDepois(hoje, -29), ate: hoje }) },
  { nome: '90', texto: '90 dias', dias: (hoje) => ({ de: diaDepois(hoje, -89), ate: hoje }) },
  { nome: 'mes', texto: 'Este mês', dias: (hoje) => ({ de: `${hoje.slice(0, 7)}-01`, ate: hoje }) },
  {
    nome: 'mes-passado',
    texto: 'Mês passado',
    dias: (hoje) => ({ de: `${mesAntes(hoje).slice(0, 7)}-01`, ate: mesAntes(hoje) }),
  },
  { nome: 'ano', texto: '12 meses', dias: (hoje) => ({ de: mesesAntes(hoje, 11), ate: hoje }) },
]

function mesesAntes(hoje: string, meses: number): string {
  const [year = 0, month = 1] = hoje.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - meses, 1)).toISOString().slice(0, 10)
}

const PADRAO = '30'

/** Reads a query of the use. What is wrong in it is left out and told. */
function readPeriodo(query: unknown, hoje: string): PerguntaDoUso {
  const problemas: string[] = []
  const first = primeiroDiaDoUso(hoje)
  const dia = (nome: 'de' | 'ate'): string | undefined => {
    const text = textoDe(query, nome)
    if (text === '') return undefined
    const problem = diaProblem(text)
    if (problem === undefined) return text < first ? first : text > hoje ? hoje : text
    problemas.push(`${nome === 'de' ? 'De' : 'Até'}: ${problem}.`)
    return undefined
  }
  const [de, ate] = emOrdem(dia('de'), dia('ate'))
  const filtro = {
    endpoint: escolhida(query, 'endpoint', opcoesDeEndpoint),
    desfecho: escolhida(query, 'desfecho', opcoesDeDesfecho),
    problemas,
  }
  if (de !== undefined || ate !== undefined)
    return { ...filtro, pronto: undefined, de: de ?? diaDepois(ate ?? hoje, -29), ate: ate ?? hoje }
  const nome = textoDe(query, 'periodo') || PADRAO
  const pronto = prontos.find((one) => one.nome === nome) ?? prontos[1]
  if (!pronto) throw new Error('there is no period')
  return { ...filtro, pronto: pronto.nome, ...pronto.dias(hoje) }
}

const emOrdem = (de: string | undefined, ate: string | undefined) =>
  de !== undefined && ate !== undefined && de > ate ? [ate, de] : [de, ate]

const primeiroDiaDoUso = (hoje: string): string => diaDepois(hoje, -DIAS_DO_USO)

/** The same question as a query, of another ready period where one is given. */
function queryDoUso(
  { de, ate, pronto, endpoint, desfecho }: PerguntaDoUso,
  other: string | undefined = pronto,
): string {
  const params = new URLSearchParams(other === undefined ? { de, ate } : { periodo: other })
  if (endpoint !== undefined) params.set('endpoint', endpoint)
  if (desfecho !== undefined) params.set('desfecho', desfecho)
  return `?${params}`
}

type UsoDaConta = {
  pergunta: PerguntaDoUso
  hoje: string
  dias: readonly DiaDeUso[]
  desfechos: Parameters<typeof porResultado>[0]
  preco: { creditos: number; reais: string }
  prefixo: string
}

const enderecoDoUso = (prefixo: string): string => `${prefixo}/painel/uso/`

/** Beyond so many days the bars are months. */
const MAIS_DIAS = 92

function paginaDoUso(uso: UsoDaConta): Html {
  const { pergunta, dias, preco, prefixo } = uso
  const hasCalls = dias.some(({ soma }) => soma.chamadas > 0)
  return html`<div class="topo"><div><h1>Uso</h1><p class="suave">De ${dataBrasileira(pergunta.de)} a ${dataBrasileira(pergunta.ate)}, horário de Brasília. Os totais ficam guardados 13 meses.</p></div><a class="discreto" href="${url(`${enderecoDoUso(prefixo)}uso.csv${queryDoUso(pergunta)}`)}">Baixar CSV</a></div>
${avisoDeProblemas(pergunta.problemas)}
${periodos(uso)}${filtros(uso)}
<div class="grade">${numeros(uso)}
${cartao({ titulo: dias.length > MAIS_DIAS ? 'Chamadas por mês' : 'Chamadas por dia', id: 'por-dia' }, hasCalls ? grafico(dias) : vazio(uso))}
${hasCalls && cartao({ titulo: 'Por consulta', id: 'por-consulta', classe: 'maior' }, porConsulta(dias, preco))}
${hasCalls && cartao({ titulo: 'Por resultado', id: 'por-resultado', classe: 'menor' }, porResultado(uso.desfechos, prefixo))}
</div>`
}

const periodos = ({ pergunta, prefixo }: UsoDaConta): Html =>
  html`<nav class="abas periodos sem-papel" aria-label="Período">${prontos.map(
    ({ nome, texto }) =>
      html`<a href="${url(enderecoDoUso(prefixo) + queryDoUso(pergunta, nome))}" aria-current="${nome === pergunta.pronto ? 'true' : 'false'}">${texto}</a>`,
  )}</nav>`

function filtros({ pergunta, hoje, prefixo }: UsoDaConta): Html {
  const limites = { min: primeiroDiaDoUso(hoje), max: hoje }
  const { de, ate, endpoint, desfecho } = pergunta
  return formularioDeFiltros(
    enderecoDoUso(prefixo),
    html`${campoDeDia({ nome: 'de', rotulo: 'De', ...limites }, de)}${campoDeDia({ nome: 'ate', rotulo: 'Até', ...limites }, ate)}${selecao({ nome: 'endpoint', rotulo: 'Consulta', todas: 'Todas' }, opcoesDeEndpoint, endpoint)}${selecao({ nome: 'desfecho', rotulo: 'Resultado', todas: 'Todos' }, opcoesDeDesfecho, desfecho)}`,
    pergunta.pronto === undefined || endpoint !== undefined || desfecho !== undefined,
  )
}

function numeros({ dias, preco, pergunta: { de, ate }, prefixo }: UsoDaConta): Content {
  const { chamadas, entregues, falhas, do_cache, com_falha, creditos, ms } = addUp(
    dias.map(({ soma }) => soma),
  )
  const share = (part: number, whole: number): string => (whole === 0 ? '–' : formatParte(part / whole))
  const reais = reaisDe(dias, preco)
  const extrato = ate.slice(0, 7) === de.slice(0, 7) ? `${de.slice(0, 7)}/` : ''
  return [
    numero(
      'Chamadas',
      formatNumero(chamadas),
      chamadas === 0 ? '' : `em média ${formatTempo(Math.round(ms / chamadas))} cada uma`,
    ),
    numero('Respondidas', share(entregues, entregues + falhas), [
      falhas === 0 ? 'nenhuma falha' : countOf(falhas, 'falha, não cobrada', 'falhas, não cobradas'),
      comErro(com_falha),
    ]),
    numero(
      'Reaproveitadas',
      share(do_cache, entregues),
      do_cache === 0
        ? 'das respostas'
        : `das respostas: ${formatNumero(do_cache)}, sem perguntar de novo ao órgão`,
    ),
    numero(
      'Créditos',
      formatNumero(creditos),
      html`${reais > 0 ? `cerca de ${formatReais(reais)} em XML de NF-e, pelo preço de hoje; o exato está` : 'cada cobrança está'} no <a href="${url(`${prefixo}/painel/extrato/${extrato}`)}">extrato</a>`,
    ),
  ]
}

/** What is delivered with HTTP 200 may still say that a source failed. */
const comErro = (count: number): Content =>
  count > 0 && html`; ${countOf(count, 'resposta', 'respostas')} em parte`

const numero = (titulo: string, valor: string, resto: Content): Html =>
  html`<section class="cartao quarto indicador" aria-label="${titulo}"><p class="suave">${titulo}</p><p class="numero">${valor}</p><p class="suave">${resto}</p></section>`

const grafico = (dias: readonly DiaDeUso[]): Html =>
  dias.length > MAIS_DIAS
    ? consultasPorDia(porMes(dias), {
        coluna: 'Mês',
        rotuloDe: ({ dia }) => `${dia.slice(5, 7)}/${dia.slice(0, 4)}`,
      })
    : consultasPorDia(dias)

function porMes(dias: readonly DiaDeUso[]): DiaDeUso[] {
  const months = Map.groupBy(dias, ({ dia }) => dia.slice(0, 7))
  return [...months].map(([mes, all]) => {
    const names = new Set(all.flatMap(({ endpoints }) => [...endpoints.keys()]))
    const endpoints = new Map(
      [...names].map((name) => [name, addUp(all.flatMap((day) => day.endpoints.get(name) ?? []))]),
    )
    return { dia: `${mes}-01`, soma: addUp(endpoints.values()), endpoints }
  })
}

const vazio = ({ pergunta: { endpoint, desfecho }, prefixo }: UsoDaConta): Html =>
  endpoint === undefined && desfecho === undefined
    ? html`<p class="vazio">Nenhuma chamada neste período. <a href="${url(`${prefixo}/painel/consultar/`)}">Faça uma consulta</a>.</p>`
    : html`<p class="vazio">Nenhuma chamada neste período com estes filtros.</p>`

export function openUso(scope: FastifyInstance, { room, moldura, logadoDe, draw }: Sala): void {
  const { prefixo } = moldura
  scope.get('/', async (request, reply) => {
    const hoje = diaDe(room.now().getTime())
    const pergunta = readPeriodo(request.query, hoje)
    const { conta } = logadoDe(request)
    const dias = await usoPorDia(room, conta.id, pergunta)
    const desfechos = await sumDesfechos(room.db, conta.id, pergunta)
    return draw(request, reply, {
      titulo: 'Uso',
      descricao: 'Chamadas e créditos da conta por dia e consulta.',
      atual: 'uso',
      conteudo: paginaDoUso({ pergunta, hoje, dias, desfechos, preco: precoXmlOf(conta), prefixo }),
    })
  })

  scope.get('/uso.csv', async (request, reply) => {
    const pergunta = readPeriodo(request.query, diaDe(room.now().getTime()))
    const dias = await usoPorDia(room, logadoDe(request).conta.id, pergunta)
    return sendCsv(reply, {
      arquivo: `uso-${pergunta.de}-${pergunta.ate}.csv`,
      cabecalho: cabecalhoDoUso,
      lotes: (async function* () {
        yield dias.flatMap(linhasDoUso)
      })(),
    })
  })
}
