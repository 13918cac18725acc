import type { Uf } from '../documento/uf.ts'
import { type Campos, encodeForm } from '../portal/campos.ts'
import { controleOf } from '../portal/controle.ts'
import type { Pergunta, RotaIe } from '../portal/estado.ts'
import type { Frase } from '../portal/frase.ts'
import { toInscricao } from '../portal/inscricao.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { readNone } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { situacaoIe } from '../portal/situacao-ie.ts'
import { solveImagem } from '../portal/solve.ts'

/** The options of a search that answers with a list. */
export type ListaOptions = PortalOptions & {
  segunda?: true
  /** The parameters of the question. */
  preencher: (pergunta: Pergunta, now: Date) => Campos
  /** The image of the captcha (CSS), and the parameter for its letters. */
  imagem: string
  resposta: string
  /** The rows (CSS), and in each the elements (CSS) of number, name and status, in this order. */
  linha: string
  valores: string
  frases?: readonly Frase[]
}

/**
 * A search whose parameters stand in the address of a POST. Its answer has a row for each registration (MT).
 */
export function lista(uf: Uf, options: ListaOptions): RotaIe {
  const { url, charset, preencher, imagem, resposta } = options
  return portalIe('lista', uf, options, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const src = controleOf(portal, pagina, imagem).attr('src') ?? ''
    const text = await solveImagem(portal, new URL(src, pagina.url).href)
    const target = new URL(url)
    const asked = { ...preencher(pergunta, portal.meios.now()), [resposta]: text }
    target.search = encodeForm(asked, charset)
    return readLinhas(portal, pergunta, await portal.post(target.href, {}), options)
  })
}

function readLinhas(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  { linha, valores, frases }: ListaOptions,
): Inscricao[] {
  const $ = pagina.html()
  const rows = $(linha).toArray()
  if (rows.length === 0) return readNone(portal, pergunta, pagina, { frases })
  return rows.map((row) => {
    const [inscricao_estadual = '', razao_social = '', situacao_cadastral = ''] = $(row)
      .find(valores)
      .map((_, one) => $(one).text().replace(/\s+/g, ' ').trim())
      .get()
    // The columns have no labels. A column that moved is known by the form of its value.
    if (!/^[\d.\-/]{8,}$/.test(inscricao_estadual) || !situacaoIe(situacao_cadastral))
      throw portal.failure('parse', 'mudou as colunas da lista')
    return toInscricao({ inscricao_estadual, razao_social, situacao_cadastral }, portal, pergunta)
  })
}
