import { percent } from './rules-historico.ts'

const timeZone = 'America/Sao_Paulo'
const dia = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit' })
const diaEAno = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short' })
const hora = new Intl.DateTimeFormat('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })
const horaInteira = new Intl.DateTimeFormat('pt-BR', { timeZone, timeStyle: 'medium' })

/** `22/11 às 14:48`, in Brasília, of an instant in milliseconds. */
export const formatInstante = (ms: number): string => `${dia.format(ms)} às ${hora.format(ms)}`

/** `22/11/2026 às 15:02:07` */
export const formatLeitura = (ms: number): string => `${diaEAno.format(ms)} às ${horaInteira.format(ms)}`

/** `15:04:07` */
export const formatHora = (ms: number): string => horaInteira.format(ms)

/** `25/08`, of a day AAAA-MM-DD. */
export const formatDiaCurto = (day: string): string => `${day.slice(8, 10)}/${day.slice(5, 7)}`

/** What an attribute `datetime` takes. */
export const isoDe = (ms: number): string => new Date(ms).toISOString()

/** `14 min`, `2 h 10 min`, `3 dias`: of a time in milliseconds. */
export function formatDuracao(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.round(hours / 24)} dias`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** `0,42 s` */
export const formatSegundos = (seconds: number): string =>
  `${seconds.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} s`

/** `99,94%`. 0 and 100 are said of none and of all alone. */
export const formatParte = (share: number): string =>
  `${percent(share, 1)?.toLocaleString('pt-BR', { minimumFractionDigits: 2 })}%`

/** `1 lento`, `2 lentos` */
export const contar = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`
