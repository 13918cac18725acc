import type { FastifyInstance } from 'fastify'
import { precoXmlOf } from '../contas/resumo.ts'
import { somarDesfechos } from '../contas/store-dias.ts'
import { type DiaDeUso, somarTudo, usoPorDia } from '../contas/uso.ts'
import { dataBrasileira, diaDe } from '../documento/dia.ts'
import { enviarCsv } from '../platform/pages/csv.ts'
import {
  contar,
  formatDiaCurto,
  formatNumero,
  formatParte,
  formatReais,
  formatTempo,
} from '../platform/pages/formatos.ts'
import {
  avisoDeProblemas,
  campoDeDia,
  formularioDeFiltros,
  opcoesDeDesfecho,
  selecao,
} from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { consultasPorDia, opcoesDeEndpoint } from './chamadas.ts'
import type { Sala } from './painel.ts'
import {
  cabecalhoDoUso,
  lerPeriodo,
  linhasDoUso,
  type PerguntaDoUso,
  porConsulta,
  porResultado,
  primeiroDiaDoUso,
  prontos,
  queryDoUso,
  reaisDe,
} from './uso-tabelas.ts'

/** All that the page of the use is drawn from. */
type UsoDaConta = {
  pergunta: PerguntaDoUso
  hoje: string
  /** The days of the period, the oldest first. */
  dias: readonly DiaDeUso[]
  desfechos: Parameters<typeof porResultado>[0]
  /** What a note costs today: credits, and BRL, empty where it has no price in BRL. */
  preco: { creditos: number; reais: string }
  prefixo: string
}

/** Where the use stands. */
const enderecoDoUso = (prefixo: string): string => `${prefixo}/painel/uso/`

/** Beyond so many days the bars are months. */
const MAIS_DIAS = 92

/** The content of the page of the use. */
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
  )
}

function numeros({ dias, preco, pergunta: { de, ate }, prefixo }: UsoDaConta): Content {
  const { chamadas, entregues, falhas, do_cache, com_falha, creditos, ms } = somarTudo(
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
    numero('Entregues', share(entregues, entregues + falhas), [
      contar(falhas, 'falha, não cobrada', 'falhas, não cobradas'),
      comErro(com_falha),
    ]),
    numero('Respondidas do cache', share(do_cache, entregues), contar(do_cache, 'chamada', 'chamadas')),
    numero(
      'Créditos',
      formatNumero(creditos),
      reais === 0
        ? ''
        : html`cerca de ${formatReais(reais)} em XML de NF-e, pelo preço de hoje; o exato está no <a href="${url(`${prefixo}/painel/extrato/${extrato}`)}">extrato</a>`,
    ),
  ]
}

/** What is delivered with HTTP 200 may still say that a source failed. */
const comErro = (count: number): Content =>
  count > 0 && html`; ${contar(count, 'entregue', 'entregues')} com erro em <code>source_status</code>`

const numero = (titulo: string, valor: string, resto: Content): Html =>
  html`<section class="cartao quarto indicador" aria-label="${titulo}"><p class="suave">${titulo}</p><p class="numero">${valor}</p><p class="suave">${resto}</p></section>`

const grafico = (dias: readonly DiaDeUso[]): Html =>
  dias.length > MAIS_DIAS
    ? consultasPorDia(porMes(dias), {
        coluna: 'Mês',
        rotuloDe: ({ dia }) => `${dia.slice(5, 7)}/${dia.slice(0, 4)}`,
      })
    : consultasPorDia(dias, { coluna: 'Dia', rotuloDe: ({ dia }) => formatDiaCurto(dia) })

/** The days of each month in one. */
function porMes(dias: readonly DiaDeUso[]): DiaDeUso[] {
  const months = Map.groupBy(dias, ({ dia }) => dia.slice(0, 7))
  return [...months].map(([mes, all]) => {
    const names = new Set(all.flatMap(({ endpoints }) => [...endpoints.keys()]))
    const endpoints = new Map(
      [...names].map((name) => [name, somarTudo(all.flatMap((day) => day.endpoints.get(name) ?? []))]),
    )
    return { dia: `${mes}-01`, soma: somarTudo(endpoints.values()), endpoints }
  })
}

const vazio = ({ pergunta: { endpoint, desfecho }, prefixo }: UsoDaConta): Html =>
  endpoint === undefined && desfecho === undefined
    ? html`<p class="vazio">Nenhuma chamada neste período. <a href="${url(`${prefixo}/painel/experimentar/`)}">Experimente uma consulta</a>.</p>`
    : html`<p class="vazio">Nenhuma chamada neste período com estes filtros.</p>`

/** The use of an account by day and endpoint, as a page and as a file. */
export function abrirUso(scope: FastifyInstance, { room, moldura, logadoDe, escrever }: Sala): void {
  const { prefixo } = moldura
  scope.get('/', async (request, reply) => {
    const hoje = diaDe(room.now().getTime())
    const pergunta = lerPeriodo(request.query, hoje)
    const { conta } = logadoDe(request)
    const dias = await usoPorDia(room, conta.id, pergunta)
    const desfechos = await somarDesfechos(room.db, conta.id, pergunta)
    return escrever(request, reply, {
      titulo: 'Uso',
      descricao: 'Chamadas e créditos da conta por dia e consulta.',
      atual: 'uso',
      conteudo: paginaDoUso({ pergunta, hoje, dias, desfechos, preco: precoXmlOf(conta), prefixo }),
    })
  })

  scope.get('/uso.csv', async (request, reply) => {
    const pergunta = lerPeriodo(request.query, diaDe(room.now().getTime()))
    const dias = await usoPorDia(room, logadoDe(request).conta.id, pergunta)
    return enviarCsv(reply, {
      arquivo: `uso-${pergunta.de}-${pergunta.ate}.csv`,
      cabecalho: cabecalhoDoUso,
      lotes: (async function* () {
        yield dias.flatMap(linhasDoUso)
      })(),
    })
  })
}
