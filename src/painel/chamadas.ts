import { type DiaDeUso, endpointsDe } from '../contas/uso.ts'
import { contar, formatDia, formatNumero } from '../platform/pages/formatos.ts'
import { barrasEmpilhadas, CORES, type Serie } from '../platform/pages/graficos.ts'
import { type Html, html } from '../platform/pages/html.ts'
import { nomeDoEndpoint } from './consultas.ts'

/** About so many bars have words under them. */
const ROTULOS = 6

/** What a column of calls is about: a day, or a month. `dia` is its first one. */
type Coluna = { dia: string; rotulo: string }

/**
 * Draws the calls of each day by endpoint, with the numbers in a table under it. The endpoints beyond the
 * colours share one.
 */
export function consultasPorDia(
  dias: readonly DiaDeUso[],
  { coluna = 'Dia', rotuloDe = ({ dia }) => formatDia(dia) }: Modo = {},
): Html {
  const colunas = dias.map((dia): Coluna => ({ dia: dia.dia, rotulo: rotuloDe(dia) }))
  const series = seriesDe(dias)
  const every = Math.max(1, Math.ceil(colunas.length / ROTULOS))
  const total = dias.reduce((sum, { soma }) => sum + soma.chamadas, 0)
  const [first, last] = [colunas[0]?.rotulo ?? '', colunas.at(-1)?.rotulo ?? '']
  return html`${barrasEmpilhadas(series, {
    barras: colunas.map(({ rotulo }, at) => ({
      rotulo: at % every === 0 ? rotulo : '',
      dito: ditoDe(rotulo, at, series),
    })),
    texto: `De ${first} a ${last}: ${contar(total, 'chamada', 'chamadas')}. Os números estão na tabela abaixo.`,
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
    ...(others.length > 0 ? [{ nome: `Outras ${others.length}`, valores: count(others) }] : []),
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
