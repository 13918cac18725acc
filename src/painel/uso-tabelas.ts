import { type DiaDeUso, endpointsDe, somarTudo } from '../contas/uso.ts'
import { diaDepois, diaProblem } from '../documento/dia.ts'
import { errorCodes } from '../platform/errors.ts'
import type { Celula } from '../platform/pages/csv.ts'
import { formatNumero, formatReais, formatTempo } from '../platform/pages/formatos.ts'
import { escolhida, opcoesDeDesfecho, textoDe } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { nomeDoEndpoint, opcoesDeEndpoint } from './chamadas.ts'

/** What a note costs: credits, and BRL, empty where it has no price in BRL. */
type Preco = { creditos: number; reais: string }

const XML = '/api/consultar-nfe-xml'

/** What the notes of these days come to in BRL at today's price; 0 where there is none. */
export function reaisDe(dias: readonly DiaDeUso[], { creditos, reais }: Preco): number {
  if (reais === '') return 0
  const spent = dias.reduce((sum, { endpoints }) => sum + (endpoints.get(XML)?.creditos ?? 0), 0)
  return (spent / creditos) * Number(reais)
}

/** What each endpoint was used for, the most called first. */
export const porConsulta = (dias: readonly DiaDeUso[], preco: Preco): Html =>
  html`<div class="rolavel" tabindex="0" role="group" aria-label="Uso de cada consulta"><table class="numeros"><thead><tr><th scope="col">Consulta</th><th scope="col" class="num">Chamadas</th><th scope="col" class="num">Falhas</th><th scope="col" class="num">Do cache</th><th scope="col" class="num">Tempo médio</th><th scope="col" class="num">Créditos</th><th scope="col" class="num">Em reais</th></tr></thead><tbody>${endpointsDe(
    dias,
  ).map((endpoint) => {
    const { chamadas, falhas, do_cache, ms, creditos } = somaDe(dias, endpoint)
    const reais = endpoint === XML ? reaisDe(dias, preco) : 0
    return html`<tr><th scope="row">${nomeDoEndpoint(endpoint)}</th><td class="num">${formatNumero(chamadas)}</td><td class="num">${formatNumero(falhas)}</td><td class="num">${formatNumero(do_cache)}</td><td class="num">${formatTempo(Math.round(ms / chamadas))}</td><td class="num">${formatNumero(creditos)}</td><td class="num">${reais > 0 ? formatReais(reais) : '–'}</td></tr>`
  })}</tbody></table></div>`

const somaDe = (dias: readonly DiaDeUso[], endpoint: string) =>
  somarTudo(dias.flatMap(({ endpoints }) => endpoints.get(endpoint) ?? []))

const titulos: Readonly<Record<string, { title: string }>> = errorCodes

/** How often each code was answered, each with a way to its calls in the log. */
export function porResultado(
  desfechos: readonly (DiaDeUso['soma'] & { error_code: string })[],
  prefixo: string,
): Html {
  const counts = new Map<string, number>()
  for (const { error_code, falhas } of desfechos)
    if (falhas > 0) counts.set(error_code, (counts.get(error_code) ?? 0) + falhas)
  const entregues = desfechos.reduce((sum, one) => sum + one.entregues, 0)
  const parciais = desfechos.reduce((sum, one) => sum + one.com_falha, 0)
  const left = desfechos.reduce((sum, one) => sum + one.chamadas - one.entregues - one.falhas, 0)
  const linha = (desfecho: string, nome: Content, count: number): Html =>
    html`<tr><th scope="row"><a href="${url(`${prefixo}/painel/registro/?desfecho=${desfecho}`)}">${nome}</a></th><td class="num">${formatNumero(count)}</td></tr>`
  return html`<table class="numeros"><thead><tr><th scope="col">Resultado</th><th scope="col" class="num">Chamadas</th></tr></thead><tbody>${entregues > 0 && linha('entregues', 'Entregues', entregues)}${parciais > 0 && linha('fonte', html`Delas, com erro em <code>source_status</code>`, parciais)}${left > 0 && linha('interrompidas', 'Interrompidas pelo cliente', left)}${[
    ...counts,
  ]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => linha(code, titulos[code]?.title ?? code, count))}</tbody></table>`
}

/** The columns of the file of the use. */
export const cabecalhoDoUso = [
  'Dia',
  'Caminho',
  'Consulta',
  'Chamadas',
  'Entregues',
  'Delas, com erro em source_status',
  'Falhas',
  'Interrompidas',
  'Do cache',
  'Tempo médio (ms)',
  'Créditos',
] as const

/** The lines of that file for a day, one an endpoint. */
export const linhasDoUso = ({ dia, endpoints }: DiaDeUso): Celula[][] =>
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
export type PerguntaDoUso = {
  de: string
  ate: string
  /** The ready period that this is; undefined for two days of the visitor's own. */
  pronto: string | undefined
  endpoint: string | undefined
  desfecho: string | undefined
  /** What could not be read, in words. */
  problemas: readonly string[]
}

/** A ready period: its name in the address, for people, and its days. */
type Pronto = { nome: string; texto: string; dias: (hoje: string) => { de: string; ate: string } }

const mesAntes = (hoje: string): string => diaDepois(`${hoje.slice(0, 7)}-01`, -1)

/** The periods to choose from. */
export const prontos: readonly Pronto[] = [
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

/** The first day of the month so many months ago. */
function mesesAntes(hoje: string, meses: number): string {
  const [year = 0, month = 1] = hoje.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - meses, 1)).toISOString().slice(0, 10)
}

const PADRAO = '30'

/** Reads a query of the use. What is wrong in it is left out and told. */
export function lerPeriodo(query: unknown, hoje: string): PerguntaDoUso {
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

/** The first day of which there are sums. */
export const primeiroDiaDoUso = (hoje: string): string => diaDepois(hoje, -DIAS_DO_USO)

/** The same question as a query, of another ready period where one is given. */
export function queryDoUso(
  { de, ate, pronto, endpoint, desfecho }: PerguntaDoUso,
  other: string | undefined = pronto,
): string {
  const params = new URLSearchParams(other === undefined ? { de, ate } : { periodo: other })
  if (endpoint !== undefined) params.set('endpoint', endpoint)
  if (desfecho !== undefined) params.set('desfecho', desfecho)
  return `?${params}`
}
