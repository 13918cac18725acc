import { isFalha, type LeituraSefaz } from './leitura.ts'
import { type Autorizador, autorizadores, type Casa } from './rules.ts'

/** A fall of one authorizer inside an incident. Instants are in milliseconds since 1970. */
export type Queda = {
  autorizador: string
  /** The first failing round. */
  inicio: number
  /** The first good round after it, or when it was too long unknown whether it lasts; null while it does. */
  fim: number | null
  /** The last failure: the authority's code or null, and its words. */
  cStat: number | null
  motivo: string
}

/** What fell at one data centre, from the first fall to the last return. */
export type Incidente = {
  id: string
  casa: Casa
  inicio: number
  fim: number | null
  quedas: readonly Queda[]
}

/** So many rounds in a row make a fall, and a return. */
export const RODADAS_PARA_CRER = 3

/** What falls again within this time after the end goes on as the same incident. */
export const REABRE_MS = 3 * 60 * 60_000

/**
 * Gives the incidents that one more round makes or changes. `recentes` has the readings of each authorizer,
 * the newest first; so has `conhecidos` the incidents that are open, or that a fall may reopen.
 */
export function avancar(
  recentes: ReadonlyMap<string, readonly LeituraSefaz[]>,
  conhecidos: readonly Incidente[],
  agora: Agora,
): Incidente[] {
  const casas = new Set(autorizadores.map(({ casa }) => casa))
  return [...casas].flatMap((casa) => {
    const known = conhecidos.find((one) => one.casa === casa)
    const changed = advanceCasa(
      autorizadores.filter((one) => one.casa === casa),
      { ...agora, recentes, known },
    )
    return changed ? [changed] : []
  })
}

type Agora = {
  /** When the round began. */
  em: number
  /** The authorizers (by id) of which too long nothing was known to say that a fall lasts. */
  calados: ReadonlySet<string>
  newId: () => string
}

type DaCasa = Agora & {
  recentes: ReadonlyMap<string, readonly LeituraSefaz[]>
  known: Incidente | undefined
}

function advanceCasa(own: readonly Autorizador[], now: DaCasa): Incidente | undefined {
  const { recentes, known, em, calados, newId } = now
  const quedas = [...(known?.quedas ?? [])]
  const novas: Queda[] = []
  let changed = false
  for (const { id } of own) {
    const last = (recentes.get(id) ?? []).slice(0, RODADAS_PARA_CRER)
    const at = quedas.findIndex(({ autorizador, fim }) => autorizador === id && fim === null)
    const open = quedas[at]
    const forgotten = open && calados.has(id) && { ...open, fim: em }
    const next = forgotten || (open ? goOn(open, last) : beginOf(id, last))
    if (!next) continue
    if (open) quedas[at] = next
    else novas.push(next)
    changed = true
  }
  if (!changed) return undefined
  const goesOn = known && reabre(known, novas)
  const all = goesOn ? [...quedas, ...novas] : novas
  const ends = all.map(({ fim }) => fim)
  const isOver = ends.every((fim) => fim !== null)
  return {
    id: goesOn ? known.id : newId(),
    casa: own[0]?.casa ?? 'SERPRO',
    inicio: Math.min(...all.map(({ inicio }) => inicio)),
    fim: isOver ? Math.max(...ends.map(Number)) : null,
    quedas: all,
  }
}

/** Whether falls belong to an incident: it is open, or one of them began soon enough after its end. */
const reabre = ({ fim }: Incidente, novas: readonly Queda[]): boolean =>
  fim === null || novas.some(({ inicio }) => inicio - fim <= REABRE_MS)

/** The fall that these readings prove, if they are failures all. */
function beginOf(autorizador: string, last: readonly LeituraSefaz[]): Queda | undefined {
  const [newest] = last
  const oldest = last.at(-1)
  if (!newest || !oldest || last.length < RODADAS_PARA_CRER || !last.every(isFalha)) return undefined
  const { cStat, motivo } = newest
  return { autorizador, inicio: oldest.em, fim: null, cStat, motivo }
}

/** The fall with its end, if these readings are good ones all; or with the words of its last failure. */
function goOn(open: Queda, last: readonly LeituraSefaz[]): Queda | undefined {
  const [newest] = last
  const oldest = last.at(-1)
  if (!newest || !oldest || last.length < RODADAS_PARA_CRER) return undefined
  if (!last.some(isFalha)) return { ...open, fim: oldest.em }
  const { cStat, motivo } = newest
  const isNews = isFalha(newest) && (cStat !== open.cStat || motivo !== open.motivo)
  return isNews ? { ...open, cStat, motivo } : undefined
}
