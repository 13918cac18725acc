import { setTimeout } from 'node:timers/promises'
import type { Uf } from '../documento/uf.ts'
import type { Campos } from '../portal/campos.ts'
import { type Entrega, readEntrega } from '../portal/certidao.ts'
import { classifyCertidao } from '../portal/cnd.ts'
import type { PerguntaCnd, RotaCnd } from '../portal/estado.ts'
import { isPdf, normalize, type Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { type DaCertidao, type PortalOptions, portalCnd } from '../portal/rota.ts'
import { solveToken } from '../portal/solve.ts'
import { findBotao } from '../portal/tela.ts'

/** The options of a servlet for certificates in a state's file. */
export type ServletOptions = PortalOptions &
  DaCertidao &
  Entrega & {
    /** The servlet, relative to the first page. It takes the forms, and tells the progress. */
    servlet: string
    /** The fields of the question. */
    preencher: (pergunta: PerguntaCnd) => Campos
    /** The field of the widget that is drawn. It is sent empty until the state begins to check it. */
    token: string
    /**
     * The words of the page that offers the certificate in force or a new one, and the fields that ask for
     * the new one.
     */
    vigente: { texto: string; nova: (pergunta: PerguntaCnd) => Campos }
    /** The words of the page that refreshes itself while the certificate is made. */
    processando: readonly string[]
  }

const REFRESH = 'meta[http-equiv=refresh i]'

/**
 * Milliseconds: between two looks if the page does not say, kept for the last answer, and the shortest wait.
 */
const EACH_MS = 15_000
const LAST_MS = 1_000
const MIN_MS = 50
/**
 * The most looks at one certificate. MT takes some eight, and a page that says "0 s" is not asked a thousand
 * times.
 */
const MOST_LOOKS = 20

/**
 * A servlet that answers with the certificate, or with a page to be asked again until the certificate is
 * ready.
 */
export const servlet = (uf: Uf, options: ServletOptions): RotaCnd =>
  portalCnd('servlet', uf, options, async (portal, pergunta) => {
    const { url, captcha, preencher, token, vigente } = options
    const first = await portal.get(url)
    const to = new URL(options.servlet, first.url).href
    const solved =
      captcha !== 'nenhum' && captcha.tipo === 'turnstile' && captcha.quando === 'sempre'
        ? await solveToken(portal, first, captcha.tipo)
        : ''
    const answer = await portal.post(to, { ...preencher(pergunta), [token]: solved })
    const made = offers(answer, vigente.texto) ? await portal.post(to, vigente.nova(pergunta)) : answer
    // A second offer is no answer: the certificate in force may be two months old.
    if (offers(made, vigente.texto)) throw portal.failure('parse', 'não emitiu a certidão nova')
    return readEntrega(portal, pergunta, await waitFor(portal, to, made, options), options)
  })

const says = (pagina: Pagina, textos: readonly string[]): boolean =>
  !isPdf(pagina) && textos.some((texto) => pagina.words().includes(normalize(texto)))

/** Whether a page offers a new certificate. The words on a button are its value, and no text of the page. */
const offers = (pagina: Pagina, texto: string): boolean =>
  says(pagina, [texto]) || (!isPdf(pagina) && findBotao(pagina, texto) !== undefined)

/**
 * Whether the certificate is still being made. A refusal has the same words (REQUERIMENTO), but it does not
 * refresh itself and is not read as `processando`.
 */
const isWaiting = (pagina: Pagina, textos: readonly string[]): boolean =>
  says(pagina, textos) &&
  (pagina.html()(REFRESH).length > 0 || classifyCertidao(pagina.words(), 'pagina').situacao === 'processando')

/** Asks again, as often as the page says, while there is time. After that, the waiting page is the answer. */
async function waitFor(
  portal: Portal,
  to: string,
  first: Pagina,
  { processando }: ServletOptions,
): Promise<Pagina> {
  let pagina = first
  for (let looks = 0; looks < MOST_LOOKS && isWaiting(pagina, processando); looks++) {
    const waitMs = refreshMs(pagina)
    if (portal.leftMs() < waitMs + LAST_MS) return pagina
    await setTimeout(waitMs)
    pagina = await portal.get(to)
  }
  return pagina
}

/** Reads the seconds of `<meta http-equiv="refresh" content="15">`. */
function refreshMs(pagina: Pagina): number {
  const content = pagina.html()(REFRESH).first().attr('content') ?? ''
  const seconds = /^\s*(\d+(?:\.\d+)?)/.exec(content)?.[1]
  return seconds === undefined ? EACH_MS : Math.max(MIN_MS, Number(seconds) * 1000)
}
