import { type DiaDeUso, somarTudo } from '../contas/uso.ts'
import { escreverReais } from '../platform/ledger/rules.ts'
import { contar, formatDiaEMes, formatNumero, formatParte } from '../platform/pages/formatos.ts'
import { barraDeParte, risco } from '../platform/pages/graficos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { DIAS_DA_VISAO, type Visao } from './visao-visao.ts'

/** The four cards at the head of the overview. */
export const cartoes = (visao: Visao): Html =>
  html`${cartaoDosCreditos(visao)}${cartaoDeHoje(visao)}${cartaoDasEntregas(visao)}${cartaoDoMes(visao)}`

const cartao = (titulo: string, numero: string, resto: Content): Html =>
  html`<section class="cartao quarto indicador" aria-label="${titulo}"><p class="suave">${titulo}</p><p class="numero">${numero}</p>${resto}</section>`

function cartaoDosCreditos({ resumo: { creditos, renova_em } }: Visao): Html {
  const { cota, cota_restante, extras, reservados, disponiveis } = creditos
  const renova = formatDiaEMes(Date.parse(renova_em))
  const also = [
    extras > 0 && `${contar(extras, 'extra', 'extras')}`,
    reservados > 0 && `${contar(reservados, 'reservado', 'reservados')} por consultas em andamento`,
  ].filter((one) => one !== false)
  return cartao(
    'Créditos restantes',
    formatNumero(disponiveis),
    html`<p class="suave">${extras > 0 && `${formatNumero(cota_restante)} `}de ${formatNumero(cota)}, renova em ${renova}${also.length > 0 && `; ${also.join('; ')}`}</p>${barraDeParte(cota > 0 ? cota_restante / cota : 0)}`,
  )
}

function cartaoDeHoje({ dias }: Visao): Html {
  const counts = dias.slice(-DIAS_DA_VISAO).map(({ soma }) => soma.chamadas)
  const today = counts.at(-1) ?? 0
  const mean = meanOf(counts.slice(0, -1))
  return cartao(
    'Chamadas hoje',
    formatNumero(today),
    html`<p class="suave">${comparar(today, mean)}</p>${risco(counts)}`,
  )
}

/** The mean of the days since the first call, so that a new account is not compared with days before it. */
function meanOf(counts: readonly number[]): number {
  const since = counts.findIndex((count) => count > 0)
  const days = since < 0 ? [] : counts.slice(since)
  return days.length === 0 ? 0 : days.reduce((sum, count) => sum + count, 0) / days.length
}

/** A day that has not ended can be above the mean, but is not below it yet. */
function comparar(today: number, mean: number): string {
  if (mean === 0) return 'ainda sem média dos dias anteriores'
  const above = Math.round((today / mean - 1) * 100)
  const said = `média de ${formatNumero(Math.round(mean * 10) / 10)} por dia`
  return above > 0 ? `${formatNumero(above)}% acima da ${said}` : `até agora; ${said}`
}

function cartaoDasEntregas({ dias, prefixo }: Visao): Html {
  const shown = dias.slice(-DIAS_DA_VISAO).map(({ soma }) => soma)
  const { entregues, falhas } = somarTudo(shown)
  const asked = entregues + falhas
  return cartao(
    'Entregues',
    asked === 0 ? '–' : formatParte(entregues / asked),
    html`<p class="suave">${falhas === 0 ? 'nenhuma falha' : html`<a href="${url(`${prefixo}/painel/registro/?desfecho=falhas`)}">${contar(falhas, 'falha', 'falhas')}</a>, ${falhas === 1 ? 'não cobrada' : 'nenhuma cobrada'}`} em ${DIAS_DA_VISAO} dias</p>${
      asked > 0 &&
      risco(
        shown.map((day) =>
          day.entregues + day.falhas === 0 ? 1 : day.entregues / (day.entregues + day.falhas),
        ),
      )
    }`,
  )
}

const XML = '/api/consultar-nfe-xml'

function cartaoDoMes({ resumo: { uso }, reais, dias }: Visao): Html {
  const notas = uso.endpoints.find(({ endpoint }) => endpoint === XML)?.chamadas ?? 0
  return cartao(
    'Gasto do mês',
    contar(uso.creditos_total, 'crédito', 'créditos'),
    html`<p class="suave">${reais !== null ? `${escreverReais(reais)} por ${contar(notas, 'XML de NF-e', 'XML de NF-e')}` : 'nenhuma consulta com preço em reais'}</p>${risco(acumular(dias, uso.mes))}`,
  )
}

/** The credits of the month up to each of its days. */
function acumular(dias: readonly DiaDeUso[], mes: string): number[] {
  let sum = 0
  return dias
    .filter(({ dia }) => dia.startsWith(mes))
    .map(({ soma }) => {
      sum += soma.creditos
      return sum
    })
}
