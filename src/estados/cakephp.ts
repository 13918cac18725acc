import type { Uf } from '../documento/uf.ts'
import type { Campos } from '../portal/campos.ts'
import type { Desfecho } from '../portal/desfecho.ts'
import type { Pergunta, RotaIe } from '../portal/estado.ts'
import { type Legenda, legendaOf, type Rotulos } from '../portal/inscricao-rotulo.ts'
import { normalize, type Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { harvest } from '../portal/portal-form.ts'
import { readResultado } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { answerCaptcha, type CampoDoCaptcha } from '../portal/solve.ts'

/** The options of a registry on CakePHP in a state's file. */
export type CakephpOptions = PortalOptions & {
  segunda?: true
  /** All fields of the question, with the button of its kind. */
  preencher: (pergunta: Pergunta) => Campos
  resposta: CampoDoCaptcha
  rotulos?: Rotulos
  /** The meaning of the address of a redirect. The first that matches counts. */
  motivos: readonly { se: RegExp; desfecho: Desfecho }[]
  /** The form (CSS) of the next registration, the address that takes it, and its button. */
  proxima: { form: string; url: string; botao: string }
}

/** Nobody has more registrations in a state. */
const MOST_PAGES = 60

/**
 * A registry on CakePHP (PR). It answers with the page of one registration, whose form leads to the next, or
 * with a redirect whose address tells why there is none.
 */
export function cakephp(uf: Uf, options: CakephpOptions): RotaIe {
  const legenda = legendaOf(options.rotulos)
  return portalIe('cakephp', uf, options, async (portal, pergunta) => {
    const { url, captcha, resposta, preencher } = options
    const pagina = await portal.get(url)
    const hidden = harvest(portal, pagina, 'form')
    const solved = await answerCaptcha(portal, pagina, captcha, resposta)
    const campos = { ...hidden, ...preencher(pergunta), ...solved }
    const answer = await portal.post(url, campos, { redirects: 0 })
    const desfecho = reasonOf(answer, options)
    if (desfecho === 'nao-encontrado') return []
    if (desfecho) throw portal.fail(desfecho, pergunta.tipo)
    const first = answer.location ? await portal.get(answer.location) : answer
    return readAll(portal, pergunta, first, legenda, options)
  })
}

/**
 * Reads the words of an address in either charset: `%C3%A7`, `%E7` and the bytes themselves all become `C`.
 */
function reasonOf({ location }: Pagina, { motivos }: CakephpOptions): Desfecho | undefined {
  if (!location) return undefined
  const bytes = location.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  const raw = Buffer.from(bytes, 'latin1')
  const latin = raw.toString('latin1')
  const utf8 = raw.toString('utf8')
  const words = normalize((utf8.includes('\ufffd') ? latin : utf8).replaceAll('+', ' '))
  return motivos.find(({ se }) => se.test(words))?.desfecho
}

/** Reads the registrations, one a page, until a page leads to no other. */
async function readAll(
  portal: Portal,
  pergunta: Pergunta,
  first: Pagina,
  legenda: Legenda,
  { proxima }: CakephpOptions,
): Promise<Inscricao[]> {
  const found: Inscricao[] = []
  let pagina = first
  for (let pages = 1; ; pages++) {
    found.push(...(await readResultado(portal, pergunta, pagina, { legenda })))
    const button = pagina.html()(`${proxima.form} [name="${proxima.botao}"]`).first()
    if (button.length === 0) return found
    if (pages === MOST_PAGES) throw portal.failure('parse', `mostrou mais de ${MOST_PAGES} inscrições`)
    const hidden = harvest(portal, pagina, proxima.form)
    pagina = await portal.post(proxima.url, { ...hidden, [proxima.botao]: button.attr('value') ?? '' })
  }
}
