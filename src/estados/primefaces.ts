import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { RotaIe } from '../portal/estado.ts'
import { findComando } from '../portal/jsf.ts'
import { actionOf, harvest } from '../portal/portal-form.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from '../portal/resultado.ts'
import { type PortalOptions, portalIe, writeDocumento } from '../portal/rota.ts'
import { solveImagem } from '../portal/solve.ts'

export type PrimeFacesOptions = PortalOptions &
  ResultadoOptions & {
    /** The fields of the documents. Those of the other documents are sent empty. */
    campos: Partial<Record<TipoDocumento, string>>
    /** The image (CSS), and the field for its letters. */
    imagem: string
    resposta: string
    /** The words on the button. Its name is made at the build. */
    botao: string
  }

/** PrimeFaces with an image of its own engine: the page, the image, the query. */
export function primeFaces(uf: Uf, options: PrimeFacesOptions): RotaIe {
  const { url, campos, imagem, resposta, botao } = options
  const resultado = resultadoOf(options)
  return portalIe('primefaces', uf, options, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const image = pagina.html()(imagem).first().attr('src')
    if (!image) throw portal.failure('parse', 'mudou de página: falta a imagem do captcha')
    const { nome, valor } = findComando(portal, pagina, botao)
    const empty = Object.fromEntries(Object.values(campos).map((campo) => [campo, '']))
    const answer = await portal.post(actionOf(pagina, 'form'), {
      ...harvest(portal, pagina, 'form'),
      ...empty,
      [campos[pergunta.tipo] ?? '']: writeDocumento(pergunta, 'mascara'),
      [resposta]: await solveImagem(portal, new URL(image, pagina.url).href),
      [nome]: valor,
    })
    return readResultado(portal, pergunta, answer, resultado)
  })
}
