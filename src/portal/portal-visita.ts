import { codeOf, RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import { VENCIDO } from './captcha-captcha.ts'
import { PaginaExcessiva } from './pagina-html.ts'
import type { MeiosDaVisita, Portal, Visita } from './portal.ts'
import { openPortal } from './visita.ts'

/** How many sessions are opened in all when the page refuses the captcha's answer. */
const CAPTCHA_TRIES = 3

/**
 * Makes one visit. If the captcha's answer was wrong or too old, the visit begins anew while there is time.
 */
export async function visit<R>(
  visita: Visita,
  meios: MeiosDaVisita,
  ask: (portal: Portal) => Promise<R>,
): Promise<R> {
  const ends = performance.now() + meios.deadlineMs
  for (let tries = 1; ; tries++) {
    const portal = openPortal(visita, { ...meios, deadlineMs: ends - performance.now() })
    try {
      return await ask(portal)
    } catch (error) {
      if (!wantsAnother(error) || tries === CAPTCHA_TRIES || performance.now() >= ends)
        throw trapped(error, portal)
    }
  }
}

const wantsAnother = (error: unknown): boolean =>
  error instanceof SourceError
    ? error.codigo === 'captcha-errado'
    : error instanceof RotaNaoAtende && error.codigo === VENCIDO

/**
 * Makes a failure of the portal if its page broke our reader: with an invalid address, or with too many
 * elements.
 */
function trapped(error: unknown, { failure }: Portal): unknown {
  if (codeOf(error) === 'ERR_INVALID_URL')
    return failure('parse', 'mudou de página: traz um endereço inválido')
  return error instanceof PaginaExcessiva ? failure('parse', error.message) : error
}
