import type { Uf } from '../documento/uf.ts'
import { type Entrega, readEntrega } from './certidao.ts'
import type { Pergunta, RotaCnd, RotaIe } from './estado.ts'
import { choiceOf, harvest, TEXTO } from './form.ts'
import { normalize, type Pagina } from './pagina.ts'
import type { Campos, Portal } from './portal.ts'
import { throwDito } from './portal.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from './resultado.ts'
import { type DaCertidao, type PortalOptions, portalCnd, portalIe } from './rota.ts'
import { answerCaptcha, type CampoDoCaptcha } from './solve.ts'

/** The options of a page of ASP.NET MVC in a state's file. */
type MvcOptions = PortalOptions & {
  /** The action of the controller that takes the question. */
  acao: string
  /** The fields of the question. */
  preencher: (pergunta: Pergunta) => Campos
  /** The list (CSS) of the kinds of document, with the words of `documentos`, and the field for its value. */
  tipo?: { campo: string; seletor: string }
  resposta?: CampoDoCaptcha
}

/**
 * The options of a registry. `erro`: the hidden field (CSS) with a message, and its words about a captcha.
 */
export type MvcIeOptions = MvcOptions &
  ResultadoOptions & { segunda?: true; erro?: { seletor: string; captcha: RegExp } }

/**
 * A registry on ASP.NET MVC. Its form may have an anti-forgery token, and its action answers with the page of
 * the result.
 */
export function mvc(uf: Uf, options: MvcIeOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('mvc', uf, options, async (portal, pergunta) => {
    const answer = await askMvc(portal, pergunta, options)
    throwErro(portal, pergunta, answer, options)
    return readResultado(portal, pergunta, answer, resultado)
  })
}

/** Throws the failure of the hidden message of a page, and SourceError `parse` if the message is unknown. */
function throwErro(portal: Portal, { tipo }: Pergunta, pagina: Pagina, { erro }: MvcIeOptions): void {
  const said = erro ? normalize(pagina.html()(erro.seletor).first().attr('value') ?? '') : ''
  if (!said) return
  if (erro?.captcha.test(said)) throw portal.fail('captcha-errado', tipo)
  throwDito(portal, said, tipo)
  throw portal.failure('parse', 'deu uma mensagem que não se conhece')
}

/** The options of a page of certificates. */
export type MvcCertidaoOptions = MvcOptions & DaCertidao & Required<Entrega>

/** Certificates on ASP.NET MVC. The action answers with the PDF, or with a page that has the message. */
export const mvcCertidao = (uf: Uf, options: MvcCertidaoOptions): RotaCnd =>
  portalCnd('mvc', uf, options, async (portal, pergunta) =>
    readEntrega(portal, pergunta, await askMvc(portal, pergunta, options), options),
  )

async function askMvc(portal: Portal, pergunta: Pergunta, options: MvcOptions): Promise<Pagina> {
  const { url, acao, preencher, captcha, resposta } = options
  const pagina = await portal.get(url)
  // A page may have other forms (search, newsletter). The token is of the one with a text field.
  const hidden = harvest(portal, pagina, `form:has(${TEXTO})`)
  const choice = kindOf(portal, pagina, pergunta, options)
  const solved = await answerCaptcha(portal, pagina, captcha, resposta)
  return portal.post(acao, { ...hidden, ...choice, ...preencher(pergunta), ...solved })
}

function kindOf(portal: Portal, pagina: Pagina, { tipo: kind }: Pergunta, options: MvcOptions): Campos {
  const { tipo, documentos } = options
  if (!tipo) return {}
  const { value } = choiceOf(portal, pagina, tipo.seletor, documentos[kind] ?? '')
  return { [tipo.campo]: value }
}
