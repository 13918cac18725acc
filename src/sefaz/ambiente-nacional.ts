import { fontesNfe } from '../nfe/fonte.ts'
import type { Db } from '../platform/db/db.ts'
import type { UltimaHora } from '../platform/wire/leitura.ts'
import { semLeituras } from '../platform/wire/leitura.ts'
import type { Leituras } from '../platform/wire/leituras.ts'
import { listLeituras } from '../platform/wire/leituras.ts'

/** What our own calls of the last 60 minutes say of a service. */
export const situacoesDoAmbiente = ['respondendo', 'instavel', 'falhando', 'sem_leitura'] as const

export type SituacaoDoAmbiente = (typeof situacoesDoAmbiente)[number]

/** A service of the national environment, by what our own calls met there. */
type ServicoNacional = {
  servico: 'distribuicao' | 'eventos'
  /** The id of the source in `/api/v1/fontes`. */
  fonte: string
  situacao: SituacaoDoAmbiente
  hora: UltimaHora
}

/** What is needed of the service. */
type Recursos = {
  store: { db: Db; leituras: Pick<Leituras, 'flush'> }
  sources: { ambiente: string }
  now: () => Date
}

/**
 * How distribution and event reception stand, by clients' calls. Nobody probes them: they have no status
 * service, and each question counts against the holder of a certificate.
 */
export async function ambienteNacional({ store, sources, now }: Recursos): Promise<ServicoNacional[]> {
  // The counts that this node has not written yet belong to the answer.
  await store.leituras.flush()
  const leituras = await listLeituras(store.db, { now: now(), ambiente: sources.ambiente })
  return (['distribuicao', 'eventos'] as const).map((servico) => {
    const fonte = fontesNfe[servico].source.id
    const hora = leituras.get(fonte) ?? semLeituras
    return { servico, fonte, situacao: situacaoOf(hora), hora }
  })
}

function situacaoOf({ consultas, sucessos }: UltimaHora): SituacaoDoAmbiente {
  if (consultas === 0) return 'sem_leitura'
  if (sucessos === 0) return 'falhando'
  return sucessos === consultas ? 'respondendo' : 'instavel'
}
