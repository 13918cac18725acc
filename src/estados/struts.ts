import type { Uf } from '../documento/uf.ts'
import type { Campos } from '../portal/campos.ts'
import { inscricaoDe, type LeituraDaResposta, readResposta } from '../portal/certidao.ts'
import type { RotaCnd } from '../portal/estado.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { harvest } from '../portal/portal-form.ts'
import { type DaCertidao, type PortalOptions, portalCnd } from '../portal/rota.ts'
import { solveToken } from '../portal/solve.ts'
import { findCampo, TEXTO } from '../portal/tela.ts'

/** The options of a Struts action in a state's file. */
export type StrutsOptions = PortalOptions &
  LeituraDaResposta &
  DaCertidao &
  Pick<RotaCnd, 'emHtml'> & {
    /** The action for taxpayers with a registration, who are asked about by it. `url` is for the others. */
    contribuintes: string
    /**
     * The document's field in the form for the others. In the other form it is the text field, whatever its
     * name.
     */
    campo: string
    /** The fields of the button. */
    envio: Campos
    /** The frame (CSS) that holds the captcha. */
    moldura: string
  }

const FORM = `form:has(${TEXTO})`

/**
 * A Struts action whose form is shown and sent at one address (`method` tells which), behind an invisible
 * reCAPTCHA in a frame.
 */
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
    // The frame was the last page, but a browser names the page around it.
    const answer = await portal.post(address, fields, { headers: { referer: pagina.url } })
    return readResposta(portal, pergunta, answer, options)
  })
}

async function solveInFrame(portal: Portal, pagina: Pagina, moldura: string): Promise<string> {
  const src = pagina.html()(moldura).first().attr('src')
  if (!src) throw portal.failure('parse', 'mudou de página: falta a moldura do captcha')
  const frame = await portal.get(new URL(src, pagina.url).href)
  const drawn = frame.html()('[data-sitekey]').first().attr('data-sitekey')
  // A script draws invisible widgets, and has their key in it.
  return solveToken(portal, frame, 'recaptcha-v2', drawn ?? /\b6L[\w-]{38}\b/.exec(frame.text())?.[0])
}
