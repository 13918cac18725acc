import { mix } from '../documento/aleatorio.ts'
import { autorizadores, type CasaSefaz } from './autorizadores.ts'
import type { NomeDoCaso } from './caso.ts'

export const MINUTO_MS = 60_000
export const HORA_MS = 60 * MINUTO_MS
export const DIA_MS = 24 * HORA_MS

/** A fall of a data centre, in milliseconds since 1970. Until `aparece` the services still say 107. */
export type Queda = {
  casa: CasaSefaz
  inicio: number
  aparece: number
  fim: number
  caso: NomeDoCaso
  ids: ReadonlySet<string>
}

/** The data centres, and how likely a fall is on a day: the great ones fall less. */
const casas: readonly [casa: CasaSefaz, chance: number][] = [
  ['AM', 0.06],
  ['BA', 0.05],
  ['GO', 0.05],
  ['MG', 0.035],
  ['MS', 0.05],
  ['MT', 0.06],
  ['PE', 0.05],
  ['PR', 0.035],
  ['RS', 0.025],
  ['SP', 0.02],
  ['SERPRO', 0.03],
]

/** How a fall shows; what is named twice is twice as frequent. */
const modos: readonly NomeDoCaso[] = [
  ...(['108', '108', '108', '109', 'fault', 'http-500', 'corte', 'sem-resposta'] as const),
]

/** A number from 0 to 1 (exclusive) out of integers: the same for the same. */
export const acaso = (...chaves: readonly number[]): number =>
  chaves.reduce((feito, chave) => mix(feito, chave), 0x5ef) / 0x1_0000_0000

/** The day in Brasília that an instant is on, counted since 1970. */
export const diaDe = (instante: number): number => Math.floor((instante - 3 * HORA_MS) / DIA_MS)

/** The first instant of such a day. */
export const inicioDoDia = (dia: number): number => dia * DIA_MS + 3 * HORA_MS

const SHORTEST_MIN = 20

/** No fall is longer than 30 times the shortest: ten hours. */
const SPREAD = 30

/** The falls that begin on a day. They follow from the day alone. */
export function quedasDoDia(dia: number): readonly Queda[] {
  const feitas = porDia.get(dia)
  if (feitas) return feitas
  if (porDia.size > LEMBRADOS) porDia.clear()
  const novas = casas.flatMap(([casa, chance], indice) => {
    const de = (sal: number): number => acaso(dia, indice, sal)
    return de(1) < chance ? [cair(casa, dia, de)] : []
  })
  porDia.set(dia, novas)
  return novas
}

const porDia = new Map<number, readonly Queda[]>()
const LEMBRADOS = 400

function cair(casa: CasaSefaz, dia: number, de: (sal: number) => number): Queda {
  const inicio = inicioDoDia(dia) + Math.floor(de(2) * 24 * 60) * MINUTO_MS
  const minutos = Math.round(SHORTEST_MIN * SPREAD ** (de(3) ** 1.6))
  const calada = Math.floor(de(4) ** 2 * Math.min(12, minutos - 15)) * MINUTO_MS
  return {
    casa,
    inicio,
    aparece: inicio + calada,
    fim: inicio + minutos * MINUTO_MS,
    caso: modos[Math.floor(de(5) * modos.length)] ?? '108',
    ids: new Set(alcance(casa, de(6))),
  }
}

/** What a fall takes with it: everything, the two consumer-facing documents, or one document. */
function alcance(casa: CasaSefaz, sorte: number): string[] {
  const seus = autorizadores.filter((um) => um.casa === casa)
  const docs = new Set(seus.map(({ doc }) => doc))
  if (sorte < 0.35 || docs.size === 1) return seus.map(({ id }) => id)
  const so = sorte < 0.6 ? ['nfe', 'nfce'] : sorte < 0.85 ? ['nfce'] : ['cte']
  const atingidos = seus.filter(({ doc }) => so.includes(doc))
  return (atingidos.length > 0 ? atingidos : seus).map(({ id }) => id)
}

/** The fall that an authorizer is in; undefined where it stands. */
export function quedaEm(id: string, instante: number): Queda | undefined {
  const dia = diaDe(instante)
  for (const um of [dia, dia - 1])
    for (const queda of quedasDoDia(um))
      if (queda.inicio <= instante && instante < queda.fim && queda.ids.has(id)) return queda
  return undefined
}
