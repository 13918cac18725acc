import type { TObject } from 'typebox'
import { creditosOf, type Entrada } from '../../consultas/todos.ts'
import type { Stream } from '../pipeline/stream.ts'

/** The stream of a lookup in every state: a piece is the entry of one state, with the schema `piece`. */
export const porEstado = (piece: TObject): Stream<Entrada> => ({
  piece,
  event: 'uf',
  id: ({ uf }) => uf,
  charged: (entry) => creditosOf([entry]),
  described: {
    pieces:
      'um evento `uf` por estado, assim que ele responde (`data` é a entrada dele em `results`, `id` é a sigla)',
    leaver: 'pelos estados que já recebeu',
    example: 'id: SC\nevent: uf\ndata: {"uf":"SC","source_status":{"status":"success",...},...}\n\n',
  },
})
