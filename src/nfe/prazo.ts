import { BRASILIA_OFFSET_MS } from '../documento/dia.ts'

const DIA_MS = 86_400_000

const brasilia = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** The last second of a window of so many days: the same time of day in Brasília. */
export const fimDoPrazo = (de: Date, dias: number): Date => new Date(de.getTime() + dias * DIA_MS)

/** Whether `agora` is within so many days of an instant, to the second. */
export const noPrazo = (de: Date, dias: number, agora: Date): boolean =>
  Math.floor(agora.getTime() / 1000) <= Math.floor(fimDoPrazo(de, dias).getTime() / 1000)

/** The end of a window as people in Brazil read it: `31/12/2026, 23:59:59 (horário de Brasília)`. */
export const formatPrazo = (instante: Date): string => `${brasilia.format(instante)} (horário de Brasília)`

/** The same day and time in Brasília so many months later. In a month without that day, its last day. */
export function mesesDepois(de: Date, meses: number): Date {
  const local = new Date(de.getTime() + BRASILIA_OFFSET_MS)
  const dia = local.getUTCDate()
  local.setUTCDate(1)
  local.setUTCMonth(local.getUTCMonth() + meses)
  const ultimo = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate()
  local.setUTCDate(Math.min(dia, ultimo))
  return new Date(local.getTime() - BRASILIA_OFFSET_MS)
}

/** The first instant of a month in Brasília. `mes` counts from 1, and 13 is January of the next year. */
export const inicioDoMes = (ano: number, mes: number): Date =>
  new Date(Date.UTC(ano, mes - 1, 1) - BRASILIA_OFFSET_MS)
