import type { FastifyInstance } from 'fastify'
import { type ResumoDaConta, summarize } from '../contas/lookup.ts'
import { addUp, type DiaDeUso, gastoEmReais, usoPorDia } from '../contas/lookup-usos.ts'
import { findUsos } from '../contas/store-dias.ts'
import { diaDe, diaDepois } from '../documento/dia.ts'
import { DIAS_DO_REGISTRO } from '../platform/http/outcome.ts'
import { writeReais } from '../platform/ledger/rules.ts'
import { countOf, formatAgora, formatDiaEMes, formatNumero, formatParte } from '../platform/pages/formatos.ts'
import { barraDeParte, risco } from '../platform/pages/graficos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { currentQuadro } from '../sefaz/lookup.ts'
import { drawSefazAgora } from '../sefaz/page-vista.ts'
import type { Quadro } from '../sefaz/rules-rodada.ts'
import { consultasPorDia, NOTA, tabelaDeChamadas } from './chamadas.ts'
import type { Sala } from './sala.ts'

type Visao = {
  agora: number
  resumo: ResumoDaConta
  /** What the notes of the month cost in BRL, as the books have it. */
  reais: string | null
  /** The last 30 days, or what the month has more: today is the last one. */
  dias: readonly DiaDeUso[]
  ultimas: Parameters<typeof tabelaDeChamadas>[0]
  /** The calls whose answer is still kept. */
  guardadas: ReadonlySet<string>
  /** Undefined while the monitor has none to show. */
  quadro: Quadro | undefined
  prefixo: string
}

const DIAS_DA_VISAO = 30

/** What an account that has not called yet does first: its page has the key and the command. */
const primeirosPassos = ({ prefixo }: Visao): Html =>
  cartao(
    { titulo: 'Primeiros passos', id: 'primeiros-passos', classe: 'dois-tercos primeiros-passos' },
    html`<div><p>Leva um minuto e custa 1 crédito.</p><ol><li>A sua chave, para copiar.</li><li>O comando, pronto para colar no terminal.</li><li>A luz que acende quando a primeira chamada chega.</li></ol><p><a class="botao" href="${url(`${prefixo}/painel/comecar/`)}">Abrir os primeiros passos</a></p></div>`,
  )

const cartoes = (visao: Visao): Html =>
  html`${cartaoDosCreditos(visao)}${cartaoDeHoje(visao)}${cartaoDasEntregas(visao)}${cartaoDoMes(visao)}`

const cartaoComNumero = (titulo: string, numero: string, resto: Content): Html =>
  html`<section class="cartao quarto indicador" aria-label="${titulo}"><p class="suave">${titulo}</p><p class="numero">${numero}</p>${resto}</section>`

function cartaoDosCreditos({ resumo: { creditos, renova_em } }: Visao): Html {
  const { cota, cota_restante, extras, reservados, disponiveis } = creditos
  const renova = formatDiaEMes(Date.parse(renova_em))
  const also = [
    extras > 0 && `${countOf(extras, 'extra', 'extras')}`,
    reservados > 0 && `${countOf(reservados, 'reservado', 'reservados')} por consultas em andamento`,
  ].filter((one) => one !== false)
  return cartaoComNumero(
    'Créditos restantes',
    formatNumero(disponiveis),
    html`<p class="suave">${extras > 0 && `${formatNumero(cota_restante)} `}de ${formatNumero(cota)}, renova em ${renova}${also.length > 0 && `; ${also.join('; ')}`}</p>${barraDeParte(cota > 0 ? cota_restante / cota : 0)}`,
  )
}

function cartaoDeHoje({ dias }: Visao): Html {
  const counts = dias.slice(-DIAS_DA_VISAO).map(({ soma }) => soma.chamadas)
  const today = counts.at(-1) ?? 0
  const mean = meanOf(counts.slice(0, -1))
  return cartaoComNumero(
    'Chamadas hoje',
    formatNumero(today),
    html`<p class="suave">${compare(today, mean)}</p>${risco(counts)}`,
  )
}

/** The mean of the days since the first call, so that a new account is not compared with days before it. */
function meanOf(counts: readonly number[]): number {
  const since = counts.findIndex((count) => count > 0)
  const days = since < 0 ? [] : counts.slice(since)
  return days.length === 0 ? 0 : days.reduce((sum, count) => sum + count, 0) / days.length
}

/** A day that has not ended can be above the mean, but is not below it yet. */
function compare(today: number, mean: number): string {
  if (mean === 0) return 'ainda sem média dos dias anteriores'
  const above = Math.round((today / mean - 1) * 100)
  const said = `média de ${formatNumero(Math.round(mean * 10) / 10)} por dia`
  return above > 0 ? `${formatNumero(above)}% acima da ${said}` : `até agora; ${said}`
}

function cartaoDasEntregas({ dias, prefixo }: Visao): Html {
  const shown = dias.slice(-DIAS_DA_VISAO).map(({ soma }) => soma)
  const { entregues, falhas } = addUp(shown)
  const asked = entregues + falhas
  const partes = shown.flatMap((day) =>
    day.entregues + day.falhas === 0 ? [] : day.entregues / (day.entregues + day.falhas),
  )
  return cartaoComNumero(
    'Respondidas',
    asked === 0 ? '–' : formatParte(entregues / asked),
    html`<p class="suave">${falhas === 0 ? `nenhuma falha em ${DIAS_DA_VISAO} dias` : html`em ${DIAS_DA_VISAO} dias; <a href="${url(`${prefixo}/painel/registro/?desfecho=falhas`)}">${countOf(falhas, 'falha', 'falhas')}</a>, ${falhas === 1 ? 'não cobrada' : 'nenhuma cobrada'}`}</p>${partes.length > 1 && risco(partes)}`,
  )
}

function cartaoDoMes({ resumo: { uso }, reais, dias }: Visao): Html {
  const notas = uso.endpoints.find(({ endpoint }) => endpoint === NOTA)?.chamadas ?? 0
  return cartaoComNumero(
    'Gasto do mês',
    countOf(uso.creditos_total, 'crédito', 'créditos'),
    html`<p class="suave">${reais !== null && `${writeReais(reais)} por ${countOf(notas, 'XML de NF-e', 'XML de NF-e')}`}</p>${risco(accumulate(dias, uso.mes))}`,
  )
}

function accumulate(dias: readonly DiaDeUso[], mes: string): number[] {
  let sum = 0
  return dias
    .filter(({ dia }) => dia.startsWith(mes))
    .map(({ soma }) => {
      sum += soma.creditos
      return sum
    })
}

/** The content of the overview. An account that has not called yet is shown how to begin. */
function paginaDaVisao(visao: Visao): Html {
  const { agora, ultimas, prefixo } = visao
  const isNew = ultimas.length === 0 && visao.dias.every(({ soma }) => soma.chamadas === 0)
  return html`<div class="topo"><div><h1>Visão geral</h1><p class="suave">${formatAgora(agora)}</p></div><a class="botao" href="${url(`${prefixo}/painel/consultar/`)}">Fazer uma consulta</a></div>
<div class="grade visao">
${cartoes(visao)}
${isNew ? primeirosPassos(visao) : cartaoDoGrafico(visao)}
${drawSefazAgora(visao, 'terco')}
${
  !isNew &&
  cartao(
    {
      titulo: 'Últimas chamadas',
      id: 'ultimas',
      lado: html`<a href="${url(`${prefixo}/painel/registro/`)}">Ver todas</a>`,
    },
    ultimas.length > 0
      ? tabelaDeChamadas(ultimas, visao)
      : html`<p class="vazio">Nenhuma chamada nos últimos 90 dias.</p>`,
  )
}
</div>`
}

const cartaoDoGrafico = ({ dias, prefixo }: Visao): Html =>
  cartao(
    {
      titulo: 'Chamadas por dia',
      id: 'por-dia',
      classe: 'dois-tercos',
      lado: html`<a href="${url(`${prefixo}/painel/uso/`)}">Ver o uso</a>`,
    },
    consultasPorDia(dias.slice(-DIAS_DA_VISAO)),
  )

const ULTIMAS = 10

export function openVisao(scope: FastifyInstance, { room, moldura, logadoDe, draw }: Sala): void {
  const { db, ledger, now } = room
  scope.get('/', async (request, reply) => {
    const { id } = logadoDe(request).conta
    const agora = now().getTime()
    const hoje = diaDe(agora)
    const { resumo } = await summarize(room, id)
    const inicio = [diaDepois(hoje, 1 - DIAS_DA_VISAO), `${resumo.uso.mes}-01`].toSorted()[0] ?? hoje
    const dias = await usoPorDia(room, id, { de: inicio, ate: hoje })
    const { usos: ultimas } = await findUsos(
      db,
      id,
      { de: diaDepois(hoje, 1 - DIAS_DO_REGISTRO), ate: hoje },
      { sentido: 'antigas', marco: undefined, linhas: ULTIMAS, scan: ULTIMAS },
    )
    const guardadas = await room.guardadas.listOf(
      id,
      ultimas.map(({ request_id }) => request_id),
    )
    const reais = await gastoEmReais(ledger, id, resumo.uso.mes)
    const quadro = currentQuadro(room)
    const { prefixo } = moldura
    return draw(request, reply, {
      titulo: 'Visão geral',
      descricao: 'Créditos, chamadas e falhas da conta, e a situação das SEFAZ agora.',
      atual: 'visao',
      creditos: 'Mapa: Victor Cazanave e MapSVG (CC BY 4.0), com os contornos simplificados.',
      conteudo: paginaDaVisao({ agora, resumo, reais, dias, ultimas, guardadas, quadro, prefixo }),
    })
  })
}
