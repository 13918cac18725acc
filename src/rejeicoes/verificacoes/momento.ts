/** A day, or an instant with its offset, as the NF-e writes them. */
const FORMA = /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/

type Momento = { dia: string; hora: string; fuso: string }

function parseMomento(texto: string): Momento | undefined {
  const [, dia, hora = '', fuso = ''] = FORMA.exec(texto) ?? []
  if (!dia || Number.isNaN(Date.parse(dia + hora + fuso))) return undefined
  return { dia, hora, fuso }
}

/**
 * Whether one moment is before another; a day and an instant are compared by their days, as written. False if
 * one of them is absent, and undefined if one is no moment.
 */
export function isAntes(um: string, outro: string): boolean | undefined {
  if (um === '' || outro === '') return false
  const primeiro = parseMomento(um)
  const segundo = parseMomento(outro)
  if (!primeiro || !segundo) return undefined
  if (!primeiro.hora || !segundo.hora) return primeiro.dia < segundo.dia
  return Date.parse(um) < Date.parse(outro)
}

const MILISSEGUNDOS = { minutos: 60_000, dias: 86_400_000 }

const MESES = { meses: 1, anos: 12 }

/** Units of time that a moment may be moved by. */
export type Unidade = keyof typeof MILISSEGUNDOS | keyof typeof MESES

/** Moves a moment and keeps its offset. Empty stays empty; undefined if the text is no moment. */
export function somarTempo(texto: string, quantos: number, unidade: Unidade): string | undefined {
  if (texto === '') return ''
  const momento = parseMomento(texto)
  if (!momento) return undefined
  const { dia, hora, fuso } = momento
  const local = new Date(`${dia}${hora || 'T00:00:00'}Z`)
  const novo =
    unidade === 'meses' || unidade === 'anos'
      ? somarMeses(local, quantos * MESES[unidade])
      : new Date(local.getTime() + quantos * MILISSEGUNDOS[unidade])
  const escrito = novo.toISOString()
  return hora ? escrito.slice(0, 19) + fuso : escrito.slice(0, 10)
}

/** The last day stands for one that the month does not have. */
function somarMeses(local: Date, meses: number): Date {
  const novo = new Date(local)
  novo.setUTCMonth(local.getUTCMonth() + meses)
  if (novo.getUTCDate() !== local.getUTCDate()) novo.setUTCDate(0)
  return novo
}
