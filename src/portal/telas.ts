import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { inscricaoDe, type LeitorDeCertidao } from './certidao.ts'
import type { PerguntaCnd, RotaCnd } from './estado.ts'
import { actionOf, type Botao, findBotao, findBotaoEm, findCampo, findOpcao, harvest, TEXTO } from './form.ts'
import { isPdf, normalize, type Pagina } from './pagina.ts'
import { type Aberto, converse, type PortalOptions, rota, writeDocumento } from './rota.ts'
import type { Certidao } from './rules-certidao.ts'
import { type Campos, failUnknown, type Portal } from './visita.ts'

/** The button with these words, in the row with `perto`. If it has no words, a selector (CSS). */
type Passo = { botao: string; perto?: RegExp } | { seletor: string }

export type TelasOptions = PortalOptions & {
  leitor: LeitorDeCertidao
  /** The first screen for a kind of document, if it is not `url`. */
  enderecos?: Partial<Record<TipoDocumento, string>>
  moldura?: string
  /** The form, and the document's field if it is not the form's first text field (CSS). */
  form: string
  campo?: string
  forma?: 'mascara'
  /** The hidden field of the action, which the script of each button fills. */
  acao?: string
  /** A taxpayer with a registration is asked about by it. */
  porInscricao?: true
  envio: Passo
  /** The clicks after it. A page without the next button, or with the form again, is the answer. */
  passos: readonly Passo[]
  /** Words of a screen on which the taxpayer must do something first. It is the answer. */
  parada?: string
  /** The frame (CSS) that may show the answer. */
  quadro?: string
}

/** Visible words find fields and buttons, because no source tells their names. */
export const telas = (uf: Uf, options: TelasOptions): RotaCnd => {
  const { leitor, url, enderecos, moldura, form, captcha } = options
  const passos = converse<PerguntaCnd, Certidao>({
    open: async (portal, { tipo }) => {
      const inicio = await portal.get(enderecos?.[tipo] ?? url)
      return moldura ? openMoldura(portal, inicio, moldura) : inicio
    },
    harvest: form,
    fill: (aberto) => fill(aberto, options),
    captcha,
    follow: (answer, { portal, pagina }) => follow(portal, answer, campoOf(portal, pagina, options), options),
    read: leitor.read,
  })
  return rota('telas', uf, options, passos)
}

async function follow(portal: Portal, answer: Pagina, campo: string, options: TelasOptions): Promise<Pagina> {
  const { passos, quadro } = options
  let pagina = answer
  for (const passo of passos) {
    const next = isLast(pagina, campo, options) ? undefined : await press(portal, pagina, passo, options)
    if (!next) break
    pagina = next
  }
  const isFrame = quadro && !isPdf(pagina) && pagina.html()(quadro).length > 0
  return isFrame ? openMoldura(portal, pagina, quadro) : pagina
}

async function openMoldura(portal: Portal, pagina: Pagina, moldura: string): Promise<Pagina> {
  const src = pagina.html()(moldura).first().attr('src')
  if (!src) failUnknown(portal, pagina, `falta a moldura (${moldura})`)
  return portal.get(new URL(src, pagina.url).href)
}

function campoOf(portal: Portal, pagina: Pagina, { form, campo }: TelasOptions): string {
  const name = findCampo(pagina, campo ?? `${form} ${TEXTO}`)
  return name ?? failUnknown(portal, pagina, 'falta o campo do documento')
}

function isLast(pagina: Pagina, campo: string, { parada }: TelasOptions): boolean {
  if (isPdf(pagina)) return true
  if (parada && pagina.words().includes(normalize(parada))) return true
  return pagina
    .html()(TEXTO)
    .toArray()
    .some(({ attribs }) => attribs.name === campo)
}

function fill({ portal, pagina, pergunta, ocultos }: Aberto<PerguntaCnd>, options: TelasOptions): Campos {
  const { form, documentos, envio, forma = 'digitos', porInscricao } = options
  const campo = campoOf(portal, pagina, options)
  const ie = porInscricao && inscricaoDe(pergunta)?.inscricao_estadual
  const words = documentos[ie ? 'ie' : pergunta.tipo]
  const opcao = words ? findOpcao(pagina, form, words) : {}
  if (!opcao) failUnknown(portal, pagina, `falta a opção ${words}`)
  const botao = findPasso(pagina, envio)
  if (!botao) failUnknown(portal, pagina, `falta ${describe(envio)}`)
  return {
    ...pressed(portal, pagina, ocultos, botao, options),
    ...opcao,
    [campo]: ie || writeDocumento(pergunta, forma),
  }
}

const findPasso = (pagina: Pagina, passo: Passo): Botao | undefined =>
  'seletor' in passo ? findBotaoEm(pagina, passo.seletor) : findBotao(pagina, passo.botao, passo.perto)

const describe = (passo: Passo): string =>
  'seletor' in passo ? `o botão (${passo.seletor})` : `o botão ${passo.botao}`

async function press(
  portal: Portal,
  pagina: Pagina,
  passo: Passo,
  options: TelasOptions,
): Promise<Pagina | undefined> {
  const botao = findPasso(pagina, passo)
  if (!botao) return undefined
  if ('href' in botao) return portal.get(botao.href)
  const hidden = harvest(portal, pagina, botao.form)
  return portal.post(actionOf(pagina, botao.form), pressed(portal, pagina, hidden, botao, options))
}

/** Throws SourceError `parse` if the page does not tell the button's action. */
function pressed(
  portal: Portal,
  pagina: Pagina,
  hidden: Campos,
  botao: Botao,
  { acao }: TelasOptions,
): Campos {
  const campos = { ...hidden, ...('campo' in botao && botao.campo) }
  if (acao && acao in hidden && !campos[acao])
    failUnknown(portal, pagina, `não diz a ação do botão (${acao})`)
  return campos
}
