import { collapse, fold } from '../platform/texto.ts'

/** A date in a text (AAAA-MM-DD), with the place of its words in the text on one line. */
export type DataAchada = { data: string; inicio: number; fim: number }

export type Prazo = { dias: number } | { meses: number }

const MESES = [
  'JANEIRO',
  'FEVEREIRO',
  'MARCO',
  'ABRIL',
  'MAIO',
  'JUNHO',
  'JULHO',
  'AGOSTO',
  'SETEMBRO',
  'OUTUBRO',
  'NOVEMBRO',
  'DEZEMBRO',
]

const DATA = new RegExp(
  `(?<!\\d)(\\d{1,2})(?:/(\\d{1,2})/|º? (?:DE )?(${MESES.join('|')}),? (?:DE )?)(\\d{4})(?!\\d)`,
  'g',
)

const DAY_MS = 86_400_000

/** `27/08/2026`, `27 AGOSTO DE 2026`, `1º de julho de 2026`. A day that no calendar has is skipped. */
export function listDatas(text: string): DataAchada[] {
  return [...fold(collapse(text)).matchAll(DATA)].flatMap((match) => {
    const [words, dia = '', numero, nome = '', ano = ''] = match
    const mes = numero ?? String(MESES.indexOf(nome) + 1)
    const data = `${ano}-${mes.padStart(2, '0')}-${dia.padStart(2, '0')}`
    return isDay(data) ? [{ data, inicio: match.index, fim: match.index + words.length }] : []
  })
}

/** Finds the first date of a text, as listDatas does. */
export const findData = (text: string): DataAchada | undefined => listDatas(text)[0]

export type PrazoAchado = { prazo: Prazo; inicio: number; fim: number }

/** Finds the terms of a text: `60 dias`, `90 (noventa) dias`, `6 (seis) meses`. */
export const listPrazos = (text: string): PrazoAchado[] =>
  [...fold(collapse(text)).matchAll(/(?<!\d)(\d{1,3}) ?(?:\([A-Z ]+\) ?)?(DIAS?|MES|MESES)\b/g)].map(
    (match) => {
      const many = Number(match[1])
      const prazo = match[2]?.startsWith('DIA') ? { dias: many } : { meses: many }
      return { prazo, inicio: match.index, fim: match.index + match[0].length }
    },
  )

/** The day of issue does not count; in a month without that day the term ends on its last day. */
export function endOfPrazo(data: string, prazo: Prazo): string {
  if ('dias' in prazo) return toDay(Date.parse(data) + prazo.dias * DAY_MS)
  const [ano = 0, mes = 0, dia = 0] = data.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(ano, mes + prazo.meses, 0)).getUTCDate()
  return toDay(Date.UTC(ano, mes - 1 + prazo.meses, Math.min(dia, lastOfMonth)))
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** 31/02 overflows into March, or is no date at all. */
function isDay(data: string): boolean {
  const ms = Date.parse(data)
  return !Number.isNaN(ms) && toDay(ms) === data
}
