import type { Controle } from './controle.ts'
import type { Campos } from './form.ts'
import type { Pagina } from './pagina.ts'

/** More script than a page of forms carries; what is beyond it is not looked at. */
const MOST_SCRIPT = 200_000
/** Functions that a button calls, and those call: a script that goes in circles is left. */
const MOST_CALLS = 100

const NAME = '[A-Za-z_$][\\w$]*'
const TEXT = `"[^"]*"|'[^']*'`

/** `document.f.ACAO.value = 'X'`, `forms[0].elements['ACAO'].value = x`, `getElementById('ACAO').value = x`. */
const assignment = new RegExp(
  `(?:\\.(${NAME})|["'](${NAME})["']\\s*[\\])])\\.value\\s*=(?!=)\\s*(${TEXT}|${NAME})`,
  'g',
)
const call = new RegExp(`(?<![\\w$.])(${NAME})\\s*\\(([^()]*)\\)`, 'g')

/**
 * What a page's own script puts into its fields when a control is pressed: the texts that the control's `href` and
 * `onclick`, and the functions of the page that they call, assign. A field that gets one text here and another there is
 * left out: nobody runs the script.
 */
export function filledBy(pagina: Pagina, control: Controle): Campos {
  const $ = pagina.html()
  const pressed = [control, ...control.find('img').toArray()].map((one) => $(one))
  const code = pressed.map((one) => `${one.attr('href') ?? ''};${one.attr('onclick') ?? ''}`).join(';')
  const script = $('script:not([src])').text().slice(0, MOST_SCRIPT)
  const found = new Map<string, Set<string>>()
  const calls: Chamada[] = [{ code: code.slice(0, MOST_SCRIPT), given: new Map() }]
  for (const { code, given } of calls) {
    for (const [, member, key, written = ''] of code.matchAll(assignment)) {
      const name = member ?? key ?? ''
      const text = textOf(written, given)
      if (text !== undefined) found.set(name, (found.get(name) ?? new Set()).add(text))
    }
    if (calls.length < MOST_CALLS) calls.push(...callsIn(code, given, script))
  }
  return Object.fromEntries(
    [...found].flatMap(([name, [value = '', ...others]]) => (others.length === 0 ? [[name, value]] : [])),
  )
}

/** The texts that a function's parameters were given. */
type Valores = ReadonlyMap<string, string>
type Chamada = { code: string; given: Valores }

/** The functions of the script that a piece of it calls. */
function callsIn(code: string, known: Valores, script: string): Chamada[] {
  return [...code.matchAll(call)].slice(0, MOST_CALLS).flatMap(([, name = '', args = '']) => {
    const called = functionOf(script, name)
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

/** A function of a script, from its name to the brace that closes it. */
function functionOf(script: string, name: string): { params: string[]; body: string } | undefined {
  const head = new RegExp(`\\bfunction\\s+${RegExp.escape(name)}\\s*\\(([^()]*)\\)\\s*\\{`).exec(script)
  if (!head) return undefined
  const from = head.index + head[0].length
  let open = 1
  let at = from
  while (at < script.length && open > 0) {
    const letter = script[at++]
    if (letter === '{') open++
    if (letter === '}') open--
  }
  const params = (head[1] ?? '').split(',').map((param) => param.trim())
  return { params, body: script.slice(from, at) }
}
