import { type Lingua, linguas, ORDEM } from './amostras.ts'
import { type Content, type Html, html } from './html.ts'

/** How the code of a language is cut: its names, its texts, its words, and what it calls. */
type Gramatica = { textos: string; palavras: string; chamadas?: string; nomes?: string }

const DUPLAS = String.raw`"(?:\\.|[^"\\])*"`
const SIMPLES = String.raw`'(?:\\.|[^'\\])*'`
/** Where a backslash is a letter as any other. */
const CRUAS = "'[^']*'"

const gramaticas: Readonly<Record<Lingua | 'json', Gramatica>> = {
  sh: { textos: `${CRUAS}|${DUPLAS}`, palavras: '', chamadas: 'curl|printf' },
  ps1: { textos: CRUAS, palavras: '', chamadas: 'Invoke-RestMethod|ConvertTo-Json' },
  ts: { textos: `${SIMPLES}|${DUPLAS}`, palavras: 'import|from|const|await' },
  py: { textos: SIMPLES, palavras: 'import|from|with|as|True|False' },
  cs: { textos: DUPLAS, palavras: 'using|var|await|new|true|false' },
  java: { textos: `${DUPLAS}|${SIMPLES}`, palavras: 'import|public|class|static|void|throws|var|return' },
  php: { textos: `${SIMPLES}|${DUPLAS}`, palavras: '<\\?php|if|throw|new|echo|true|false' },
  pas: { textos: CRUAS, palavras: 'program|uses|begin|try|finally|end|var|nil|or|True|False' },
  json: { nomes: `${DUPLAS}(?=:)`, textos: DUPLAS, palavras: 'true|false|null' },
}

const padroes = new Map<string, RegExp>()

function patternOf(lingua: Lingua | 'json'): RegExp {
  const known = padroes.get(lingua)
  if (known) return known
  const { nomes, textos, palavras, chamadas } = gramaticas[lingua]
  const words = (list: string): string => `(?<![\\w$.-])(?:${list})(?![\\w-])`
  const parts = [
    ...(nomes ? [`(?<k>${nomes})`] : []),
    `(?<s>${textos})`,
    ...(palavras ? [`(?<${nomes ? 'c' : 'k'}>${words(palavras)})`] : []),
    ...(chamadas ? [`(?<f>${words(chamadas)})`] : []),
  ]
  const made = new RegExp(parts.join('|'), 'g')
  padroes.set(lingua, made)
  return made
}

/** Draws the texts and the words of code that we wrote ourselves in the colours of all code. */
export function colorir(codigo: string, lingua: Lingua | 'json'): Content {
  const pieces: Content[] = []
  let at = 0
  for (const { 0: found, index, groups } of codigo.matchAll(patternOf(lingua))) {
    const [kind = 's'] = Object.entries(groups ?? {}).find(([, text]) => text !== undefined) ?? []
    pieces.push(codigo.slice(at, index), html`<span class="${kind}">${found}</span>`)
    at = index + found.length
  }
  return [...pieces, codigo.slice(at)]
}

/** A block of an example: its language, its code as it is drawn, and an id where a page has one for it. */
export type BlocoDeCodigo = { lingua: Lingua; desenho: Content; id?: string }

/** The samples that there are, in the order of their tabs. */
export const blocosDe = (
  amostras: Readonly<Partial<Record<Lingua, string | undefined>>>,
  idOf?: (lingua: Lingua) => string,
): BlocoDeCodigo[] =>
  ORDEM.flatMap((lingua) => {
    const codigo = amostras[lingua]
    if (codigo === undefined) return []
    return [{ lingua, desenho: colorir(codigo, lingua), ...(idOf && { id: idOf(lingua) }) }]
  })

export const inOrder = (blocos: readonly BlocoDeCodigo[]): BlocoDeCodigo[] =>
  blocos.toSorted((one, other) => ORDEM.indexOf(one.lingua) - ORDEM.indexOf(other.lingua))

/** Draws one example with a tab a language, which are choices of a form: they need no program. */
export const drawAbas = (blocos: readonly BlocoDeCodigo[], nome: string): Html =>
  html`<div class="exemplo">
${
  blocos.length > 1 &&
  html`<fieldset class="abas"><legend class="so-leitor">Linguagem do exemplo</legend>${blocos.map(
    ({ lingua }, at) =>
      html`<label>${drawEscolha(lingua, nome, at === 0)}<span>${linguas[lingua]}</span></label>`,
  )}</fieldset>
`
}${blocos.map(drawBloco)}</div>
`

/** A block that has an id of its own is filled in by a module of its page. */
const drawBloco = ({ lingua, desenho, id }: BlocoDeCodigo): Html =>
  id === undefined
    ? html`<pre class="codigo ${lingua}"><code>${desenho}</code></pre>
`
    : html`<pre class="codigo ${lingua}" id="${id}"><code>${desenho}</code></pre>
`

const drawEscolha = (lingua: Lingua, nome: string, isChosen: boolean): Html =>
  isChosen
    ? html`<input type="radio" name="${nome}" value="${lingua}" checked="checked"/>`
    : html`<input type="radio" name="${nome}" value="${lingua}"/>`
