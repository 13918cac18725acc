import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import type { Documento } from '../documento/documento.ts'
import { openSelo } from '../platform/secrets.ts'
import { trusted } from '../platform/trusted.ts'
import { codigosDoSigef } from './falha.ts'

/** What a job is asked for: whose parcels, and how old a kept page of a parcel may be (ISO 8601 UTC). */
export type PedidoDeBusca = Documento & { desde: string }

/** The order of a search as it lies in the database: no document can be read there. */
const payload = Type.Object({ chave: Type.String(), selado: Type.String() })

/** The kind of the job that searches. One at a time asks for a holder's parcels, across all nodes. */
export const buscaDeParcelas = {
  kind: 'buscar-parcelas-sigef',
  payload,
  key: ({ chave }: Static<typeof payload>) => chave,
}

const PURPOSE = 'busca no sigef'

/** Seals an order. Its key is a keyed hash of the document. */
export function sealPedido(secret: string, pedido: PedidoDeBusca): Static<typeof payload> {
  const selo = openSelo(secret, PURPOSE)
  const chave = selo.mac(`${pedido.tipo}:${pedido.documento}`)
  return { chave, selado: selo.seal(JSON.stringify(pedido), chave) }
}

/** Opens an order. Undefined if another secret sealed it. */
export function openPedido(
  secret: string,
  { chave, selado }: Static<typeof payload>,
): PedidoDeBusca | undefined {
  const text = openSelo(secret, PURPOSE).open(selado, chave)
  // Proven by the seal: only `sealPedido` makes it.
  return text && trusted<PedidoDeBusca>(JSON.parse(text.toString()))
}

/** How a job ended, for whoever waits: the parcels are kept, or it failed, or a next job goes on with it. */
const Fim = Type.Object({
  fim: Type.Enum(['guardada', 'continua', 'falhou']),
  falha: Type.Optional(
    Type.Object({
      code: Type.Enum([...codigosDoSigef]),
      message: Type.String(),
      retryS: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
})

export type FimDaBusca = Static<typeof Fim>

/** Reads what a job left. One of another version is not known: the parcels are then looked for. */
export const readFim = (result: unknown): FimDaBusca =>
  // Proven by the schema.
  Check(Fim, result) ? trusted<FimDaBusca>(result) : { fim: 'guardada' }
