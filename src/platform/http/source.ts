import { type Static, Type } from 'typebox'
import {
  type CodigoDoStatus,
  codigosDoStatus,
  type SourceStatus as Situacao,
  sourceStatuses,
} from '../wire/source-status.ts'
import { ONLY_WORDS, OneOf } from './closed.ts'
import { instanteOuVazio } from './schemas.ts'

/** Outcome of the upstream source (specification, "Conventions common to the lookup endpoints"). */
const SourceStatus = Type.Object(
  {
    status: OneOf(sourceStatuses, 'success ou error; nas consultas a todos os estados, também timeout'),
    error_code: OneOf(['', ...codigosDoStatus], 'Vazio quando deu certo'),
    error_message: Type.String({ description: 'Vazio quando deu certo' }),
    retryable: Type.Boolean({
      description:
        'true quando repetir a consulta mais tarde pode dar certo; false quando deu certo, ou quando repetir não muda a resposta',
    }),
  },
  { title: 'SituacaoDaFonte', description: 'Como terminou a consulta à fonte' },
)

/** The outcome of the source in the answers of one endpoint, which tells these codes and statuses alone. */
export const sourceStatusOf = (
  codes: readonly CodigoDoStatus[],
  statuses: readonly Situacao['status'][] = codes.length > 0 ? ['success', 'error'] : ['success'],
) =>
  Type.Unsafe<Static<typeof SourceStatus>>({
    ...SourceStatus,
    [ONLY_WORDS]: { status: statuses, error_code: ['', ...codes] },
  })

/**
 * The source of an answer, its instant, and notices about it. These members are additions to the
 * specification's.
 */
export const Procedencia = {
  fonte: Type.String({
    description:
      'Quem respondeu: o identificador da fonte em GET /api/v1/fontes, como SP/ie; vazio quando ninguém',
  }),
  consultado_em: instanteOuVazio(
    'Quando o órgão respondeu (ISO 8601, UTC), ou, se a resposta tem partes, quando veio a mais antiga; vazio quando ninguém respondeu',
  ),
  avisos: Type.Array(Type.String(), {
    description: 'O que convém saber desta resposta, em português; em geral vazia',
  }),
}
