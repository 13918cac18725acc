import type { Uf } from '../documento/molde.ts'
import { type Autorizador, autorizadores, type Doc, fisico } from './autorizadores.ts'
import type { Ativacao, NomeDoCaso } from './caso.ts'
import { acaso, diaDe, HORA_MS, MINUTO_MS, type Queda, quedaEm, quedasDoDia } from './quedas.ts'

/** What an authorizer does with a question, and how many milliseconds it takes. */
export type Tempo = { caso: NomeDoCaso; ms: number }

/** After this the weather's silence is broken off, so that nobody who looks at it waits long. */
export const SILENCIO_MS = 7_000

const indices = new Map(autorizadores.map(({ id }, indice) => [id, indice]))

/**
 * The weather at an authorizer: a function of its id and of the instant (milliseconds since 1970), and of
 * nothing else.
 */
export function climaEm(idDito: string, instante: number): Tempo {
  const id = fisico(idDito)
  const indice = indices.get(id) ?? 0
  const minuto = Math.floor(instante / MINUTO_MS)
  const queda = quedaEm(id, instante)
  if (queda && instante >= queda.aparece) return falhar(queda.caso, acaso(indice, minuto, 1))
  if (acaso(indice, minuto, 2) < SOLUCOS) {
    const modo = soluco[Math.floor(acaso(indice, minuto, 3) * soluco.length)] ?? 'corte'
    return falhar(modo, acaso(indice, minuto, 4))
  }
  // An authorizer that is about to be down is slow already.
  const lento = queda ? 3_000 : lentidaoEm(indice, instante)
  const ruido = acaso(indice, Math.floor(instante / 1000), 5)
  if (lento) return { caso: 'lento', ms: Math.round(lento * (0.9 + 0.2 * ruido)) }
  const base = 70 + 330 * acaso(indice, 6)
  return { caso: 'normal', ms: Math.round(base * cargaEm(instante) * (0.75 + 0.8 * ruido ** 3)) }
}

/** How often a single question fails, in a minute. */
const SOLUCOS = 0.0015
const soluco: readonly NomeDoCaso[] = ['corte', 'http-500', 'fault', 'sem-resposta']

const falhar = (caso: NomeDoCaso, sorte: number): Tempo => ({
  caso,
  ms: caso === 'sem-resposta' ? SILENCIO_MS : Math.round(60 + 400 * sorte),
})

/** The working day in Brasília: twice as slow at its height as at night. */
function cargaEm(instante: number): number {
  const hora = ((instante - 3 * HORA_MS) % (24 * HORA_MS)) / HORA_MS
  return 1 + Math.exp(-(((hora - 14) / 4.5) ** 2))
}

/** The slow spells: rare ones of every authorizer, and one somewhere at any time. Undefined outside them. */
function lentidaoEm(indice: number, instante: number): number | undefined {
  const bloco = Math.floor(instante / (4 * HORA_MS))
  if (acaso(indice, bloco, 7) < 0.04) {
    const inicio = bloco * 4 * HORA_MS + acaso(indice, bloco, 8) * 2.5 * HORA_MS
    const fim = inicio + (0.5 + acaso(indice, bloco, 9)) * HORA_MS
    if (inicio <= instante && instante < fim) return 2_400 + 3_800 * acaso(indice, bloco, 10) ** 2
  }
  const turno = Math.floor(instante / (2 * HORA_MS))
  for (const { pool, chance, sal } of sempre) {
    const escolhido = pool[Math.floor(acaso(turno, sal, 11) * pool.length)]
    if (escolhido === indice && acaso(turno, sal, 12) < chance)
      return 2_400 + 1_800 * acaso(indice, turno, 13)
  }
  return undefined
}

/** The authorizers of one state each, by document: one of them is slow in most turns of two hours. */
const sempre = (
  [
    ['nfe', 1],
    ['nfce', 0.6],
    ['cte', 0.25],
  ] as const
).map(([doc, chance], sal) => ({
  chance,
  sal,
  pool: autorizadores.flatMap((um, indice) =>
    um.doc === doc && um.ufs.length === 1 && um.id === fisico(um.id) ? [indice] : [],
  ),
}))

/**
 * A state activates its SVC half an hour after its authorizer fell, and ends it 15 minutes after the return.
 */
const DECISAO_MS = 30 * MINUTO_MS
export const TOLERANCIA_MS = 15 * MINUTO_MS

/** How a state's SVC stands, and until when, where it ends. */
export type Situacao = { estado: Ativacao; ate: number }

/**
 * Whether a state has activated its SVC for a document. Four in five states do, in a fall of an hour or
 * more.
 */
export function ativacaoEm(doc: Doc, uf: Uf, instante: number): Situacao {
  const dia = diaDe(instante)
  const autorizador = autorizadorDe(doc, uf)
  for (const queda of [dia, dia - 1].flatMap(quedasDoDia)) {
    if (!autorizador || !ativa(queda, autorizador, uf)) continue
    const ate = queda.fim + TOLERANCIA_MS
    if (queda.inicio + DECISAO_MS <= instante && instante < ate)
      return { estado: instante < queda.fim ? 'ativada' : 'encerrando', ate }
  }
  return { estado: 'desativada', ate: instante }
}

function ativa(queda: Queda, { id }: Autorizador, uf: Uf): boolean {
  const longa = queda.fim - queda.inicio >= HORA_MS
  const decide = acaso(uf.charCodeAt(0), uf.charCodeAt(1), queda.inicio / MINUTO_MS) < 0.8
  return longa && decide && queda.ids.has(id)
}

function autorizadorDe(doc: Doc, uf: Uf): Autorizador | undefined {
  return autorizadores.find((um) => um.doc === doc && um.ufs.includes(uf))
}
