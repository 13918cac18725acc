import type { Uf } from '../documento/uf.ts'
import type { Campos } from '../portal/campos.ts'
import { type LeituraDaResposta, readResposta } from '../portal/certidao.ts'
import type { RotaCnd } from '../portal/estado.ts'
import { isPdf, type Pagina } from '../portal/pagina.ts'
import { harvest } from '../portal/portal-form.ts'
import { type DaCertidao, type PortalOptions, portalCnd } from '../portal/rota.ts'

/** The options of an e-Fisco process in a state's file. `documentos` has e-Fisco's codes. */
export type EfiscoOptions = PortalOptions &
  LeituraDaResposta &
  DaCertidao & {
    /** The fields of the kind of document and of its number. */
    campoTipo: string
    campoDocumento: string
    /** The events of the process in order, each with the fields that its button sends. */
    eventos: readonly Campos[]
  }

const FORM = 'form[name=frm_principal]'

/**
 * A process of e-Fisco (PE); a page without its form is the answer. One form at one address tells by `evento`
 * what is asked, and `id_contexto_sessao` is new at each step.
 */
export function efisco(uf: Uf, options: EfiscoOptions): RotaCnd {
  const { url, campoTipo, campoDocumento, eventos, documentos } = options
  return portalCnd('efisco', uf, options, async (portal, pergunta) => {
    const fixed = {
      [campoTipo]: documentos[pergunta.tipo] ?? '',
      [campoDocumento]: pergunta.documento,
      in_formulario_submetido: 'true',
    }
    let pagina = await portal.get(url)
    for (const [at, evento] of eventos.entries()) {
      if (at > 0 && isLast(pagina)) break
      const hidden = harvest(portal, pagina, FORM)
      pagina = await portal.post(url, { ...hidden, ...fixed, ...evento })
    }
    return readResposta(portal, pergunta, pagina, options)
  })
}

const isLast = (pagina: Pagina): boolean =>
  isPdf(pagina) || pagina.html()(`${FORM} [name=id_contexto_sessao]`).length === 0
