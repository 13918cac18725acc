import type { CaptchaDaPagina } from './captcha.ts'
import { answerCaptcha } from './captcha-resposta.ts'
import type { Pergunta } from './estado.ts'
import { actionOf, harvest } from './form.ts'
import type { Pagina } from './pagina.ts'
import type { Campos, Portal } from './visita.ts'

/** The page of the question, before its form is filled in. `ocultos`: its hidden fields as they came. */
export type Aberto<P extends Pergunta> = { portal: Portal; pergunta: P; pagina: Pagina; ocultos: Campos }

/** The form as it is sent. `resposta` has the fields of the captcha alone. */
export type Preenchido<P extends Pergunta> = Aberto<P> & { to: string; campos: Campos; resposta: Campos }

/** The steps of a visit, in the order in which the engine takes them. */
export type Passos<P extends Pergunta, R> = {
  /** Opens the page of the question: an address, or what else leads there. */
  open: string | ((portal: Portal, pergunta: P) => Promise<Pagina>)
  /** The form (CSS) whose hidden fields go back. None go back if left out. */
  harvest?: string | undefined
  fill: (aberto: Aberto<P>) => Campos
  /** The route's captcha; a function for a page whose captcha is not found by that. */
  captcha: CaptchaDaPagina | ((portal: Portal, pagina: Pagina) => Promise<Campos>)
  /** The address that takes the form. If left out, the form tells it. */
  to?: string | undefined
  /** Sends the form, if not by a plain POST. */
  send?: ((preenchido: Preenchido<P>) => Promise<Pagina>) | undefined
  /** The way from the answer to the page that is read, if it is another. */
  follow?: ((answer: Pagina, aberto: Preenchido<P>) => Promise<Pagina>) | undefined
  read: (portal: Portal, pergunta: P, pagina: Pagina) => Promise<R>
}

/** The engine: makes the conversation of a visit of its steps. */
export const converse =
  <P extends Pergunta, R>(passos: Passos<P, R>) =>
  async (portal: Portal, pergunta: P): Promise<R> => {
    const { open, harvest: form, fill, captcha, send = post, follow, read } = passos
    const pagina = typeof open === 'string' ? await portal.get(open) : await open(portal, pergunta)
    const ocultos = form ? harvest(portal, pagina, form) : {}
    const aberto = { portal, pergunta, pagina, ocultos }
    const asked = fill(aberto)
    const resposta =
      typeof captcha === 'function'
        ? await captcha(portal, pagina)
        : await answerCaptcha(portal, pagina, captcha)
    const preenchido = {
      ...aberto,
      // A page whose form is not used is not read for its address.
      get to() {
        return passos.to ? new URL(passos.to, pagina.url).href : actionOf(pagina, form ?? 'form')
      },
      campos: { ...ocultos, ...asked, ...resposta },
      resposta,
    }
    const answer = await send(preenchido)
    return read(portal, pergunta, follow ? await follow(answer, preenchido) : answer)
  }

const post = ({ portal, to, campos }: Pick<Preenchido<Pergunta>, 'portal' | 'to' | 'campos'>) =>
  portal.post(to, campos)
