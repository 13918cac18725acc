import type { Emenda } from '../rules-laudo.ts'
import { emendasDaChave } from './da-chave.ts'
import { emendasDoEsquema } from './do-esquema.ts'
import { emendasDoTotal } from './do-total.ts'
import { aplicarEmendas } from './emendas.ts'
import { type Exame, examinar, type MeiosDoExame } from './exame.ts'

/** A total may be a part of another one. */
const RODADAS = 3

/** How many mends are told. */
const CONTADAS = 100

/**
 * Proposes the mends that are certain: each kind is tried on a copy and kept only if the note then has no
 * error and no failure that it had not before, and fewer of them.
 */
export function proporEmendas(exame: Exame, meios: MeiosDoExame): Emenda[] {
  const { xml, nfe } = exame.nota
  let aceitas: Emenda[] = []
  let atual = exame
  const tentar = (novas: readonly Emenda[]): boolean => {
    const juntas = semRepetir([...aceitas, ...novas]).slice(0, CONTADAS)
    if (juntas.length === aceitas.length) return false
    const depois = examinar(aplicarEmendas(xml, nfe, juntas), meios)
    if ('linha' in depois || !isMelhor(atual, depois)) return false
    aceitas = juntas
    atual = depois
    return true
  }
  tentar(emendasDoEsquema(exame))
  tentar(emendasDaChave(atual))
  for (let rodada = 0; rodada < RODADAS; rodada++)
    if (!tentar(emendasDoTotal(atual, meios.verificadores, meios.contexto))) break
  return aceitas
}

/** The first mend of a place counts. A field may be moved and changed. */
function semRepetir(emendas: readonly Emenda[]): Emenda[] {
  const vistos = new Set<string>()
  return emendas.filter(({ caminho, acao }) => {
    const lugar = `${acao === 'mover' ? acao : ''} ${caminho}`
    return !vistos.has(lugar) && vistos.add(lugar)
  })
}

/** Whether something is mended, and nothing is wrong that was right. */
function isMelhor(antes: Exame, depois: Exame): boolean {
  const erros = new Set(antes.erros.map(({ caminho }) => caminho))
  const falhas = new Set(antes.achados.filter(isFalha).map(({ id }) => id))
  const restantes = depois.achados.filter(isFalha)
  return (
    depois.erros.length + restantes.length < antes.erros.length + falhas.size &&
    depois.erros.every(({ caminho }) => erros.has(caminho)) &&
    restantes.every(({ id }) => falhas.has(id))
  )
}

const isFalha = ({ resultado }: Exame['achados'][number]): boolean => resultado === 'falha'
