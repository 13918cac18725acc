import { consultarCnd, consultarCndTodos } from '../certidao/api.ts'
import { baseCnpj, consultarCnpj } from '../cnpj/api.ts'
import { conta } from '../contas/api.ts'
import { type DiaDeUso, endpointsDe } from '../contas/lookup-usos.ts'
import { diaDe } from '../documento/dia.ts'
import { consultarCndFederal } from '../federal/api.ts'
import { fontes } from '../fontes/api.ts'
import { consultar, consultarIeTodos } from '../inscricao/api.ts'
import { consultarNfeXml } from '../nfe/api.ts'
import type { UsosTable } from '../platform/db/tables.ts'
import type { DeclaredLookup } from '../platform/http/lookup.ts'
import { findEntry, groups } from '../platform/pages/erros-textos.ts'
import {
  comInstante,
  countOf,
  formatDiaCurto,
  formatNumero,
  formatQuando,
  formatTempo,
} from '../platform/pages/formatos.ts'
import type { OpcaoDeFiltro } from '../platform/pages/forms.ts'
import { barrasEmpilhadas, CORES, type Serie } from '../platform/pages/graficos.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { rejeicao, rejeicoes } from '../rejeicoes/api.ts'
import { diagnosticar } from '../rejeicoes/api-diagnostico.ts'
import { consultarCnir } from '../rural/api-cnir.ts'
import { perfilProdutor } from '../rural/api-perfil.ts'
import { consultarSigef } from '../rural/api-sigef.ts'
import { sefazAmbienteNacional, sefazStatus } from '../sefaz/api.ts'
import { sefazHistorico } from '../sefaz/api-historico.ts'

/** The lookups as lists have them: what costs credits first. `test/site/nomes.test.ts` misses none. */
export const lookups: readonly DeclaredLookup[] = [
  consultar,
  consultarIeTodos,
  consultarCnd,
  consultarCndTodos,
  consultarCndFederal,
  consultarCnpj,
  consultarNfeXml,
  consultarSigef,
  consultarCnir,
  perfilProdutor,
  sefazStatus,
  sefazHistorico,
  sefazAmbienteNacional,
  rejeicoes,
  rejeicao,
  diagnosticar,
  conta,
  fontes,
  baseCnpj,
]

const declaradas = new Map(lookups.map(({ declared }) => [declared.url, declared]))

/** What a path of the API is called wherever people read of it. */
export const nomeDoEndpoint = (endpoint: string): string => declaradas.get(endpoint)?.words.nome ?? endpoint

export const custoDoEndpoint = (endpoint: string): string =>
  declaradas.get(endpoint)?.words.custo ?? 'Não custa créditos.'

/** The declaration of a lookup that must be there. */
export function declaradaEm(endpoint: string): DeclaredLookup['declared'] {
  const found = declaradas.get(endpoint)
  if (!found) throw new Error(`no lookup is declared at ${endpoint}`)
  return found
}

/** Where an answer that is kept is read again. */
export const respostaEm = (prefixo: string, request_id: string): string =>
  `${prefixo}/painel/consultas/${request_id}/`

type Chamada = Omit<UsosTable, 'conta_id'>

export const NOTA = consultarNfeXml.declared.url

/** What is said of a delivery that cost nothing, where one with what was asked for costs something. */
export const semNada: Readonly<Record<string, string>> = {
  [NOTA]: 'Sem o XML',
  '/api/consultar-cnd-federal': 'Sem certidão',
  [perfilProdutor.declared.url]: 'Nada encontrado',
}

export const faltaEm = ({ endpoint, http, creditos, cached }: Omit<Chamada, 'request_id'>) =>
  http === 200 && creditos === 0 && cached === 0 ? semNada[endpoint] : undefined

/** What people read of a code. Programs know it by the code, which stands beside it as its title. */
export const nomeDaFalha = (code: string): string => findEntry(code)?.title ?? code

export const codigosChamados = (isDito: (nome: string) => boolean): string[] =>
  groups.flatMap(({ entries }) => entries.flatMap(({ code }) => (isDito(nomeDaFalha(code)) ? code : [])))

/** What came to nothing, also where its HTTP is 200: every source was silent. */
export const isFalha = ({ http, error_code }: Pick<Chamada, 'http' | 'error_code'>): boolean =>
  http >= 400 || error_code !== ''

/**
 * What a call came to, as a badge: a failure by its name, in red; yellow is what came in part. Green is one
 * word alone, of an answer that has all that was asked for.
 */
export function seloDoDesfecho(chamada: Omit<Chamada, 'request_id'>): Html {
  const { endpoint, http, error_code, cached, fontes_falhas, fonte_code } = chamada
  if (http === 499) return html`<span class="selo">Interrompida</span>`
  const code = error_code || `HTTP ${http}`
  if (isFalha(chamada)) return html`<span class="selo ruim" title="${code}">${nomeDaFalha(code)}</span>`
  if (fontes_falhas > 0)
    return html`<span class="selo lento" title="${fonte_code}">Em parte: ${formatNumero(fontes_falhas)} sem resposta</span>`
  const falta = faltaEm(chamada)
  if (falta) return html`<span class="selo ${endpoint === NOTA && 'lento'}">${falta}</span>`
  return cached > 0
    ? html`<span class="selo nota">Reaproveitada</span>`
    : html`<span class="selo bom">Entregue</span>`
}

/** A masked document; of a text that was none, only its length is known. */
export const ditoDoDocumento = (mascarado: string): string => mascarado.replace(/^<(.+)>$/, 'inválido ($1)')

/** What stands round a table of calls: the moment that ages are of, and whose answers are still kept. */
type Onde = { prefixo: string; agora: number; guardadas: ReadonlySet<string> }

/** `05:14` of today, else `22/11 14:59`; the exact one is its title, and on paper. */
function momento(ms: number, agora: number): Html {
  const dito = formatQuando(ms).slice(0, -3)
  return comInstante(ms, diaDe(ms) === diaDe(agora) ? dito.slice(6) : dito)
}

/** The calls of an account, each with links to its detail and to its kept answer. Empty columns go. */
export function tabelaDeChamadas(chamadas: readonly Chamada[], { prefixo, agora, guardadas }: Onde): Html {
  const hasDocumento = chamadas.some(({ documento }) => documento !== '')
  const hasUf = chamadas.some(({ uf }) => uf !== '')
  const linha = (chamada: Chamada): Html => {
    const { criado_em, endpoint, documento, uf, ms, creditos, request_id } = chamada
    const chamadaEm = url(`${prefixo}/painel/registro/${request_id}/`)
    return html`<tr><td class="quando">${momento(criado_em, agora)}</td><th scope="row" class="folgada" title="${endpoint}"><a href="${chamadaEm}">${nomeDoEndpoint(endpoint)}</a></th>${
      hasDocumento &&
      html`<td class="documento">${documento && html`<code title="${documento}">${ditoDoDocumento(documento)}</code>`}</td>`
    }${hasUf && html`<td class="uf">${uf}</td>`}<td class="desfecho">${seloDoDesfecho(chamada)}${
      guardadas.has(request_id) &&
      html` <a class="ver-resposta" href="${url(respostaEm(prefixo, request_id))}">${isFalha(chamada) ? 'ver por quê' : 'ver a resposta'}</a>`
    }</td><td class="num tempo">${formatTempo(ms)}</td><td class="num creditos">${formatNumero(creditos)}<span> créd.</span></td><td class="pedido"><a href="${chamadaEm}" title="${request_id}" data-copia="${request_id}"><code>${request_id.slice(-8)}</code></a></td></tr>`
  }
  return html`<table class="justa chamadas"><thead><tr><th scope="col">Quando</th><th scope="col" class="folgada">Consulta</th>${hasDocumento && html`<th scope="col">Documento</th>`}${hasUf && html`<th scope="col">UF</th>`}<th scope="col">Resultado</th><th scope="col" class="num">Tempo</th><th scope="col" class="num">Créditos</th><th scope="col">Pedido</th></tr></thead><tbody>${chamadas.map(linha)}</tbody></table>`
}

const ROTULOS = 6

type Coluna = { dia: string; rotulo: string }

/** The endpoints beyond the colours share one. */
export function consultasPorDia(
  dias: readonly DiaDeUso[],
  { coluna = 'Dia', rotuloDe = ({ dia }) => formatDiaCurto(dia) }: Modo = {},
): Html {
  const colunas = dias.map((dia): Coluna => ({ dia: dia.dia, rotulo: rotuloDe(dia) }))
  const series = seriesDe(dias)
  const every = Math.max(1, Math.ceil(colunas.length / ROTULOS))
  const total = dias.reduce((sum, { soma }) => sum + soma.chamadas, 0)
  const [first, last] = [colunas[0]?.rotulo ?? '', colunas.at(-1)?.rotulo ?? '']
  return html`${barrasEmpilhadas(series, {
    barras: colunas.map(({ rotulo }, at) => ({
      rotulo: (colunas.length - 1 - at) % every === 0 ? rotulo : '',
      dito: ditoDe(rotulo, at, series),
    })),
    texto: `De ${first} a ${last}: ${countOf(total, 'chamada', 'chamadas')}. Os números estão na tabela abaixo.`,
  })}<details class="ver-numeros"><summary>Ver os números</summary>${tabela(coluna, colunas, series)}</details>`
}

type Modo = { coluna?: 'Dia' | 'Mês'; rotuloDe?: (dia: DiaDeUso) => string }

function seriesDe(dias: readonly DiaDeUso[]): Serie[] {
  const endpoints = endpointsDe(dias)
  const own = endpoints.length > CORES ? endpoints.slice(0, CORES - 1) : endpoints
  const others = endpoints.slice(own.length)
  const count = (names: readonly string[]) =>
    dias.map((dia) => names.reduce((sum, name) => sum + (dia.endpoints.get(name)?.chamadas ?? 0), 0))
  return [
    ...own.map((name) => ({ nome: nomeDoEndpoint(name), valores: count([name]) })),
    ...(others.length > 0 ? [{ nome: `Outras ${others.length} consultas`, valores: count(others) }] : []),
  ]
}

function ditoDe(rotulo: string, at: number, series: readonly Serie[]): string {
  const parts = series.flatMap(({ nome, valores }) => {
    const value = valores[at] ?? 0
    return value > 0 ? `${nome} ${formatNumero(value)}` : []
  })
  return `${rotulo}: ${parts.length > 0 ? parts.join(', ') : 'nenhuma chamada'}`
}

const tabela = (coluna: string, colunas: readonly Coluna[], series: readonly Serie[]): Html =>
  html`<div class="rolavel" tabindex="0" role="group" aria-label="Chamadas de cada consulta"><table class="numeros"><thead><tr><th scope="col">${coluna}</th>${series.map(
    ({ nome }) => html`<th scope="col" class="num">${nome}</th>`,
  )}<th scope="col" class="num">Total</th></tr></thead><tbody>${colunas
    .map(({ rotulo }, at) => {
      const values = series.map(({ valores }) => valores[at] ?? 0)
      return html`<tr><th scope="row">${rotulo}</th>${values.map((value) => html`<td class="num">${formatNumero(value)}</td>`)}<td class="num">${formatNumero(values.reduce((a, b) => a + b, 0))}</td></tr>`
    })
    .toReversed()}</tbody></table></div>`

export const opcoesDeEndpoint: readonly OpcaoDeFiltro[] = [...declaradas.keys()].map((path) => [
  path,
  nomeDoEndpoint(path),
])
