import type { Uf } from '../../domain/uf.ts'
import type { PerguntaCnd, RotaCnd, TipoDocumento } from '../estado.ts'
import { solveImagem } from '../portal/captcha.ts'
import { inscricaoDe, type LeituraDaResposta, readResposta } from '../portal/certidao.ts'
import { actionOf, type Campos, harvest } from '../portal/form.ts'
import { isPdf, type Pagina } from '../portal/pagina.ts'
import { type PortalOptions, portalCnd } from '../portal/rota.ts'
import { findBotao, findCampo, findOpcao, TEXTO } from '../portal/tela.ts'
import type { Portal } from '../portal.ts'

/** One click: the button or link by its words, in the row that reads `perto`, and what the page's script adds to the form. */
type Passo = { botao: string; perto?: RegExp; campos?: Campos }

/** What a state's file says of its screens. */
export type TelasOptions = PortalOptions &
  LeituraDaResposta &
  Pick<RotaCnd, 'naoContribuinte' | 'emHtml'> & {
    /** Where the screens begin for a kind of document, when that is not `url`. */
    enderecos?: Partial<Record<TipoDocumento, string>>
    /** The frame (CSS) that holds the form. */
    moldura?: string
    /** The form, and the field that takes the document where it is not the form's first text field (CSS). */
    form: string
    campo?: string
    /** The part of the page (CSS) that holds the captcha's image and its text field. */
    imagem?: string
    /** A taxpayer with a registration is asked about by it. */
    porInscricao?: true
    /** What is sent with the first form: its button has to be there, unless it has no words to be found by. */
    envio: Omit<Passo, 'botao'> & { botao?: string }
    /** The clicks after it; a page without the next button, or with the form again, is the answer. */
    passos: readonly Passo[]
  }

/**
 * Screens in which a form is filled and buttons are pressed until the certificate comes. Fields, codes and buttons are
 * found by the words that a person reads: the names behind them are known of no source. `documentos` has the words of each
 * kind of document; empty where the page has one field for all.
 */
export function telas(uf: Uf, options: TelasOptions): RotaCnd {
  const { url, enderecos, moldura, passos } = options
  return portalCnd('telas', uf, options, async (portal, pergunta) => {
    const inicio = await portal.get(enderecos?.[pergunta.tipo] ?? url)
    const tela = moldura ? await openMoldura(portal, inicio, moldura) : inicio
    let pagina = await submit(portal, tela, pergunta, options)
    for (const passo of passos) {
      const ended = isPdf(pagina) || campoOf(pagina, options) !== undefined
      const next = ended ? undefined : await press(portal, pagina, passo)
      if (!next) break
      pagina = next
    }
    return readResposta(portal, pergunta, pagina, options)
  })
}

async function openMoldura(portal: Portal, pagina: Pagina, moldura: string): Promise<Pagina> {
  const src = pagina.html()(moldura).first().attr('src')
  if (!src) throw portal.failure('parse', `mudou de página: falta a moldura (${moldura})`)
  return portal.get(new URL(src, pagina.url).href)
}

async function submit(
  portal: Portal,
  pagina: Pagina,
  pergunta: PerguntaCnd,
  options: TelasOptions,
): Promise<Pagina> {
  const { form, imagem, documentos, envio } = options
  const missing = (what: string): Error => portal.failure('parse', `mudou de página: falta ${what}`)
  const hidden = harvest(portal, pagina, form)
  const ie = options.porInscricao && inscricaoDe(pergunta)?.inscricao_estadual
  const words = documentos[ie ? 'ie' : pergunta.tipo]
  const opcao = words ? findOpcao(pagina, form, words) : {}
  if (!opcao) throw missing(`a opção ${words}`)
  const name = campoOf(pagina, options)
  if (!name) throw missing('o campo do documento')
  const captcha = imagem ? await answerImagem(portal, pagina, imagem, missing) : {}
  const botao = envio.botao ? findBotao(pagina, envio.botao) : undefined
  if (envio.botao && !botao) throw missing(`o botão ${envio.botao}`)
  return portal.post(actionOf(pagina, form), {
    ...hidden,
    ...opcao,
    [name]: ie || pergunta.documento,
    ...captcha,
    ...(botao && 'campo' in botao && botao.campo),
    ...envio.campos,
  })
}

const campoOf = (pagina: Pagina, { form, campo }: TelasOptions): string | undefined =>
  findCampo(pagina, campo ?? `${form} ${TEXTO}`)

async function answerImagem(
  portal: Portal,
  pagina: Pagina,
  area: string,
  missing: (what: string) => Error,
): Promise<Campos> {
  const src = pagina.html()(`${area} img`).first().attr('src')
  const name = findCampo(pagina, `${area} ${TEXTO}`)
  if (!src || !name) throw missing('a imagem do captcha ou o campo dela')
  return { [name]: await solveImagem(portal, new URL(src, pagina.url).href) }
}

/** The page behind a button or link; undefined where the page has it not. */
async function press(
  portal: Portal,
  pagina: Pagina,
  { botao, perto, campos }: Passo,
): Promise<Pagina | undefined> {
  const found = findBotao(pagina, botao, perto)
  if (!found) return undefined
  if ('href' in found) return portal.get(found.href)
  const hidden = harvest(portal, pagina, found.form)
  return portal.post(actionOf(pagina, found.form), { ...hidden, ...found.campo, ...campos })
}
