import type { Uf } from '../../domain/uf.ts'
import type { Pergunta, RotaIe } from '../estado.ts'
import { solveImagem, solveToken } from '../portal/captcha.ts'
import { actionOf, type Campos, harvest } from '../portal/form.ts'
import type { Frase } from '../portal/frase.ts'
import type { Pagina } from '../portal/pagina.ts'
import { readResultado } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import { legendaOf, type Rotulos } from '../portal/rotulo.ts'
import type { Portal } from '../portal.ts'

/** What a state's file says of a plain form. */
export type FormularioOptions = PortalOptions & {
  segunda?: true
  /** The form (CSS) whose hidden fields go back; left out, the first page is asked for its cookies alone. */
  form?: string
  /** Where the form is sent, relative to its page; left out, where it says. */
  destino?: string
  /** The fields of the question. */
  preencher: (pergunta: Pergunta) => Campos
  /** The field that takes the answer to the captcha; `imagem` is where the image is: an element (CSS) or an address. */
  resposta?: { campo: string; imagem?: { seletor: string } | { url: string } }
  rotulos?: Rotulos
  frases?: readonly Frase[]
  registro?: string
  lista?: string
}

/** A page with a plain HTML form: the form's page (cookies, hidden fields, captcha), then its answer. */
export function formulario(uf: Uf, options: FormularioOptions): RotaIe {
  const { form, destino, preencher, rotulos, frases, registro, lista } = options
  const resultado = {
    legenda: legendaOf(rotulos),
    ...(frases && { frases }),
    ...(registro && { registro }),
    ...(lista && { lista }),
  }
  return portalIe('formulario', uf, options, async (portal, pergunta) => {
    const pagina = await portal.get(options.url)
    const hidden = form ? harvest(pagina, form, (why) => portal.failure('parse', why)) : {}
    const captcha = await answerCaptcha(portal, pagina, options)
    const target = destino ? new URL(destino, pagina.url).href : actionOf(pagina, form ?? 'form')
    const answer = await portal.post(target, { ...hidden, ...preencher(pergunta), ...captcha })
    return readResultado(portal, pergunta, answer, resultado)
  })
}

async function answerCaptcha(
  portal: Portal,
  pagina: Pagina,
  { captcha, resposta }: FormularioOptions,
): Promise<Campos> {
  if (captcha === 'nenhum' || captcha.quando !== 'sempre' || !resposta) return {}
  const { campo, imagem } = resposta
  const { tipo } = captcha
  if (tipo !== 'imagem' && tipo !== 'palavras' && tipo !== 'altcha')
    return { [campo]: await solveToken(portal, pagina, tipo) }
  return { [campo]: await solveImagem(portal, imageOf(portal, pagina, imagem)) }
}

function imageOf(
  portal: Portal,
  pagina: Pagina,
  imagem: { seletor: string } | { url: string } | undefined,
): string {
  const address = imagem && ('url' in imagem ? imagem.url : pagina.html()(imagem.seletor).first().attr('src'))
  if (!address) throw portal.failure('parse', 'mudou de página: falta a imagem do captcha')
  return new URL(address, pagina.url).href
}
