import type { Uf } from '../../domain/uf.ts'
import { inscricaoDe, type LeituraDaResposta, readResposta } from '../certidao/entrega.ts'
import type { RotaCnd } from '../estado.ts'
import type { Pagina } from '../pagina/pagina.ts'
import type { Campos } from '../portal/campos.ts'
import { solveToken } from '../portal/captcha.ts'
import { harvest } from '../portal/form.ts'
import type { Portal } from '../portal/portal.ts'
import { type PortalOptions, portalCnd } from '../portal/rota.ts'
import { findCampo, TEXTO } from '../portal/tela.ts'

/** What a state's file says of a Struts action. */
export type StrutsOptions = PortalOptions &
  LeituraDaResposta &
  Pick<RotaCnd, 'naoContribuinte' | 'emHtml'> & {
    /** The action for who has a registration, asked by it; `url` is for the others. */
    contribuintes: string
    /** The field of the document in the form for the others; the other form's is its text field, whatever its name. */
    campo: string
    /** What the button sends. */
    envio: Campos
    /** The frame (CSS) that holds the captcha. */
    moldura: string
  }

const FORM = `form:has(${TEXTO})`

/** A Struts action that shows its form and takes it at one address (`method` says which), behind an invisible reCAPTCHA in a frame. */
export function struts(uf: Uf, options: StrutsOptions): RotaCnd {
  const { url, contribuintes, campo, envio, moldura } = options
  return portalCnd('struts', uf, options, async (portal, pergunta) => {
    const ie = inscricaoDe(pergunta)?.inscricao_estadual
    const address = ie ? contribuintes : url
    const pagina = await portal.get(address)
    const hidden = harvest(portal, pagina, FORM)
    const name = ie ? findCampo(pagina, `${FORM} ${TEXTO}`) : campo
    if (!name) throw portal.failure('parse', 'mudou de página: falta o campo da inscrição')
    const token = await solveInFrame(portal, pagina, moldura)
    const fields = { ...hidden, [name]: ie ?? pergunta.documento, ...envio, 'g-recaptcha-response': token }
    // The frame was the last page that came: a browser still names the one that it stands in.
    const answer = await portal.post(address, fields, { headers: { referer: pagina.url } })
    return readResposta(portal, pergunta, answer, options)
  })
}

async function solveInFrame(portal: Portal, pagina: Pagina, moldura: string): Promise<string> {
  const src = pagina.html()(moldura).first().attr('src')
  if (!src) throw portal.failure('parse', 'mudou de página: falta a moldura do captcha')
  const frame = await portal.get(new URL(src, pagina.url).href)
  const drawn = frame.html()('[data-sitekey]').first().attr('data-sitekey')
  // Invisible widgets are drawn by a script, which has the key in it.
  return solveToken(portal, frame, 'recaptcha-v2', drawn ?? /\b6L[\w-]{38}\b/.exec(frame.text())?.[0])
}
