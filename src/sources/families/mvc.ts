import type { Uf } from '../../domain/uf.ts'
import { type Entrega, readEntrega } from '../certidao/entrega.ts'
import type { Pergunta, RotaCnd, RotaIe } from '../estado.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from '../inscricao/resultado.ts'
import { normalize, type Pagina } from '../pagina/pagina.ts'
import type { Campos } from '../portal/campos.ts'
import { answerCaptcha, type CampoDoCaptcha } from '../portal/captcha.ts'
import { choiceOf } from '../portal/controle.ts'
import { throwDito } from '../portal/desconhecida.ts'
import { harvest } from '../portal/form.ts'
import type { Portal } from '../portal/portal.ts'
import { type PortalOptions, portalCnd, portalIe } from '../portal/rota.ts'
import { TEXTO } from '../portal/tela.ts'

/** What a state's file says of a page of ASP.NET MVC. */
type MvcOptions = PortalOptions & {
  /** The action of the controller that takes the question. */
  acao: string
  /** The fields of the question. */
  preencher: (pergunta: Pergunta) => Campos
  /** Where the kind of document is a list (CSS), whose words are those of `documentos`: the field that its value goes in. */
  tipo?: { campo: string; seletor: string }
  resposta?: CampoDoCaptcha
}

/**
 * More of a registry's page. `erro`: the hidden field (CSS) whose value is a message, and its words about a
 * captcha.
 */
export type MvcIeOptions = MvcOptions &
  ResultadoOptions & { segunda?: true; erro?: { seletor: string; captcha: RegExp } }

/** A registry on ASP.NET MVC: a form with an anti-forgery token, or none, whose action answers with the page of the result. */
export function mvc(uf: Uf, options: MvcIeOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('mvc', uf, options, async (portal, pergunta) => {
    const answer = await askMvc(portal, pergunta, options)
    throwErro(portal, pergunta, answer, options)
    return readResultado(portal, pergunta, answer, resultado)
  })
}

/**
 * Throws what the hidden message of a page means. Throws SourceError `parse` for a message that nobody knows.
 */
function throwErro(portal: Portal, { tipo }: Pergunta, pagina: Pagina, { erro }: MvcIeOptions): void {
  const said = erro ? normalize(pagina.html()(erro.seletor).first().attr('value') ?? '') : ''
  if (!said) return
  if (erro?.captcha.test(said)) throw portal.fail('captcha-errado', tipo)
  throwDito(portal, said, tipo)
  throw portal.failure('parse', 'deu uma mensagem que não se conhece')
}

/** What a page that issues certificates says besides. */
export type MvcCertidaoOptions = MvcOptions & Pick<RotaCnd, 'naoContribuinte'> & Required<Entrega>

/** Certificates of a page of ASP.NET MVC: its action answers with the PDF, or with a page that has the message. */
export const mvcCertidao = (uf: Uf, options: MvcCertidaoOptions): RotaCnd =>
  portalCnd('mvc', uf, options, async (portal, pergunta) =>
    readEntrega(portal, pergunta, await askMvc(portal, pergunta, options), options),
  )

async function askMvc(portal: Portal, pergunta: Pergunta, options: MvcOptions): Promise<Pagina> {
  const { url, acao, preencher, captcha, resposta } = options
  const pagina = await portal.get(url)
  // The token is of the form, and a page may have others (search, newsletter): the one with a field to write in.
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
