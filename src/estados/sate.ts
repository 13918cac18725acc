import type { Uf } from '../documento/uf.ts'
import { failUnknown } from '../portal/desconhecida.ts'
import type { RotaIe } from '../portal/estado.ts'
import { harvest } from '../portal/portal-form.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import { solveImagem } from '../portal/solve.ts'
import { findOpcao } from '../portal/tela.ts'

/** The options of SATE in a state's file. `documentos` has the words of the list of kinds of document. */
export type SateOptions = PortalOptions &
  ResultadoOptions & {
    segunda?: true
    /** The addresses of the function's form and of its image, relative to `url`. */
    destino: string
    imagem: string
  }

/**
 * Every function of SATE has a form with these two fields: the action, and the place in the history (-1:
 * none).
 */
const FORM = 'form:has([name=hidAcao])'
const HISTORICO = { hidHistorico: '-1' } as const

/**
 * A function of SATE (the tax system of AP and PB). One form is sent several times, and `hidAcao` names the
 * action.
 */
export function sate(uf: Uf, options: SateOptions): RotaIe {
  const { url, destino, imagem, documentos } = options
  const resultado = resultadoOf(options)
  return portalIe('sate', uf, options, async (portal, pergunta) => {
    const target = new URL(destino, url).href
    const inicio = await portal.get(url)
    const hidden = harvest(portal, inicio, FORM)
    const tipo = findOpcao(inicio, FORM, documentos[pergunta.tipo] ?? '')
    if (!tipo) failUnknown(portal, inicio, `falta o tipo de documento (${documentos[pergunta.tipo]})`)
    const acao = { ...HISTORICO, ...tipo }
    const tela = await portal.post(target, { ...hidden, ...acao, hidAcao: 'obterTipoContribuinte' })
    const fields = harvest(portal, tela, FORM)
    const edtCaptchaResponse = await solveImagem(portal, new URL(imagem, url).href)
    const answer = await portal.post(target, {
      ...fields,
      ...acao,
      hidAcao: 'obterDadosContribuinte',
      edtNrDocumento: pergunta.documento,
      edtCaptchaResponse,
    })
    return readResultado(portal, pergunta, answer, resultado)
  })
}
