import type { Documento } from '../documento/documento.ts'
import { openCcc } from '../inscricao/ccc.ts'
import type { Recursos } from '../inscricao/recursos.ts'
import { type ChamadaTodos, type ComLog, type Entrada, fanOut } from '../inscricao/todos.ts'
import { type Certidao, semCertidao } from '../portal/rules-certidao.ts'
import { findCertidao } from './lookup.ts'

/** The entry of a state: its certificate, `erro` for an answer that cannot be used, null if it gave none. */
export type EntradaCnd = Entrada & { result: Certidao | null }

/** What the lookup needs of the service besides what one state takes. */
export type RecursosCndTodos = Recursos & ComLog & { config: { CND_TODOS_SECONDS: number } }

/**
 * The clearance certificates of a document in all 27 states, within CND_TODOS_SECONDS. Throws as `fanOut`
 * does.
 */
export function findCertidoesTodos(
  recursos: RecursosCndTodos,
  asked: Documento,
  call: ChamadaTodos<EntradaCnd>,
): Promise<EntradaCnd[]> {
  const { request_id, maxAgeMs } = call
  const chamada = { request_id, maxAgeMs, ccc: call.ccc ?? openCcc(recursos, asked, call) }
  return fanOut(
    { ctx: recursos, call },
    {
      deadlineMs: recursos.config.CND_TODOS_SECONDS * 1000,
      ask: async (uf) => {
        const found = await findCertidao(recursos, uf, asked, chamada)
        const { certidao, fonte, consultado_em, avisos } = found
        return { result: certidao, fonte, consultado_em, avisos }
      },
      failed: (status, dizeres): { result: Certidao | null } => ({ result: unusable(status, dizeres) }),
    },
  )
}

/**
 * The result of a state that failed: `erro` if it answered with what cannot be used, null if it did not
 * answer.
 */
const unusable = ({ error_code }: Entrada['source_status'], dizeres: string): Certidao | null =>
  SEM_RESPOSTA.has(error_code) ? null : semCertidao('erro', dizeres)

const SEM_RESPOSTA: ReadonlySet<string> = new Set(['SITE_INDISPONIVEL', 'ERRO_INTERNO', 'BANCO_INDISPONIVEL'])
