import { setTimeout } from 'node:timers/promises'
import type { Uf } from '../documento/uf.ts'
import { type Campos, encodeForm } from './campos.ts'
import type { Pergunta, RotaIe } from './estado.ts'
import type { Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'
import { actionOf, harvest } from './portal-form.ts'
import { refuseKnown } from './recusa.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from './resultado.ts'
import { type PortalOptions, portalIe } from './rota.ts'
import { answerCaptcha, type CampoDoCaptcha } from './solve.ts'

/** The options of a plain form in a state's file. */
export type FormularioOptions = PortalOptions &
  ResultadoOptions & {
    /** The route is tried after the state's web service. */
    segunda?: true
    /**
     * The form (CSS) whose hidden fields go back. If left out, the first page is only asked for its cookies.
     */
    form?: string
    /** The address that takes the form, relative to its page. If left out, the form tells it. */
    destino?: string
    /** The form is sent with GET, and no page is asked before it. */
    metodo?: 'get'
    /** The fields of the question. */
    preencher: (pergunta: Pergunta) => Campos
    /** Other fields for the same question, because the server may answer the first form with HTTP 500. */
    preencherDenovo?: (pergunta: Pergunta) => Campos
    /** The field that takes the answer to the captcha. */
    resposta?: CampoDoCaptcha
  }

/** A page with a plain HTML form: the form's page (cookies, hidden fields, captcha), then its answer. */
export function formulario(uf: Uf, options: FormularioOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('formulario', uf, options, async (portal, pergunta) => {
    const answer = await send(portal, pergunta, options)
    return readResultado(portal, pergunta, answer, resultado)
  })
}

async function send(portal: Portal, pergunta: Pergunta, options: FormularioOptions): Promise<Pagina> {
  const { url, form, destino, metodo, preencher, preencherDenovo, captcha, resposta, charset } = options
  if (metodo === 'get') {
    const target = new URL(destino ?? url, url)
    target.search = encodeForm(preencher(pergunta), charset)
    return portal.get(target.href)
  }
  const pagina = await portal.get(url)
  const hidden = form ? harvest(portal, pagina, form) : {}
  const answered = await answerCaptcha(portal, pagina, captcha, resposta)
  const target = destino ? new URL(destino, pagina.url).href : actionOf(pagina, form ?? 'form')
  const fields = { ...hidden, ...preencher(pergunta), ...answered }
  if (!preencherDenovo) return portal.post(target, fields)
  const answer = await portal.post(target, fields, { anyStatus: true })
  if (answer.status !== 500) {
    refuseKnown(answer, portal.failure)
    return answer
  }
  // As slowly as a person would ask twice.
  await setTimeout(Math.max(0, Math.min(options.paceMs ?? 0, portal.leftMs())))
  return portal.post(target, { ...hidden, ...preencherDenovo(pergunta), ...answered })
}
