import { Type } from 'typebox'
import { ufs } from '../../domain/uf.ts'
import { OneOf } from './closed.ts'

/** A text of an answer, and what it says. */
export const text = (description: string) => Type.String({ description })

/** The id of the request that was answered. */
export const RequestId = Type.String({
  format: 'uuid',
  description: 'Identifica a requisição; informe-o ao operador se algo falhar',
})

/** A state, in an answer. */
export const UfItem = OneOf(ufs, {
  title: 'Uf',
  description: 'Sigla de um dos 26 estados ou do Distrito Federal',
})

/** What was asked about, by the kinds of document that an endpoint takes. */
export const documentoAsked = <const T extends string>(tipos: readonly T[]) => ({
  document: Type.String({ description: 'O documento como foi enviado' }),
  document_type: OneOf(tipos, 'O tipo do documento que foi enviado'),
})
