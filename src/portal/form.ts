import type { Campos } from './campos.ts'
import type { Controle } from './controle.ts'
import type { Pagina } from './pagina.ts'

/** The most script that is read. A page of forms carries less. */
const MOST_SCRIPT = 200_000

const NAME = '[A-Za-z_$][\\w$]*'
const TEXT = `"[^"]*"|'[^']*'`

/**
 * `document.f.ACAO.value = 'X'`, `forms[0].elements['ACAO'].value = x`, `getElementById('ACAO').value = x`.
 */
const assignment = new RegExp(
  `(?:\\.(${NAME})|["'](${NAME})["']\\s*[\\])])\\.value\\s*=(?!=)\\s*(${TEXT}|${NAME})`,
  'g',
)
const call = new RegExp(`(?<![\\w$.])(${NAME})\\s*\\(([^()]*)\\)`, 'g')
const head = new RegExp(`\\bfunction\\s+(${NAME})\\s*\\(([^()]*)\\)\\s*\\{`, 'g')

/**
 * Finds the texts that a page's script writes into fields when a control is pressed. It reads `href`,
 * `onclick` and the functions they call; no script runs, so a field with two different texts is left out.
 */
export function filledBy(pagina: Pagina, control: Controle): Campos {
  const $ = pagina.html()
  const pressed = [control, ...control.find('img').toArray()].map((one) => $(one))
  const code = pressed.map((one) => `${one.attr('href') ?? ''};${one.attr('onclick') ?? ''}`).join(';')
  const funcoes = funcoesOf($('script:not([src])').text().slice(0, MOST_SCRIPT))
  const found = new Map<string, Set<string>>()
  const calls: Chamada[] = [{ code, given: new Map() }]
  let left = MOST_SCRIPT
  for (const { code, given } of calls) {
    left -= code.length
    if (left < 0) break
    for (const [, member, key, written = ''] of code.matchAll(assignment)) {
      const name = member ?? key ?? ''
      const text = textOf(written, given)
      if (text !== undefined) found.set(name, (found.get(name) ?? new Set()).add(text))
    }
    calls.push(...callsIn(code, given, funcoes))
  }
  return Object.fromEntries(
    [...found].flatMap(([name, [value = '', ...others]]) => (others.length === 0 ? [[name, value]] : [])),
  )
}

/** The texts of a function's parameters. */
type Valores = ReadonlyMap<string, string>
type Chamada = { code: string; given: Valores }
type Funcao = { params: string[]; body: string }

function callsIn(code: string, known: Valores, funcoes: ReadonlyMap<string, Funcao>): Chamada[] {
  return [...code.matchAll(call)].flatMap(([, name = '', args = '']) => {
    const called = funcoes.get(name)
    if (!called) return []
    const texts = args.split(',').map((one) => textOf(one.trim(), known))
    const given = called.params.flatMap((param, at): [string, string][] => {
      const text = texts[at]
      return text === undefined ? [] : [[param, text]]
    })
    return [{ code: called.body, given: new Map(given) }]
  })
}

const textOf = (written: string, known: Valores): string | undefined =>
  /^(["']).*\1$/s.test(written) ? written.slice(1, -1) : known.get(written)

/** Finds the functions of a script, each from its name to the brace that closes it. */
function funcoesOf(script: string): Map<string, Funcao> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (const { 0: brace, index } of script.matchAll(/[{}]/g)) {
    const from = brace === '{' ? undefined : open.pop()
    if (brace === '{') open.push(index)
    if (from !== undefined) ends.set(from, index)
  }
  return new Map(
    [...script.matchAll(head)].map(({ 0: whole, 1: name = '', 2: params = '', index }) => {
      const from = index + whole.length
      const body = script.slice(from, ends.get(from - 1))
      return [name, { params: params.split(',').map((param) => param.trim()), body }]
    }),
  )
}
