import { textosOf } from './html.ts'
import { isPdf, type Pagina } from './pagina.ts'

/** The pages of one visit. */
export type History = {
  /** Keeps a page that came, in the order of the visit. `asked`: a form was sent for it. */
  keep: (pagina: Pagina, asked: boolean) => void
  /** The last page that was kept. */
  last: () => Pagina | undefined
  /** The texts of a page, or of some elements of it (CSS), that no page before the question had. */
  novidades: (pagina: Pagina, seletor?: string) => string[]
}

/** Opens the history of a visit. */
export function openHistory(): History {
  /** The pages that came before the first form was sent. */
  const antes: Pagina[] = []
  let last: Pagina | undefined
  let wasAsked = false
  return {
    keep: (pagina, asked) => {
      wasAsked ||= asked
      if (!wasAsked) antes.push(pagina)
      last = pagina
    },
    last: () => last,
    novidades: (pagina, seletor) => {
      if (isPdf(pagina)) return []
      const at = antes.indexOf(pagina)
      const known = new Set(
        (at < 0 ? antes : antes.slice(0, at)).flatMap((one) => [...textosIn(one), ...textosIn(one, seletor)]),
      )
      return textosIn(pagina, seletor).filter((text) => !known.has(text))
    },
  }
}

const textosIn = (pagina: Pagina, seletor?: string): string[] =>
  textosOf(seletor ? pagina.html()(seletor).contents() : pagina.html().root())
