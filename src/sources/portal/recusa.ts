import type { SourceError } from '../../domain/fonte/source-error.ts'
import { isPdf, normalize, type Pagina } from '../pagina/pagina.ts'

type Failure = (
  kind: 'http' | 'blocked',
  why: string,
  details?: { codigo?: string; unavailable?: boolean; status?: number },
) => SourceError

/** The ways in which the pages of any state turn a program away, whatever the HTTP status says. */
const refusals: readonly { words: RegExp; why: string; codigo: string }[] = [
  {
    // The F5 and Imperva pages of GO and MT, seen with status 200; F5's own says it in English.
    words:
      /ACESSO NEGADO.{0,500}POLITICA DE SEGURANCA|REQUISICAO FOI BLOQUEADA|REQUEST REJECTED|REQUESTED URL WAS REJECTED|INCAPSULA INCIDENT/,
    why: 'bloqueou a consulta no seu firewall',
    codigo: 'waf',
  },
  {
    // F5's challenge (Shape, of which SP's CADESP has one since 2026-09): a script, and a word to who runs
    // none.
    words: /ENABLE JAVASCRIPT TO VIEW THE PAGE CONTENT|YOUR SUPPORT ID IS/,
    why: 'quer ver um navegador (F5)',
    codigo: 'waf',
  },
  {
    words: /JUST A MOMENT\b|CHECKING YOUR BROWSER|ATTENTION REQUIRED! \| CLOUDFLARE/,
    why: 'quer ver um navegador (Cloudflare)',
    codigo: 'cloudflare',
  },
  {
    words: /SEU COMPUTADOR OU REDE PODE ESTAR ENVIANDO CONSULTAS AUTOMATIZADAS/,
    why: 'recusou a consulta como automatizada',
    codigo: 'automatizada',
  },
]

const outages =
  /NO MOMENTO NAO PODEMOS ATENDER A SUA SOLICITACAO|SISTEMA EM MANUTENCAO|SISTEMA INDISPONIVEL|SERVICO TEMPORARIAMENTE INDISPONIVEL|SERVICE UNAVAILABLE/

/** Throws what a page that turns us away, or says that the portal is down, means; `anyStatus` lets a page of any status pass that says neither. */
export function refuseKnown(pagina: Pagina, failure: Failure, anyStatus = false): void {
  const { status } = pagina
  if (status < 300 && (isPdf(pagina) || !isText(pagina))) return
  const words = isText(pagina) && readable(pagina) ? `${unseenOf(pagina)} ${pagina.words()}` : ''
  const refusal = refusals.find((one) => one.words.test(words))
  if (refusal)
    throw failure('blocked', `${refusal.why}; tente de novo mais tarde`, {
      codigo: refusal.codigo,
      status,
    })
  if (status < 400) return
  if (outages.test(words)) throw failure('http', 'diz que está fora do ar', { unavailable: true, status })
  if (anyStatus) return
  if (status === 403) throw failure('blocked', 'recusou a consulta (HTTP 403)', { status })
  throw failure('http', `respondeu com erro (HTTP ${status})`, { status })
}

/**
 * Some say who they are in the title alone ("Just a moment...", "Request Rejected"), some to who runs no
 * script.
 */
const unseenOf = (pagina: Pagina): string => {
  const $ = pagina.html()
  return normalize(`${$('head title').first().text()} ${$('noscript').text()}`)
}

const isText = ({ media }: Pagina): boolean => media === '' || /^text\/|html|xml/.test(media)

/** An error page may be in any charset: its status tells enough. */
function readable(pagina: Pagina): boolean {
  if (pagina.status < 400) return true
  try {
    pagina.text()
    return true
  } catch {
    return false
  }
}
