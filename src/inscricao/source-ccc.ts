import { SourceError } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import { isUnreached, isUnsent } from '../platform/wire/http.ts'
import type { Meios } from '../portal/estado.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Campos, Portal } from '../portal/portal.ts'
import type { InscricaoParcial } from '../portal/rules-inscricao.ts'
import { visit } from '../portal/visita.ts'
import { postBack } from '../portal/webforms.ts'
import { DESCANSO_MS, ESPERA_MS, enderecosDoCcc, fonteCcc, PAUSA_MS, RESPOSTA_MS } from './fonte.ts'
import { toInscricao } from './linha.ts'
import { CAMPOS, checkLayout, type Folha, readFolha } from './pagina.ts'

const { source } = fonteCcc

/**
 * A turn to ask. All nodes together have one at a time; `take` gives undefined if it does not come in time.
 */
type Turno = { end: (pauseMs: number) => Promise<void> }
type Turnos = {
  take: (
    fonte: string,
    limits: { patienceMs: number; pauseMs: number; leaseMs: number },
  ) => Promise<Turno | undefined>
}

/** The means of a question to the register. */
export type MeiosDoCcc = {
  meios: Omit<Meios, 'deadlineMs'>
  guard: Guard
  turnos: Turnos
  /** Its pauses are multiplied by it: 1 for the real register. */
  pace: number
  request_id: string
}

/** The longest time of a question in milliseconds, with the wait for its turn. */
export const CCC_MS = ESPERA_MS + RESPOSTA_MS

/**
 * Asks the register for the registrations of a CNPJ in all states (`parcial`); after HTTP 403 or 503 the
 * register rests, for all nodes. Throws SourceError: kind `blocked`, code `fila` if the turn comes too late.
 */
export async function askCcc(cnpj: string, of: MeiosDoCcc): Promise<InscricaoParcial[]> {
  const { meios, guard, turnos, pace, request_id } = of
  const turno = await turnos.take(source.id, {
    patienceMs: ESPERA_MS,
    pauseMs: PAUSA_MS * pace,
    leaseMs: CCC_MS,
  })
  if (!turno)
    throw new SourceError(
      'blocked',
      `${source.nome} já tem consultas demais na fila, ou descansa (15 minutos depois de um HTTP 403 ou 503).`,
      {
        source: source.id,
        elapsedMs: 0,
        codigo: 'fila',
      },
    )
  let pauseMs = PAUSA_MS
  try {
    return await guard({ source, deadlineMs: RESPOSTA_MS, request_id }, (deadlineMs) =>
      tryEnderecos(cnpj, { ...meios, deadlineMs }),
    )
  } catch (error) {
    if (error instanceof SourceError && (error.status === 403 || error.status === 503)) pauseMs = DESCANSO_MS
    throw error
  } finally {
    await turno.end(Math.round(pauseMs * pace))
  }
}

/**
 * Asks at the first address that works. If an address cannot be reached, or answers HTTP 404, the next one is
 * asked.
 */
async function tryEnderecos(cnpj: string, meios: Meios): Promise<InscricaoParcial[]> {
  const ends = performance.now() + meios.deadlineMs
  const failures: unknown[] = []
  for (const url of enderecosDoCcc) {
    const visita = { uf: 'BA' as const, source, url, captcha: fonteCcc.captcha }
    try {
      const deadlineMs = Math.max(1, ends - performance.now())
      return await visit(visita, { ...meios, deadlineMs }, (portal) => converse(portal, url, cnpj))
    } catch (error) {
      const isGone = error instanceof SourceError && error.status === 404
      if (!isGone && !isUnreached(error) && !isUnsent(error)) throw error
      failures.push(error)
    }
  }
  throw failures[0]
}

/** The register redirects when something failed. */
const modo = { redirects: 0 } as const

/** No CNPJ has more pages, even with old registrations in each of 27 states. */
const MAIS_FOLHAS = 30

async function converse(portal: Portal, url: string, cnpj: string): Promise<InscricaoParcial[]> {
  const pergunta: Campos = {
    [CAMPOS.cnpj]: cnpj,
    [CAMPOS.ie]: '',
    // All states, and all situations.
    [CAMPOS.uf]: '',
    [CAMPOS.situacao]: '99',
  }
  const send = async (from: Pagina, campos: Campos): Promise<Pagina> => {
    const state = { __VIEWSTATEENCRYPTED: '', __EVENTTARGET: '', __EVENTARGUMENT: '' }
    const pagina = await postBack(portal, from, { ...state, ...pergunta, ...campos }, modo)
    checkLayout(portal, pagina)
    return pagina
  }
  const form = await portal.get(url, modo)
  checkLayout(portal, form)
  let pagina = await send(form, { [CAMPOS.filtrar]: 'Aplicar Filtro' })
  const first = readFolha(portal, pagina)
  if (!first) return []
  const folhas = [first]
  for (let last = first; last.ultima > last.numero; folhas.push(last)) {
    if (folhas.length === MAIS_FOLHAS) throw portal.failure('parse', 'mostra uma lista sem fim')
    const next = last.numero + 1
    pagina = await send(pagina, { __EVENTTARGET: 'Grid', __EVENTARGUMENT: `Page$${next}` })
    last = checkFolha(portal, readFolha(portal, pagina), next)
  }
  const linhas = folhas.flatMap((folha) => folha.linhas)
  if (linhas.length !== first.total)
    throw portal.failure('parse', 'mudou de página: a lista não tem tantas linhas quantas ela diz')
  return linhas.flatMap((linha) => toInscricao(portal, linha, cnpj) ?? [])
}

function checkFolha(portal: Portal, folha: Folha | undefined, numero: number): Folha {
  if (folha?.numero === numero) return folha
  throw portal.failure('parse', 'mudou de página: não mostra a folha da lista que foi pedida')
}
