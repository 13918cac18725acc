import { Type } from 'typebox'
import { codigosDoStatus, sourceStatuses } from '../../domain/fonte/source-status.ts'
import { OneOf } from './closed.ts'

/** Outcome of the upstream source (specification, "Conventions common to the lookup endpoints"). */
export const SourceStatus = Type.Object(
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

/**
 * The source of an answer, its instant, and notices about it. These members are additions to the
 * specification's.
 */
export const Procedencia = {
  fonte: Type.String({
    description:
      'Quem respondeu: o identificador da fonte em GET /api/v1/fontes, como SP/ie; vazio quando ninguém',
  }),
  consultado_em: Type.String({
    description:
      'Quando o órgão respondeu (ISO 8601, UTC), ou, se a resposta tem partes, quando veio a mais antiga; vazio quando ninguém respondeu',
  }),
  avisos: Type.Array(Type.String(), {
    description: 'O que convém saber desta resposta, em português; em geral vazia',
  }),
}
