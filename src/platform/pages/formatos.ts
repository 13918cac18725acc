import { type Html, html } from './html.ts'

const timeZone = 'America/Sao_Paulo'
const numero = new Intl.NumberFormat('pt-BR')
const moeda = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const parte = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 1 })
const dia = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit' })
const hora = new Intl.DateTimeFormat('pt-BR', { timeZone, timeStyle: 'medium' })
const instante = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
const porExtenso = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'long' })
const diaEMes = new Intl.DateTimeFormat('pt-BR', { timeZone, day: 'numeric', month: 'long' })

/** `10.000` */
export const formatNumero = (value: number): string => numero.format(value)

/** `R$ 703,60` */
export const formatReais = (value: number): string => moeda.format(value)

/** `98,4%`, of a share from 0 to 1. 0 and 100 are said of none and of all alone. */
export function formatParte(share: number): string {
  if (share > 0.999 && share < 1) return '99,9%'
  if (share < 0.001 && share > 0) return '0,1%'
  return parte.format(share)
}

/** `22/11 14:59:55`, in Brasília, of an instant in milliseconds. */
export const formatQuando = (ms: number): string => `${dia.format(ms)} ${hora.format(ms)}`

/** `23/11/2026 09:12:07`, in Brasília, as spreadsheets read it too. */
export const formatInstante = (quando: Date): string => instante.format(quando).replace(', ', ' ')

/** `22 de novembro de 2026, 15h02 (Brasília)` */
export const formatAgora = (ms: number): string =>
  `${porExtenso.format(ms)}, ${hora.format(ms).slice(0, 5).replace(':', 'h')} (Brasília)`

/** `1º de dezembro`, `15 de janeiro` */
export const formatDiaEMes = (ms: number): string => diaEMes.format(ms).replace(/^1 /, '1º ')

/** `24/10`, of a day AAAA-MM-DD. */
export const formatDiaCurto = (day: string): string => `${day.slice(8, 10)}/${day.slice(5, 7)}`

/** `2.044 ms` */
export const formatTempo = (ms: number): string => `${numero.format(ms)} ms`

/** `1 chamada`, `2.000 chamadas` */
export const contar = (count: number, one: string, many: string): string =>
  `${numero.format(count)} ${count === 1 ? one : many}`

const format = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** An instant in Brasília, to the minute: `22/11/2026 às 14:48`. */
export const quando = (instante: Date): Html =>
  html`<time datetime="${instante.toISOString()}">${format.format(instante).replace(', ', ' às ')}</time>`
