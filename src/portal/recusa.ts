import { findFirewall } from './firewall.ts'
import { isPdf, normalize, type Pagina } from './pagina.ts'
import type { Failure } from './portal.ts'

/** Words of a portal that is down. They count only on a page with an error status. */
const outages =
  /NO MOMENTO NAO PODEMOS ATENDER A SUA SOLICITACAO|SISTEMA EM MANUTENCAO|SISTEMA INDISPONIVEL|SERVICO TEMPORARIAMENTE INDISPONIVEL|SERVICE UNAVAILABLE/

/**
 * Throws the failure of a page that turns us away, or says that the portal is down. With `anyStatus`, any
 * other page passes whatever its status.
 */
export function refuseKnown(pagina: Pagina, failure: Failure, anyStatus = false): void {
  const { status, retryAfterS: retryS } = pagina
  if (status < 300 && (isPdf(pagina) || !isText(pagina))) return
  const [unseen, seen] = isText(pagina) && readable(pagina) ? [unseenOf(pagina), pagina.words()] : ['', '']
  const refusal = findFirewall(seen, unseen)
  if (refusal)
    throw failure('blocked', refusal.texto, {
      codigo: refusal.codigo,
      status,
      retryS,
    })
  if (status < 400) return
  if (outages.test(`${unseen} ${seen}`))
    throw failure('http', 'diz que está fora do ar', { unavailable: true, status, retryS })
  if (anyStatus) return
  if (status === 403) throw failure('blocked', 'recusou a consulta (HTTP 403)', { status })
  throw failure('http', `respondeu com erro (HTTP ${status})`, { status, retryS })
}

/**
 * The words that no reader sees. Some firewalls say who they are in the title alone ("Just a moment...",
 * "Request Rejected"), some in `noscript`.
 */
const unseenOf = (pagina: Pagina): string => {
  const $ = pagina.html()
  return normalize(`${$('head title').first().text()} ${$('noscript').text()}`)
}

const isText = ({ media }: Pagina): boolean => media === '' || /^text\/|html|xml/.test(media)

/** Whether the text can be decoded. An error page may be in any charset; its status tells enough. */
function readable(pagina: Pagina): boolean {
  if (pagina.status < 400) return true
  try {
    pagina.text()
    return true
  } catch {
    return false
  }
}
