import { SourceError } from '../platform/wire/fonte.ts'
import type { PerguntaDeSvc } from './ativacao.ts'
import { LIMITE_S } from './classificacao.ts'
import type { Sondado } from './decisao.ts'
import { isRecusada } from './leitura.ts'
import type { RecursosDaRodada } from './recursos.ts'
import { isUsoIndevido } from './ritmo.ts'
import type { Autorizador } from './rules.ts'
import type { RodadaFeita } from './sefaz-rodada.ts'
import { type MeiosDaSonda, type Sondagem, sondar } from './sondar.ts'
import { lerPaginas } from './source-paginas.ts'
import { perguntarAtivacao } from './status-ativacao.ts'

/** Asks these authorizers, all at once. Without a certificate the public pages tell of all that they know. */
export async function sondarTodos(
  recursos: RecursosDaRodada,
  autorizadores: readonly Autorizador[],
  em: number,
): Promise<Sondado[]> {
  const meios = meiosOf(recursos)
  if (!meios) {
    const { sources, config, now, log } = recursos
    const asked = { http: sources.http, now, ambiente: config.SEFAZ_AMBIENTE, log }
    return (await lerPaginas(em, asked)).map(sondadoDe)
  }
  return Promise.all(autorizadores.map(async (one) => sondadoDe(await sondar(one, em, meios))))
}

function sondadoDe({ leitura, contato, http }: Sondagem): Sondado {
  const blocked = http === 403 ? 'http-403' : undefined
  return {
    leitura,
    atendeu: contato === 'servico' && !isRecusada(leitura),
    recusa: isUsoIndevido(leitura) ? 'uso-indevido' : blocked,
  }
}

type Respostas = {
  respostas: RodadaFeita['ativacoes']
  /** The authorizers (by id) that answered that we ask too often. */
  recusaram: ReadonlySet<string>
}

/** Asks SVCs whether states have activated them. What an SVC leaves open stays as it was known. */
export async function perguntarSvcs(
  recursos: RecursosDaRodada,
  perguntas: readonly PerguntaDeSvc[],
  em: number,
): Promise<Respostas> {
  const meios = meiosOf(recursos)
  const recusaram = new Set<string>()
  if (!meios) return { respostas: [], recusaram }
  const respostas = await Promise.all(
    perguntas.map(async ({ doc, uf, svc }) => {
      try {
        return [{ doc, uf, ...(await perguntarAtivacao(doc, uf, em, meios)) }]
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        if (isUsoIndevido({ cStat: Number(error.codigo?.replace('cStat ', '')) }))
          recusaram.add(svc.autorizador)
        return []
      }
    }),
  )
  return { respostas: respostas.flat(), recusaram }
}

/**
 * The certificate that a round presents. All authorities refuse one that has ended: that is no outage of
 * theirs.
 */
export function certificadoEmVigor({
  sources: { certificado },
  now,
}: Pick<RecursosDaRodada, 'sources' | 'now'>): RecursosDaRodada['sources']['certificado'] {
  return certificado && now() <= certificado.fim ? certificado : undefined
}

/** A probe that failed is a line of the log (docs/operations.md); a good one is one at debug alone. */
function meiosOf(recursos: RecursosDaRodada): MeiosDaSonda | undefined {
  const { sources, config, log } = recursos
  const certificado = certificadoEmVigor(recursos)
  const { status: http } = sources
  const { SEFAZ_AMBIENTE: ambiente } = config
  return certificado && { http, certificado, ambiente, limiteMs: LIMITE_S * 1000, log }
}
