import { openUsos } from '../../src/contas/store-usos.ts'
import { ufs } from '../../src/documento/uf.ts'
import type { Db } from '../../src/platform/db/db.ts'
import type { Outcome } from '../../src/platform/http/outcome.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'

const DAY_MS = 86_400_000
const log = { error: () => {} }

const endpoints = [
  ['/api/consultar', 1],
  ['/api/consultar-cnd', 1],
  ['/api/consultar-nfe-xml', 3],
  ['/api/consultar-cnd-federal', 1],
  ['/api/consultar-cnpj', 1],
  ['/api/consultar-cnd-todos', 26],
  ['/api/v1/sefaz/status', 0],
] as const
const falhas = [
  [503, 'SITE_INDISPONIVEL'],
  [400, 'DOCUMENTO_INVALIDO'],
  [502, 'TODAS_FONTES_FALHARAM'],
] as const
const documentos = ['12.***.***/0001-95', '00.***.***/0001-91', '***.456.789-**']

/** A call made by rule, without chance: the `at`-th one of an account. */
export function chamadaFeita(conta: string, at: number, instant: number): Outcome {
  const seed = (Math.imul(at + 1, 0x9e3779b1) >>> 7) % 101
  const [endpoint, price] = endpoints[seed % endpoints.length] ?? endpoints[0]
  const isNational = !['/api/consultar', '/api/consultar-cnd'].includes(endpoint)
  const fail = seed === 13 || seed === 57 ? falhas[at % falhas.length] : undefined
  const cached = fail === undefined && seed % 3 === 0
  const isPartial = endpoint.endsWith('-todos') && !fail && !cached && seed % 2 === 0
  const ms = cached ? 3 + (seed % 5) : 240 + seed * 31
  return {
    request_id: newRequestId(new Date(instant - ms)),
    conta,
    method: 'GET',
    endpoint,
    document: documentos[at % documentos.length] ?? '',
    sent: {},
    uf: isNational ? '' : (ufs[(at * 5) % ufs.length] ?? ''),
    http: fail?.[0] ?? 200,
    error_code: fail?.[1] ?? '',
    creditos: fail ? 0 : price,
    cached,
    source_failures: isPartial ? 2 : 0,
    source_code: isPartial ? 'SITE_INDISPONIVEL' : '',
    ms,
  }
}

/** How many calls there were so many days ago: fewer on two days of each seven. */
const quantas = (ago: number): number => (ago % 7 < 2 ? 12 : 40 + ((ago * 13) % 23))

/**
 * Makes calls of an account in each of the last days, up to `agora`, through the store's own writer. Returns
 * how many.
 */
export async function encherChamadas(
  db: Db,
  conta_id: string,
  { agora, dias = 30 }: { agora: number; dias?: number },
): Promise<number> {
  let instant = agora
  let at = 0
  const usos = openUsos(db, { now: () => new Date(instant), log })
  for (let ago = dias - 1; ago >= 0; ago--) {
    const count = quantas(ago)
    for (let i = 1; i <= count; i++) {
      // Within the six hours up to the same time of that day.
      instant = agora - ago * DAY_MS - Math.round(((count - i) / count) * 6 * 3_600_000)
      usos.note(chamadaFeita(conta_id, at++, instant))
    }
    await usos.flush()
  }
  await usos.close()
  return at
}
