import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import json from 'shiki/langs/json.mjs'
import python from 'shiki/langs/python.mjs'
import shellscript from 'shiki/langs/shellscript.mjs'
import typescript from 'shiki/langs/typescript.mjs'
import type { Colorir, Pedaco } from './guia-marcado.ts'

/** The languages of the blocks, and the grammar of each. Without a grammar all has one colour. */
const gramaticas: Readonly<Record<string, string>> = {
  sh: 'shellscript',
  console: 'shellscript',
  ts: 'typescript',
  py: 'python',
  json: 'json',
  text: 'text',
  http: 'text',
}

/** The kinds of words that have a colour of their own in the style, each by the theme's name for it. */
const cores: Readonly<Record<string, string>> = {
  keyword: 'k',
  constant: 'c',
  string: 's',
  'string-expression': 's',
  comment: 'm',
  function: 'f',
}

/**
 * Loads the highlighter: some 50 MB, and a fifth of a second for the first block of a language. It gets all
 * the time that it needs: with its usual limit a busy machine leaves lines without colours.
 */
export async function abrirRealce(): Promise<Colorir> {
  const tema = createCssVariablesTheme({ name: 'guia', variablePrefix: '--', fontStyle: false })
  const realce = await createHighlighterCore({
    themes: [tema],
    langs: [json, python, shellscript, typescript],
    engine: createJavaScriptRegexEngine(),
  })
  return (texto, lingua) => {
    const lang = gramaticas[lingua]
    if (lang === undefined) throw new Error(`no language ${lingua} in the guide`)
    const { tokens } = realce.codeToTokens(texto, { lang, theme: 'guia', tokenizeTimeLimit: 0 })
    const linhas = tokens.map((linha) => juntar(linha.map(({ content, color }) => [corDe(color), content])))
    return { tipo: 'codigo', lingua, texto, linhas }
  }
}

/** The theme writes a colour as `var(--token-keyword)`. */
const corDe = (color = ''): string => cores[/--token-([\w-]+)/.exec(color)?.[1] ?? ''] ?? ''

/** Pieces of one colour that follow each other are one. */
function juntar(pedacos: readonly Pedaco[]): Pedaco[] {
  const juntos: Pedaco[] = []
  for (const [cor, texto] of pedacos) {
    const [antes, dito] = juntos.at(-1) ?? []
    if (antes === cor) juntos.splice(-1, 1, [cor, `${dito}${texto}`])
    else juntos.push([cor, texto])
  }
  return juntos
}
