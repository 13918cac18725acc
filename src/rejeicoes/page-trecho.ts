import { type Html, html } from '../platform/pages/html.ts'
import type { VerificacaoDoCatalogo } from './rules.ts'

type LinhaDeXml = {
  nivel: number
  texto: string
  /** The names from the root, joined by `/`; empty for a line that begins no element. */
  caminho: string
}

/** The line that stands for those that the catalogue leaves out. */
const OMITIDO = '…'

/** A tag, or what stands between two; what is no element, such as a comment, is a piece of its own. */
const PARTE = /<!\[CDATA\[.*?\]\]>|<!--.*?-->|<\?.*?\?>|<[^>]*>|[^<]+/gs

/** Writes an XML of the catalogue with one element a line. Elements with a text stay on one line. */
function emLinhas(xml: string): LinhaDeXml[] {
  const parts = (xml.match(PARTE) ?? []).map((part) => part.trim()).filter((part) => part !== '')
  const linhas: LinhaDeXml[] = []
  const open: string[] = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const name = /^<([^\s/>?!]+)/.exec(part)?.[1]
    if (name === undefined) {
      const isEnd = /^<\//.test(part)
      if (isEnd) open.pop()
      linhas.push({ nivel: open.length, texto: part, caminho: '' })
      continue
    }
    const caminho = [...open, name].join('/')
    const whole = inteiro(parts, at, name)
    linhas.push({ nivel: open.length, texto: whole.texto, caminho })
    if (whole.isOpen) open.push(name)
    at += whole.mais
  }
  return linhas
}

/** An element of one line takes up to two parts more. */
function inteiro(
  parts: readonly string[],
  at: number,
  name: string,
): { texto: string; mais: number; isOpen: boolean } {
  const [start = '', first = '', second = ''] = parts.slice(at, at + 3)
  const end = new RegExp(`^</${RegExp.escape(name)}\\s*>$`)
  if (start.endsWith('/>')) return { texto: start, mais: 0, isOpen: false }
  if (end.test(first)) return { texto: start + first, mais: 1, isOpen: false }
  if (!first.startsWith('<') && first !== OMITIDO && end.test(second))
    return { texto: start + first + second, mais: 2, isOpen: false }
  return { texto: start, mais: 0, isOpen: true }
}

/** A line of one text beside its line of the other; undefined where it has none there. */
type Lado = { um: number | undefined; outro: number | undefined; igual: boolean }

/**
 * The longest common sequence of lines stays together; between, lines of the same element stand side by side.
 */
function align(um: readonly LinhaDeXml[], outro: readonly LinhaDeXml[]): Lado[] {
  const { de, ate, comum } = comuns(um, outro)
  const lados: Lado[] = []
  let [i, j] = [0, 0]
  for (const [nextI, nextJ] of [
    ...range(0, de, 0),
    ...comum,
    ...range(ate.um, um.length, ate.outro - ate.um),
  ]) {
    lados.push(...join(um, outro, { i, j, nextI, nextJ }), { um: nextI, outro: nextJ, igual: true })
    ;[i, j] = [nextI + 1, nextJ + 1]
  }
  return [...lados, ...join(um, outro, { i, j, nextI: um.length, nextJ: outro.length })]
}

function join(
  um: readonly LinhaDeXml[],
  outro: readonly LinhaDeXml[],
  { i, j, nextI, nextJ }: { i: number; j: number; nextI: number; nextJ: number },
): Lado[] {
  const left = Array.from({ length: nextI - i }, (_, at) => i + at)
  const right = Array.from({ length: nextJ - j }, (_, at) => j + at)
  const lados: Lado[] = []
  for (const at of left) {
    const beside = right.findIndex((one) => isSame(um[at], outro[one]))
    for (const one of right.splice(0, Math.max(beside, 0)))
      lados.push({ um: undefined, outro: one, igual: false })
    lados.push({ um: at, outro: beside < 0 ? undefined : right.shift(), igual: false })
  }
  return [...lados, ...right.map((one) => ({ um: undefined, outro: one, igual: false }))]
}

const isSame = (one: LinhaDeXml | undefined, other: LinhaDeXml | undefined): boolean =>
  one !== undefined && one.caminho !== '' && one.caminho === other?.caminho

const range = (from: number, to: number, shift: number): [number, number][] =>
  Array.from({ length: to - from }, (_, at) => [from + at, from + at + shift])

type Comuns = { de: number; ate: { um: number; outro: number }; comum: [number, number][] }

/** The lines that both have: all before `de`, all from `ate` on, and the longest sequence in between. */
function comuns(um: readonly LinhaDeXml[], outro: readonly LinhaDeXml[]): Comuns {
  const equal = (i: number, j: number): boolean =>
    um[i]?.texto === outro[j]?.texto && um[i]?.nivel === outro[j]?.nivel
  const least = Math.min(um.length, outro.length)
  let de = 0
  while (de < least && equal(de, de)) de++
  let tail = 0
  while (tail < least - de && equal(um.length - 1 - tail, outro.length - 1 - tail)) tail++
  const ate = { um: um.length - tail, outro: outro.length - tail }
  const length = Array.from({ length: ate.um - de + 1 }, () => new Uint16Array(ate.outro - de + 1))
  const at = (i: number, j: number): number => length[i - de]?.[j - de] ?? 0
  for (let i = ate.um - 1; i >= de; i--)
    for (let j = ate.outro - 1; j >= de; j--)
      length[i - de]?.fill(
        equal(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1)),
        j - de,
        j - de + 1,
      )
  const comum: [number, number][] = []
  for (let [i, j] = [de, de]; i < ate.um && j < ate.outro; ) {
    if (equal(i, j)) comum.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return { de, ate, comum }
}

/** What holds all groups of a note is shown only where the catalogue tells its attributes. */
const ENVOLTORIO = /^<\/?infNFe>$/

/** The level of the groups of a note. */
const RAIZ = 1

export function parDaVerificacao(
  { par: { errado, certo } }: Pick<VerificacaoDoCatalogo, 'par'>,
  codigo: number,
): Html {
  const textos = { errado: emLinhas(errado), certo: emLinhas(certo) }
  const lados = align(textos.errado, textos.certo)
  return html`<div class="par"><figure class="errado"><figcaption><span class="selo ruim">Errado</span> <span class="suave">recusada com ${codigo}</span></figcaption>${xml(
    lados.map(({ um, outro, igual }) => trecho(textos.errado[um ?? -1], textos.certo[outro ?? -1], igual)),
  )}</figure><figure class="certo"><figcaption><span class="selo bom">Certo</span></figcaption>${xml(
    lados.map(({ um, outro, igual }) => trecho(textos.certo[outro ?? -1], textos.errado[um ?? -1], igual)),
  )}</figure></div>`
}

/** A line of one text; undefined where only the other has one, which `falta` names if it is an element. */
type Trecho = { linha: LinhaDeXml | undefined; hasChanged: boolean; falta: LinhaDeXml | undefined }

const trecho = (
  own: LinhaDeXml | undefined,
  other: LinhaDeXml | undefined,
  igual: Lado['igual'],
): Trecho => ({
  linha: own,
  hasChanged: !igual && own?.texto !== OMITIDO,
  falta: own === undefined && other?.caminho !== '' ? other : undefined,
})

const xml = (trechos: readonly Trecho[]): Html => html`<pre><code>${linhas(trechos)}</code></pre>`

/** Of a group that is missing, its first line says so. */
function linhas(trechos: readonly Trecho[]): Html[] {
  let missing: LinhaDeXml | undefined
  return trechos.flatMap(({ linha, hasChanged, falta }) => {
    if (linha) {
      missing = undefined
      return ENVOLTORIO.test(linha.texto) ? [] : [umaLinha(linha, hasChanged)]
    }
    if (!falta || (missing && falta.nivel > missing.nivel)) return []
    missing = falta
    const name = falta.caminho.split('/').at(-1) ?? ''
    return [html`<span class="l falta">${recuo(falta)}falta ${name}\n</span>`]
  })
}

const recuo = ({ nivel }: LinhaDeXml): string => '  '.repeat(Math.max(nivel - RAIZ, 0))

function umaLinha(linha: LinhaDeXml, hasChanged: boolean): Html {
  const { texto } = linha
  if (hasChanged) return html`<span class="l mudou">${recuo(linha)}<mark>${texto}</mark>\n</span>`
  return html`<span class="l ${texto === OMITIDO && 'pulo'}">${recuo(linha)}${texto}\n</span>`
}
