import { dataBrasileira } from './documento.ts'

export const DIA_MS = 86_400_000

/** Day and hour in Brasília: three hours behind UTC, without summer time since 2019. */
export function emBrasilia(instante: number): { dia: string; hora: string } {
  const [dia = '', hora = ''] = new Date(instante - 3 * 3_600_000).toISOString().split(/[TZ.]/)
  return { dia, hora }
}

export function diaEHora(instante: number): string {
  const { dia, hora } = emBrasilia(instante)
  return `${dataBrasileira(dia)} ${hora.slice(0, 5)}`
}

/** An instant at that offset from UTC, to the second: `AAAA-MM-DDThh:mm:ss-03:00`. */
export function comFuso(instante: Date, fuso: '-03:00' | '-04:00'): string {
  const horas = Number.parseInt(fuso, 10)
  return new Date(instante.getTime() + horas * 3_600_000).toISOString().slice(0, 19) + fuso
}
