import type { Uf } from '../documento/uf.ts'
import type { Campos } from '../portal/campos.ts'
import { failUnknown } from '../portal/desconhecida.ts'
import type { Pergunta, RotaIe } from '../portal/estado.ts'
import { textosOf } from '../portal/html.ts'
import { toInscricao } from '../portal/inscricao.ts'
import { type Campo, type Legenda, type Lidos, labelOf, legendaOf } from '../portal/inscricao-rotulo.ts'
import { isCutShort, type Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { refuseKnown } from '../portal/recusa.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { situacaoIe } from '../portal/situacao-ie.ts'
import { answerCaptcha, type CampoDoCaptcha } from '../portal/solve.ts'

/** The options of a page whose values are known by their place. */
export type CelulasOptions = PortalOptions & {
  segunda?: true
  /** The address that takes the question, relative to `url`. */
  destino: string
  preencher: (pergunta: Pergunta) => Campos
  resposta: CampoDoCaptcha
  /** Words of a 404 for a wrong address. Any other 404 means that nobody was found. */
  semEndereco: string
  /** The field of every second cell of a table, from the second on. */
  valores: readonly Campo[]
}

/**
 * A page with a table for each registration. Its cells are labels and values in turn, and the values are
 * known by their place (PB).
 */
export function celulas(uf: Uf, options: CelulasOptions): RotaIe {
  const { url, destino, preencher, captcha, resposta, semEndereco, valores } = options
  const legenda = legendaOf()
  return portalIe('celulas', uf, options, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const solved = await answerCaptcha(portal, pagina, captcha, resposta)
    const target = new URL(destino, url).href
    const answer = await portal.post(target, { ...preencher(pergunta), ...solved }, { anyStatus: true })
    if (answer.status === 404 && !answer.text().includes(semEndereco)) return []
    refuseKnown(answer, portal.failure)
    return readTabelas(portal, pergunta, answer, { legenda, valores })
  })
}

type Leitura = { legenda: Legenda; valores: readonly Campo[] }

function readTabelas(portal: Portal, pergunta: Pergunta, pagina: Pagina, leitura: Leitura): Inscricao[] {
  const $ = pagina.html()
  const tables = $('table')
    .filter((_, table) => $(table).find('table').length === 0)
    .toArray()
    .map((table) => $(table).find('td').toArray())
    .filter((cells) => cells.length >= 2 * leitura.valores.length)
  if (tables.length === 0) failUnknown(portal, pagina, 'falta a tabela da inscrição', pergunta.tipo)
  if (isCutShort(pagina)) throw portal.fail('cortada')
  return tables.map((cells) => {
    const texts = cells.map((cell) => textosOf({ toArray: () => [cell] }).join(' '))
    return toInscricao(readCelulas(portal, texts, leitura), portal, pergunta)
  })
}

/**
 * Reads the cells of a table. Throws SourceError `parse` if a value does not have the form of its field, or
 * its label is of another.
 */
function readCelulas(portal: Portal, texts: readonly string[], { legenda, valores }: Leitura): Lidos {
  const lidos: Lidos = {}
  for (const [at, campo] of valores.entries()) {
    const value = texts[2 * at + 1] ?? ''
    const named = legenda.get(labelOf(texts[2 * at] ?? ''))
    const fits = formas[campo]?.(value) ?? true
    if (!fits || (named && named !== 'ignorado' && named !== campo))
      throw portal.failure('parse', `mudou as células de lugar (${campo})`)
    lidos[campo] = value
  }
  return lidos
}

const formas: Partial<Record<Campo, (value: string) => boolean>> = {
  inscricao_estadual: (value) => /^[\d.\-/]{8,}$/.test(value),
  uf_ie: (value) => /^[A-Z]{2}$/.test(value),
  cep: (value) => /^(?:|[\d.-]{8,10})$/.test(value),
  data_situacao: (value) => /^(?:|\d{2}\/\d{2}\/\d{4}.*)$/.test(value),
  situacao_cadastral: (text) => situacaoIe(text) !== undefined,
}
