import type { Inscricao } from '../../domain/inscricao.ts'
import type { Uf } from '../../domain/uf.ts'
import type { Pergunta, RotaIe } from '../estado.ts'
import type { Campos } from '../portal/form.ts'
import type { Frase } from '../portal/frase.ts'
import { toInscricao } from '../portal/inscricao.ts'
import type { Pagina } from '../portal/pagina.ts'
import { readRotulos } from '../portal/registro.ts'
import { failNotShown, readNone } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import { type Legenda, type Lidos, labelOf, legendaOf, type Rotulos } from '../portal/rotulo.ts'
import { textosOf } from '../portal/textos.ts'
import type { Portal } from '../portal.ts'

/** What a state's file says of a page that lists numbers and tells of each on another. */
export type ColdfusionOptions = PortalOptions & {
  /** The page with the form, whose address the first request must name. */
  referer: string
  /** The fields of the question. */
  preencher: (pergunta: Pergunta) => Campos
  /** How the list writes a number, once its punctuation is gone. */
  numero: RegExp
  /** Where a number is sent, relative to the list, and in which field. */
  detalhe: { url: string; campo: string }
  rotulos: Rotulos
  frases?: readonly Frase[]
}

/** A form that answers a list of numbers, each asked for by another. */
export function coldfusion(uf: Uf, options: ColdfusionOptions): RotaIe {
  const { url, referer, preencher, numero, detalhe, frases } = options
  const legenda = legendaOf(options.rotulos)
  return portalIe('coldfusion', uf, options, async (portal, pergunta) => {
    const list = await portal.post(url, preencher(pergunta), { headers: { referer } })
    const numeros = numerosOf(list, numero)
    if (numeros.length === 0) return readNone(portal, pergunta, list, options)
    const found: Inscricao[] = []
    for (const one of numeros) {
      const page = await portal.post(
        new URL(detalhe.url, list.url).href,
        { [detalhe.campo]: one },
        {
          headers: { referer: list.url },
        },
      )
      found.push(readDetalhe(portal, pergunta, page, { legenda, frases }))
    }
    return found
  })
}

/** Each number once, in the order of the list. */
const numerosOf = (list: Pagina, numero: RegExp): string[] => [
  ...new Set(
    textosOf(list.html().root())
      .map((text) => text.replace(/\D/g, ''))
      .filter((digits) => numero.test(digits)),
  ),
]

function readDetalhe(
  portal: Portal,
  pergunta: Pergunta,
  page: Pagina,
  { legenda, frases }: { legenda: Legenda; frases: readonly Frase[] | undefined },
): Inscricao {
  const lidos = readLinhas(textosOf(page.html().root()), legenda)
  if (!lidos.inscricao_estadual) failNotShown(portal, pergunta, page, { frases })
  return toInscricao(lidos, portal, pergunta)
}

/** The activity stands in two lines: its code, then its words. */
function readLinhas(textos: readonly string[], legenda: Legenda): Lidos {
  const lidos = readRotulos(textos, legenda)
  const code = lidos.atividade ?? ''
  const words = textos[textos.indexOf(code) + 1] ?? ''
  const isCode = /^[A-Z]?[\d./-]+$/.test(code) && words !== '' && !legenda.has(labelOf(words))
  return isCode ? { ...lidos, atividade: `${code} - ${words}` } : lidos
}
