import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { solveToken } from './captcha-resposta.ts'
import { inscricaoDe, type LeituraDaResposta, readResposta } from './certidao.ts'
import type { PerguntaCnd, RotaCnd } from './estado.ts'
import { actionOf, type Botao, findBotao, findBotaoEm, findCampo, findOpcao, harvest, TEXTO } from './form.ts'
import { isPdf, normalize, type Pagina } from './pagina.ts'
import { type DaCertidao, type PortalOptions, portalCnd, writeDocumento } from './rota.ts'
import type { Campos, Portal } from './visita.ts'
import { failUnknown } from './visita.ts'

/**
 * A click on the button or link with these words, in the row with the words `perto`. If it has no words, a
 * selector (CSS) finds it.
 */
type Passo = { botao: string; perto?: RegExp } | { seletor: string }

/** The options of the screens in a state's file. */
export type TelasOptions = PortalOptions &
  LeituraDaResposta &
  DaCertidao &
  Pick<RotaCnd, 'emHtml'> & {
    segunda?: true
    /** The first screen for a kind of document, if it is not `url`. */
    enderecos?: Partial<Record<TipoDocumento, string>>
    /** The frame (CSS) that holds the form. */
    moldura?: string
    /** The form, and the document's field if it is not the form's first text field (CSS). */
    form: string
    campo?: string
    /** How the document is written; in digits if left out. */
    forma?: 'mascara'
    /** The hidden field of the action, which the script of each button fills. */
    acao?: string
    /** The part of the page (CSS) in which a captcha may be drawn. */
    verificacao?: string
    /** A taxpayer with a registration is asked about by it. */
    porInscricao?: true
    /** The button of the first form. */
    envio: Passo
    /** The clicks after it. A page without the next button, or with the form again, is the answer. */
    passos: readonly Passo[]
    /**
     * Words of a screen on which the taxpayer must do something first. Such a screen is the answer, whatever
     * its buttons.
     */
    parada?: string
    /** The frame (CSS) that may show the answer. */
    quadro?: string
  }

/**
 * Fills a form and presses buttons until the certificate comes; visible words find fields and buttons,
 * because no source tells their names. `documentos` has the words of each kind, empty if one field takes all.
 */
export function telas(uf: Uf, options: TelasOptions): RotaCnd {
  const { url, enderecos, moldura, passos, quadro } = options
  return portalCnd('telas', uf, options, async (portal, pergunta) => {
    const inicio = await portal.get(enderecos?.[pergunta.tipo] ?? url)
    const tela = moldura ? await openMoldura(portal, inicio, moldura) : inicio
    const campo = campoOf(portal, tela, options)
    let pagina = await submit(portal, tela, campo, pergunta, options)
    for (const passo of passos) {
      const next = isLast(pagina, campo, options) ? undefined : await press(portal, pagina, passo, options)
      if (!next) break
      pagina = next
    }
    const isFrame = quadro && !isPdf(pagina) && pagina.html()(quadro).length > 0
    const answer = isFrame ? await openMoldura(portal, pagina, quadro) : pagina
    return readResposta(portal, pergunta, answer, options)
  })
}

async function openMoldura(portal: Portal, pagina: Pagina, moldura: string): Promise<Pagina> {
  const src = pagina.html()(moldura).first().attr('src')
  if (!src) failUnknown(portal, pagina, `falta a moldura (${moldura})`)
  return portal.get(new URL(src, pagina.url).href)
}

function campoOf(portal: Portal, pagina: Pagina, { form, campo }: TelasOptions): string {
  if (pagina.html()(form).length === 0) failUnknown(portal, pagina, `falta o formulário (${form})`)
  return (
    findCampo(pagina, campo ?? `${form} ${TEXTO}`) ??
    failUnknown(portal, pagina, 'falta o campo do documento')
  )
}

/** Whether a page is the answer: the paper, the form with a message, or a screen without a next step. */
function isLast(pagina: Pagina, campo: string, { parada }: TelasOptions): boolean {
  if (isPdf(pagina)) return true
  if (parada && pagina.words().includes(normalize(parada))) return true
  return pagina
    .html()(TEXTO)
    .toArray()
    .some(({ attribs }) => attribs.name === campo)
}

async function submit(
  portal: Portal,
  pagina: Pagina,
  campo: string,
  pergunta: PerguntaCnd,
  options: TelasOptions,
): Promise<Pagina> {
  const { form, documentos, envio, forma = 'digitos' } = options
  const ie = options.porInscricao && inscricaoDe(pergunta)?.inscricao_estadual
  const words = documentos[ie ? 'ie' : pergunta.tipo]
  const opcao = words ? findOpcao(pagina, form, words) : {}
  if (!opcao) failUnknown(portal, pagina, `falta a opção ${words}`)
  const botao = findPasso(pagina, envio)
  if (!botao) failUnknown(portal, pagina, `falta ${describe(envio)}`)
  return portal.post(actionOf(pagina, form), {
    ...pressed(portal, pagina, form, botao, options),
    ...opcao,
    [campo]: ie || writeDocumento(pergunta, forma),
    ...(await answerDrawn(portal, pagina, options)),
  })
}

/** Gets the token of the widget, if the page drew one. */
async function answerDrawn(
  portal: Portal,
  pagina: Pagina,
  { captcha, verificacao }: TelasOptions,
): Promise<Campos> {
  if (!verificacao || captcha === 'nenhum' || captcha.tipo !== 'recaptcha-v2') return {}
  const drawn = pagina.html()(`${verificacao} :is(.g-recaptcha, [data-sitekey])`).length > 0
  return drawn ? { 'g-recaptcha-response': await solveToken(portal, pagina, captcha.tipo) } : {}
}

const findPasso = (pagina: Pagina, passo: Passo): Botao | undefined =>
  'seletor' in passo ? findBotaoEm(pagina, passo.seletor) : findBotao(pagina, passo.botao, passo.perto)

const describe = (passo: Passo): string =>
  'seletor' in passo ? `o botão (${passo.seletor})` : `o botão ${passo.botao}`

/** Follows a button or link. Undefined if the page does not have it. */
async function press(
  portal: Portal,
  pagina: Pagina,
  passo: Passo,
  options: TelasOptions,
): Promise<Pagina | undefined> {
  const botao = findPasso(pagina, passo)
  if (!botao) return undefined
  if ('href' in botao) return portal.get(botao.href)
  return portal.post(actionOf(pagina, botao.form), pressed(portal, pagina, botao.form, botao, options))
}

/**
 * The fields that a form sends when a button is pressed. Throws SourceError `parse` if the page does not tell
 * them.
 */
function pressed(portal: Portal, pagina: Pagina, form: string, botao: Botao, { acao }: TelasOptions): Campos {
  const hidden = harvest(portal, pagina, form)
  const campos = { ...hidden, ...('campo' in botao && botao.campo) }
  if (acao && acao in hidden && !campos[acao])
    failUnknown(portal, pagina, `não diz a ação do botão (${acao})`)
  return campos
}
